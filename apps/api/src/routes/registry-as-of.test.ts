// A registry that grows, and a network protocol version that is newer than the build. Readers get the records of ingest from ClickHouse.

import { registryText } from '@orrery/registry'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import { beforeAll, describe, expect, it } from 'vitest'
import { memoryStore } from '../response-cache/answer-store.ts'
import { openResponseCache } from '../response-cache/response-cache.ts'
import { routes } from '../testing/all-routes.ts'
import { startTestApi } from '../testing/start-test-api.ts'
import { TESTED_PROTOCOLS } from '../testing/tested-protocols.ts'
import { openViews } from '../views.ts'
import { indexState } from './basis.ts'
import { withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, FIRST, LAST, NETWORK, XLM } from './testing/fixtures/network.ts'

const fixture = withFixtureApi(['soroswap'])
const logger = createLogger({ name: 'test', level: 'silent', json: true })
const { [XLM]: hint, ...others } = NETWORK.assets

interface Named {
  readonly enrichment: { readonly assets: Readonly<Record<string, { readonly symbol: string; readonly decimals: number | null }>> }
}

async function xlmAsOf(ledger: number) {
  const { enrichment } = (await fixture.data(`/v1/users/${ALICE}/positions/soroswap?as_of_ledger=${ledger}`)) as unknown as Named
  return enrichment.assets[XLM]
}

it('an answer that was made with the registry file of the API has another ETag once the index has recorded its registry', async () => {
  const path = `/v1/users/${ALICE}/positions/soroswap?as_of_ledger=${LAST - 1}`
  const { etag } = (await fixture.api.ask(path)).headers
  await fixture.store.writeControlFacts([{ kind: 'registry', ledger: FIRST, value: registryText({ ...NETWORK, assets: others }) }])
  expect((await fixture.api.ask(path, { headers: { 'if-none-match': etag ?? '' } })).status).toBe(200)
})

it('an answer that was cached before the index had recorded its registry is not served again', async () => {
  const { readModel } = fixture
  const cache = openResponseCache({ store: memoryStore(), scope: '', stateOf: indexState, metrics: createMetrics(), logger })
  const shared = { readModel, network: NETWORK, protocols: [soroswap], views: openViews(NETWORK, TESTED_PROTOCOLS), cache }
  await using api = await startTestApi({ routes, shared })
  const symbol = async () => {
    const { body } = await api.ask(`/v1/users/${ALICE}/positions/soroswap`)
    return (body as unknown as Named).enrichment.assets[XLM]?.symbol
  }
  expect(await symbol()).toBe('')
  await fixture.store.writeControlFacts([{ kind: 'registry', ledger: LAST, value: registryText(NETWORK) }])
  expect(await symbol()).toBe(hint?.code)
})

describe('a registry that has grown', () => {
  beforeAll(async () => {
    await fixture.store.writeControlFacts([
      { kind: 'registry', ledger: FIRST, value: registryText({ ...NETWORK, assets: others }) },
      { kind: 'registry', ledger: LAST, value: registryText(NETWORK) },
    ])
  })

  it('an added asset hint applies to answers as of its ledger and later, and not before', async () => {
    expect(await xlmAsOf(LAST)).toMatchObject({ symbol: hint?.code, decimals: hint?.decimals })
    expect(await xlmAsOf(LAST - 1)).toMatchObject({ symbol: '', decimals: null })
  })
})

describe('the protocol of the network in /v1/health', () => {
  const protocol = async () => ((await fixture.data('/v1/health')).data as { readonly network_protocol: unknown }).network_protocol

  it('the network protocol is null while ingest has recorded none', async () => {
    expect(await protocol()).toBeNull()
  })

  it('the network protocol is that of the newest record, and is marked if it is above 30, the newest that the build supports', async () => {
    await fixture.store.writeControlFacts([{ kind: 'protocol', ledger: FIRST, value: '30' }])
    expect(await protocol()).toEqual({ version: 30, since_ledger: FIRST, supported_up_to: 30, newer_than_build: false })
    await fixture.store.writeControlFacts([{ kind: 'protocol', ledger: LAST, value: '31' }])
    expect(await protocol()).toEqual({ version: 31, since_ledger: LAST, supported_up_to: 30, newer_than_build: true })
  })
})

describe('a registry that a newer Orrery recorded and this build cannot read', () => {
  const newer = JSON.stringify({ ...JSON.parse(registryText(NETWORK)), bridges: [] })
  const logged = () => fixture.api.logged().filter((line) => line.includes('registry_newer_than_build'))
  beforeAll(() => fixture.store.writeControlFacts([{ kind: 'registry', ledger: LAST, value: newer }]))

  it('a registry that this build cannot read gives 503 with the action for the operator, and is logged once with the problems', async () => {
    for (let n = 0; n < 3; n++) {
      expect(await fixture.refusal(`/v1/users/${ALICE}/positions/soroswap`)).toEqual({
        status: 503,
        code: 'unavailable',
        message:
          'The index was written by a newer version of Orrery than this API, which cannot answer as of this ledger. No data is lost, and no wrong number is served. The operator has to update the API. Answers as of earlier ledgers may still work.',
      })
    }
    expect(logged()).toHaveLength(1)
    expect(logged()[0]).toContain('unknown member \\"bridges\\"')
    expect(logged()[0]).toContain('Update this process to the version of ingest')
  })

  it('answers as of the ledgers before an unreadable registry, and /v1/health, are still given', async () => {
    expect(await xlmAsOf(LAST - 1)).toMatchObject({ symbol: '', decimals: null })
    expect((await fixture.data('/v1/health')).data).toMatchObject({ database: 'ok' })
  })
})
