import { OrreryError } from '@orrery/errors'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { expect, it } from 'vitest'
import { isTemporary, mayOtherPartsGoOn, SupervisedPart } from './supervised-part.ts'

const logger = createLogger({ name: 'test', level: 'silent', json: true })
const away = new OrreryError('unavailable', 'rpc_unreachable', 'The source is away.')

/** A part whose starts the test decides: each resolves with what `starts` has next. */
function aPart(starts: (Error | 'runs')[], { mayBeginLate = false } = {}) {
  const metrics = createMetrics()
  const fatal: unknown[] = []
  const ends: PromiseWithResolvers<void>[] = []
  const part = new SupervisedPart({
    ...{ name: 'ingest', logger, metrics, mayBeginLate, firstPauseMs: 1 },
    start: async () => {
      const next = starts.shift() ?? 'runs'
      if (next !== 'runs') throw next
      const ended = Promise.withResolvers<void>()
      ended.promise.catch(() => undefined)
      ends.push(ended)
      return { number: ends.length, finished: ended.promise, stop: async () => ended.resolve() }
    },
    isRestartable: isTemporary,
    onFatal: (error) => fatal.push(error),
  })
  const value = async (name: string) => new RegExp(`^${name}\\{part="ingest"\\} (\\d+)$`, 'm').exec(await metrics.registry.metrics())?.[1]
  return { part, fatal, ends, value }
}

it('a part that fails is started again, and work that waited for it continues on the next one', async () => {
  const { part, ends, fatal, value } = aPart(['runs', away, away, 'runs'])
  await part.started
  const work = part.outliving(async ({ number, finished }) => {
    if (number === 1) await finished
    return number
  })
  ends[0]?.reject(away)
  expect(await work).toBe(2)
  expect(part.state).toEqual({ part: 'ingest', state: 'running', error: null, failures: 3 })
  expect([await value('orrery_part_failures_total'), await value('orrery_part_running_status')]).toEqual(['3', '1'])
  expect(fatal).toEqual([])
  await part.stop()
})

it('a first start that fails is an error, unless the part may begin late', async () => {
  const strict = aPart([away])
  await expect(strict.part.started).rejects.toBe(away)
  const late = aPart([away, 'runs'], { mayBeginLate: true })
  await late.part.started
  expect(late.part.state.failures).toBe(1)
  await late.part.stop()
})

it('an error that no restart can help ends the part and is reported', async () => {
  const wrong = new OrreryError('invalid', 'wrong_network', 'Another network.')
  const { part, ends, fatal, value } = aPart(['runs'])
  await part.started
  ends[0]?.reject(wrong)
  await expect.poll(() => fatal).toEqual([wrong])
  expect(await value('orrery_part_running_status')).toBe('0')
  await part.stop()
})

it('a stop does not wait for a start that waits for its source', async () => {
  const part = new SupervisedPart({
    ...{ name: 'ingest', logger, metrics: createMetrics(), mayBeginLate: true },
    start: () => new Promise<never>(() => undefined),
    isRestartable: isTemporary,
    onFatal: () => undefined,
  })
  expect(part.state.state).toBe('starting')
  await part.stop()
})

it('a failed fold does not end the other parts, a wrong configuration does', () => {
  const of = (kind: 'corrupt' | 'unavailable' | 'invalid') => new OrreryError(kind, 'fold_failed', 'A fold failed.')
  expect([of('corrupt'), of('unavailable'), new TypeError('a bug'), of('invalid')].map(mayOtherPartsGoOn)).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect([of('corrupt'), of('unavailable')].map(isTemporary)).toEqual([false, true])
})
