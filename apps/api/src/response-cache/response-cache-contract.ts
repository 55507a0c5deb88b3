// What a response cache promises, checked on each of its stores.

import { randomBytes } from 'node:crypto'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestApi, TESTER, type TestApi } from '../testing/start-test-api.ts'
import { TOY_WATERMARK, toyAnswer, toyFacts, toyRoute } from '../testing/toy-routes.ts'
import { type AnswerStore, memoryStore } from './answer-store.ts'
import { openResponseCache, type ResponseCache, type ResponseCacheOptions } from './response-cache.ts'

const logger = createLogger({ name: 'test', level: 'silent', json: true })
/** A server whose one route counts its answers; `index` is what they depend on. */
async function aServer(options: Partial<ResponseCacheOptions> = {}, change: { readonly cached?: boolean } = {}) {
  const index: { state: string | null } = { state: 'one' }
  const metrics = createMetrics()
  let computed = 0
  const during: (() => void)[] = []
  const cache: ResponseCache = openResponseCache({
    store: memoryStore(),
    scope: 'test',
    stateOf: async () => index.state,
    metrics,
    logger,
    ...options,
  })
  const route = toyRoute(
    async ({ query }) => {
      computed += 1
      for (const act of during.splice(0)) act()
      return toyAnswer({ n: computed, asked: query }, { tag: [index.state ?? ''], facts: toyFacts({ oracleStalenessSeconds: 7 }) })
    },
    { query: z.strictObject({ a: z.string().optional(), b: z.string().default('x') }), ...change },
  )
  let nowMs = (TOY_WATERMARK.closeTimeSeconds + 10) * 1000
  const clock = { nowMs: () => nowMs }
  const api = await startTestApi({ routes: [route], shared: { cache }, metrics, clock })
  const ask = async (path = '/v1/toy', headers: Record<string, string> = {}) => {
    const answer = await api.ask(path, { headers })
    return { ...answer, n: (answer.body?.data as { n: number } | undefined)?.n }
  }
  const later = (seconds: number) => {
    nowMs += seconds * 1000
  }
  return { api, index, ask, later, during, metrics, computed: () => computed }
}

const opened: TestApi[] = []
/** A server that ends with the test. */
export async function standing(...given: Parameters<typeof aServer>) {
  const made = await aServer(...given)
  opened.push(made.api)
  return made
}

/** The promises of a response cache, whatever its store. */
export function responseCacheContract(store: string, open: () => Promise<AnswerStore>): void {
  afterEach(async () => {
    for (const api of opened.splice(0)) await api[Symbol.asyncDispose]()
  })

  it(`a response cache in ${store} computes an answer once, and computes its age and its facts anew each time`, async () => {
    const answers = await open()
    const { ask, later, computed } = await standing({ store: answers })
    const first = await ask()
    later(30)
    const second = await ask()
    expect([first.n, second.n, computed()]).toEqual([1, 1, 1])
    expect(first.body?.meta).toMatchObject({ data_staleness_seconds: 10, oracle_staleness_seconds: 7, last_indexed_ledger: 1000 })
    expect(second.body?.meta).toMatchObject({ data_staleness_seconds: 40, oracle_staleness_seconds: 7, last_indexed_ledger: 1000 })
    expect({ ...second.body, meta: null }).toEqual({ ...first.body, meta: null })
    expect([second.headers.etag, second.headers['cache-control']]).toEqual([first.headers.etag, first.headers['cache-control']])
    expect((await ask('/v1/toy', { 'if-none-match': first.headers.etag ?? '' })).status).toBe(304)
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  })

  it(`a response cache in ${store} keeps different questions apart, however they are written`, async () => {
    const answers = await open()
    const { ask } = await standing({ store: answers })
    expect((await ask('/v1/toy?a=1')).n).toBe(1)
    expect((await ask('/v1/toy?a=2')).n).toBe(2)
    expect((await ask('/v1/toy?b=x&a=1')).n).toBe(1)
    expect((await ask('/v1/toy')).n).toBe(3)
  })

  it(`a response cache in ${store} computes anew as soon as the index has another state, and returns the old answer for the old state only`, async () => {
    const answers = await open()
    const { ask, index } = await standing({ store: answers })
    expect((await ask()).n).toBe(1)
    index.state = 'two'
    expect((await ask()).n).toBe(2)
    index.state = 'one'
    expect((await ask()).n).toBe(1)
  })

  it(`a response cache in ${store} keeps nothing that was computed while the index moved on: it may be of either state`, async () => {
    const answers = await open()
    const { ask, index, during } = await standing({ store: answers })
    during.push(() => {
      index.state = 'two'
    })
    expect((await ask()).n).toBe(1)
    expect((await ask()).n).toBe(2)
    index.state = 'one'
    expect((await ask()).n).toBe(3)
  })

  it(`a response cache in ${store} gives no organization the answer of another`, async () => {
    const answers = await open()
    const { api, ask } = await standing({ store: answers })
    const { organization } = await api.identity.addOrganization({ slug: 'other', name: 'Other', plan: 'free' }, TESTER)
    const given = { organizationId: organization.id, name: 'k', scopes: ['data:read'], expiresAtMs: null } as const
    const { key } = await api.identity.addApiKey(given, TESTER)
    expect((await ask()).n).toBe(1)
    const theirs = await ask('/v1/toy', { 'x-service-api-key': key })
    expect([theirs.n, theirs.headers['ratelimit-limit']]).toEqual([2, '120'])
    expect((await ask()).n).toBe(1)
    expect((await ask('/v1/toy', { 'x-service-api-key': 'wrong' })).status).toBe(401)
  })

  it(`a response cache in ${store} is not read before anything is indexed, nor for a route that is not cached`, async () => {
    const answers = await open()
    const unindexed = await standing({ store: answers })
    unindexed.index.state = null
    const fresh = await standing({ store: answers }, { cached: false })
    for (const { ask } of [unindexed, fresh]) for (const n of [1, 2]) expect((await ask()).n).toBe(n)
  })

  it(`a response cache in ${store} counts its hits and its misses`, async () => {
    const answers = await open()
    const { ask, metrics } = await standing({ store: answers })
    for (let n = 0; n < 3; n++) await ask()
    const text = await metrics.registry.metrics()
    expect(text).toContain('orrery_api_cache_total{outcome="miss"} 1')
    expect(text).toContain('orrery_api_cache_total{outcome="hit"} 2')
  })

  it(`a response cache in ${store} gives a large answer back as it was written, and keeps none that stays large when it is compressed`, async () => {
    const answers = await open()
    const answer = { enrichment: '{}', facts: toyFacts(), tag: ['toy@1'] }
    // Points of a chart, with a letter of two bytes: 3 million characters.
    const point = (n: number) => ({ timestamp: new Date(n * 3_600_000).toISOString(), name: 'é', net_usd: `${n}.00000000` })
    const chart = { ...answer, data: JSON.stringify(Array.from({ length: 40_000 }, (_, n) => point(n))) }
    const incompressible = { ...answer, data: JSON.stringify(randomBytes(2_000_000).toString('base64')) }
    await answers.set('chart', chart)
    await answers.set('incompressible', incompressible)
    const kept = await answers.get('chart')
    expect({ ...kept, data: `${kept?.data}`, enrichment: `${kept?.enrichment}` }).toEqual(chart)
    expect(await answers.get('incompressible')).toBeNull()
  })
}
