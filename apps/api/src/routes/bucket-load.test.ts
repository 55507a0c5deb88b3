import { describe, expect, it } from 'vitest'
import { refuse } from '../errors.ts'
import { MAX_POINTS } from '../params/bucket-window.ts'
import { noLoad, type RouteContext } from '../route.ts'
import { routes } from '../testing/all-routes.ts'
import { bucketLoad } from './bucket-load.ts'
import { withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, PAIR, XLM } from './testing/fixtures/network.ts'

// The index has the ledgers 100 to 220, ten minutes apart: 20 hours from 2026-09-01T12:00:00Z, in two UTC days.
const fixture = withFixtureApi(['soroswap', 'blend'])

const cost = async (path: string) => {
  const { status, headers } = await fixture.api.ask(path)
  return [status, headers['ratelimit-cost']]
}
const history = `/v1/users/${ALICE}/positions/soroswap/${PAIR}/history`
const summary = `/v1/users/${ALICE}/positions/blend/summary/history`
const series = `/v1/users/${ALICE}/activities/series`
const day = 'from=2026-09-01T12:00:00Z&to=2026-09-02T12:00:00Z'

describe('the cost of real routes', () => {
  it.each([
    [`/v1/users/${ALICE}/positions`],
    [`/v1/users/${ALICE}/activities`],
    ['/v1/protocols/soroswap/reserves'],
    [history],
    [`${history}?as_of_ledger=200`],
    [summary],
    [`/v1/assets/${XLM}/prices`],
    [`${summary}?from_ledger=100&to_ledger=220`],
  ])('%s has no buckets and costs 1', async (path) => {
    expect(await cost(path)).toEqual([200, '1'])
  })

  it.each([
    // 5 minutes: at most 241 buckets in the index. All others have fewer.
    [`${history}?interval=5m`],
    [`${history}?range=24h`],
    [`${history}?ledger_bucket=1&from_ledger=100&to_ledger=220`],
    [`${summary}?interval=5m&${day}`],
    [`${summary}?ledger_bucket=10&from_ledger=100&to_ledger=220`],
    [`${series}?interval=5m`],
    [`${series}?ledger_bucket=1&from_ledger=100&to_ledger=220`],
    [`/v1/assets/${XLM}/prices?interval=5m`],
    ['/v1/protocols/soroswap/tvl'],
  ])('%s has 1 to 500 buckets and costs 2', async (path) => {
    expect(await cost(path)).toEqual([200, '2'])
  })

  it('every route with a width of buckets among its parameters declares its load', () => {
    const bucketed = routes.filter(({ query }) => 'interval' in query.shape)
    expect(bucketed.length).toBeGreaterThan(5)
    expect(bucketed.filter(({ load }) => load === noLoad).map(({ path }) => path)).toEqual([])
  })

  it('a window outside of the index has no bucket and costs 1', async () => {
    expect(await cost(`${series}?interval=1d&from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z`)).toEqual([200, '1'])
  })

  it('a window with too many buckets is refused by its handler and costs 1', async () => {
    expect(await cost(`${history}?interval=5m&from=2020-01-01T00:00:00Z`)).toEqual([400, '1'])
  })
})

describe('the buckets of a request', () => {
  const call = { tag: { route: 'test', requestId: 'test' } }
  const contextWith = (readModel: object) => ({ readModel, call }) as unknown as RouteContext

  it('the window is that of the index', async () => {
    const context = contextWith(fixture.readModel)
    expect(await bucketLoad(context, ({ first, last }) => last.ledger - first.ledger + 1)).toEqual({ buckets: 121 })
  })

  it('too many buckets count as the most that are possible, and another error is not hidden', async () => {
    const context = contextWith(fixture.readModel)
    const throwing = (error: Error) => () => {
      throw error
    }
    expect(await bucketLoad(context, throwing(refuse('too_many_points', 'Too many.')))).toEqual({ buckets: MAX_POINTS })
    await expect(bucketLoad(context, throwing(new Error('a bug')))).rejects.toThrow('a bug')
  })

  it('nothing is counted before the first ledger is indexed', async () => {
    const readModel = { tip: async () => ({}), watermark: async () => null, partitionHealth: async () => [], query: async () => [] }
    expect(await bucketLoad(contextWith(readModel), () => 7)).toEqual({})
  })
})
