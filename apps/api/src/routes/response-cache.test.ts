import { createLogger, createMetrics } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnswerStore, memoryStore } from '../response-cache/answer-store.ts'
import { openResponseCache } from '../response-cache/response-cache.ts'
import { routes } from '../testing/all-routes.ts'
import { startTestApi, type TestApi } from '../testing/start-test-api.ts'
import { TESTED_PROTOCOLS } from '../testing/tested-protocols.ts'
import { openViews } from '../views.ts'
import { indexState } from './basis.ts'
import { setCheckpoint, withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, closeTime, hashOf, LAST, NETWORK, PAIR } from './testing/fixtures/network.ts'

const fixture = withFixtureApi()
const metrics = createMetrics()
const logger = createLogger({ name: 'test', level: 'silent', json: true })
let isAway = false
let api: TestApi

beforeAll(async () => {
  const memory = memoryStore()
  const store: AnswerStore = { ...memory, answers: async () => !isAway }
  const shared = { readModel: fixture.readModel, network: NETWORK, protocols: [soroswap], views: openViews(NETWORK, TESTED_PROTOCOLS) }
  const cache = openResponseCache({ store, scope: 'fixture', stateOf: indexState, metrics, logger })
  api = await startTestApi({ routes, shared: { ...shared, cache } })
})
afterAll(() => api[Symbol.asyncDispose]())

const hits = async () => (await metrics.apiCache.get()).values.find(({ labels }) => labels.outcome === 'hit')?.value ?? 0

/** Whether the second of two equal questions was answered from the cache, and that both answers are one. */
async function isKept(path: string): Promise<boolean> {
  const first = await api.ask(path)
  const before = await hits()
  const second = await api.ask(path)
  expect([first.status, second.status]).toEqual([200, 200])
  expect([second.body?.data, second.body?.enrichment, second.headers.etag]).toEqual([
    first.body?.data,
    first.body?.enrichment,
    first.headers.etag,
  ])
  return (await hits()) > before
}

describe('answers about a real index', () => {
  it.each([
    `/v1/users/${ALICE}/positions`,
    `/v1/users/${ALICE}/positions/soroswap`,
    `/v1/users/${ALICE}/positions/soroswap?as_of_ledger=130`,
    `/v1/users/${ALICE}/positions/soroswap/${PAIR}/history`,
    `/v1/users/${ALICE}/activities`,
    `/v1/users/${ALICE}/activities/series?interval=1d`,
    '/v1/protocols/soroswap/tvl',
    '/v1/protocols/soroswap/emissions',
    '/v1/protocols/soroswap/reserves',
  ])('answers of %s are cached, and equal those of a server without a cache', async (path) => {
    expect(await isKept(path)).toBe(true)
    const { body } = await api.ask(path)
    const { data, enrichment, meta } = await fixture.data(path)
    const measured = { response_time_ms: 0, data_staleness_seconds: 0 }
    expect({ ...body, meta: { ...body?.meta, ...measured } }).toEqual({ data, enrichment, meta: { ...meta, ...measured } })
  })

  it.each(['/v1/protocols', '/v1/health'])('answers of %s are never cached, because they depend on more than the index', async (path) => {
    const before = await hits()
    for (let n = 0; n < 2; n++) expect((await api.ask(path)).status).toBe(200)
    expect(await hits()).toBe(before)
  })

  it('answers are computed again when the index has advanced, when an adapter fails, and when it has recovered', async () => {
    const path = `/v1/users/${ALICE}/positions/soroswap`
    const meta = async () => (await api.ask(path)).body?.meta
    expect(await meta()).toMatchObject({ last_indexed_ledger: LAST, partial_result: false })
    // The same ledger, and more is waiting in the log: the adapter is behind.
    await setCheckpoint(fixture.store, LAST, LAST + 1)
    expect(await meta()).toMatchObject({ last_indexed_ledger: LAST, partial_result: true })
    await setCheckpoint(fixture.store, LAST)
    expect(await meta()).toMatchObject({ last_indexed_ledger: LAST, partial_result: false })
    await fixture.store.writeLedgers([{ ledger: LAST + 1, closeTimeSeconds: closeTime(LAST + 1), hash: hashOf(LAST + 1) }], 2n)
    await setCheckpoint(fixture.store, LAST + 1)
    expect(await meta()).toMatchObject({ last_indexed_ledger: LAST + 1, partial_result: false })
  })
})

describe('/v1/health', () => {
  it('/v1/health reports whether the store of the cache responds', async () => {
    expect((await api.ask('/v1/health')).body?.data).toMatchObject({ cache: 'ok', database: 'ok' })
    isAway = true
    expect((await api.ask('/v1/health')).body?.data).toMatchObject({ cache: 'unavailable', database: 'ok' })
    isAway = false
  })
})
