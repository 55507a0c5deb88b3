// An answer is made of several readings at the same time. One that fails while others go on ends the answer, and nothing else: a promise that rejects
// before anything awaits it would end the whole process.

import { setTimeout as delay } from 'node:timers/promises'
import { aquarius } from '@orrery/aquarius'
import { blend } from '@orrery/blend'
import { OrreryError } from '@orrery/errors'
import { fxdao } from '@orrery/fxdao'
import type { ReadModel } from '@orrery/read-model'
import { soroswap } from '@orrery/soroswap'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../testing/all-routes.ts'
import { startTestApi, type TestApi } from '../testing/start-test-api.ts'
import { TESTED_PROTOCOLS } from '../testing/tested-protocols.ts'
import { openViews } from '../views.ts'
import { ASKED_PATHS } from './testing/asked-paths.ts'
import { withFixtureApi } from './testing/fixture-api.ts'
import { NETWORK } from './testing/fixtures/network.ts'

const READINGS = ['query', 'stateAsOf', 'ownerStateAsOf', 'ledgerAtOrBefore', 'closeTimeOf', 'watermark', 'partitionHealth'] as const
type Reading = (typeof READINGS)[number]
/** Readings that go on take at least this long: the failed one has failed before. */
const OTHERS_TAKE_MS = 10

const fixture = withFixtureApi(['soroswap', 'aquarius', 'blend', 'fxdao'])
let failing: Reading
let api: TestApi

/** The read model, in which every call of `failing` fails at once and every other one takes its time. */
function disturbed(readModel: ReadModel): ReadModel {
  return new Proxy(readModel, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (!(READINGS as readonly unknown[]).includes(name)) return member
      return async (...given: unknown[]): Promise<unknown> => {
        if (name === failing) throw new OrreryError('unavailable', 'read_model_unavailable', 'The engine is away.')
        await delay(OTHERS_TAKE_MS)
        return (member as (...given: unknown[]) => Promise<unknown>).apply(target, given)
      }
    },
  })
}

const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)

beforeAll(async () => {
  process.on('unhandledRejection', note)
  const readModel = disturbed(fixture.readModel)
  const protocols = [blend, aquarius, soroswap, fxdao]
  api = await startTestApi({ routes, shared: { readModel, network: NETWORK, protocols, views: openViews(NETWORK, TESTED_PROTOCOLS) } })
})
afterAll(async () => {
  process.off('unhandledRejection', note)
  await api[Symbol.asyncDispose]()
})
afterEach(() => void unhandled.splice(0))

describe.each(READINGS)('where `%s` fails at once', (reading) => {
  it.each(ASKED_PATHS.map(({ urls: [url] }) => url as string))(
    '%s is answered, or ends with 503, and no error is left over',
    async (url) => {
      failing = reading
      const { status, body } = await api.ask(url)
      if (status !== 200) expect([status, body?.error?.code]).toEqual([503, 'unavailable'])
      await delay(2 * OTHERS_TAKE_MS) // readings that the answer did not wait for
      expect(unhandled).toEqual([])
    },
  )
})
