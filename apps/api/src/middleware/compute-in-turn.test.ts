import { availableParallelism } from 'node:os'
import { createMetrics, turnOfEventLoop } from '@orrery/service-kit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fairQueue } from '../fair-queue.ts'
import { startTestApi, TESTER, type TestApi } from '../testing/start-test-api.ts'
import { toyAnswer, toyRoute } from '../testing/toy-routes.ts'
import { computeInTurn } from './compute-in-turn.ts'

afterEach(() => void vi.useRealTimers())

/** A route whose answers the test releases one by one. `began` resolves when the n-th computation has begun. */
function heldRoute(options: Parameters<typeof toyRoute>[1] = {}) {
  const computations = Array.from({ length: 20 }, () => ({ begin: Promise.withResolvers<void>(), end: Promise.withResolvers<void>() }))
  let count = 0
  const route = toyRoute(async (_, { organizationId }) => {
    const own = computations[count++]
    own?.begin.resolve()
    await own?.end.promise
    return toyAnswer(organizationId)
  }, options)
  return {
    route,
    count: () => count,
    began: (n: number) => computations[n]?.begin.promise,
    end: (n: number) => computations[n]?.end.resolve(),
    endAll: () => computations.forEach(({ end }) => void end.resolve()),
  }
}

const otherKey = async ({ identity }: TestApi): Promise<string> => {
  const { organization } = await identity.addOrganization({ slug: 'other', name: 'Other', plan: 'free' }, TESTER)
  const given = { organizationId: organization.id, name: 'k', scopes: ['data:read'], expiresAtMs: null } as const
  return (await identity.addApiKey(given, TESTER)).key
}

describe('computations of an organization', () => {
  it('four run at once; the fifth waits, and another organization does not', async () => {
    const held = heldRoute()
    await using api = await startTestApi({ routes: [held.route] })
    const key = await otherKey(api)
    const own = Array.from({ length: 5 }, () => api.ask('/v1/toy'))
    await held.began(3)
    const other = api.ask('/v1/toy', { headers: { 'x-service-api-key': key } })
    await held.began(4)
    held.end(4)
    expect((await other).body?.data).not.toBe('')
    expect(held.count()).toBe(5) // four of the first organization and that of the other
    const waiting = async () => (await api.metrics.apiWaiting.get()).values[0]?.value
    expect(await waiting()).toBe(1)
    // Two organizations share the cores, of which a machine may have two: the part of each is one computation.
    for (const n of [0, 1, 2, 3]) held.end(n)
    await held.began(5)
    held.endAll()
    expect((await Promise.all(own)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await waiting()).toBe(0)
  })

  it('a dear one gives its turns of the event loop to a cheap one that runs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const ended: string[] = []
    const queue = fairQueue({ atOnce: 4, atOnceOfOne: 4, mostWaiting: 0 })
    const gate = { access: { computations: queue, dearComputations: queue }, metrics: createMetrics({ of: 'api' }) }
    const context = { organizationId: 'one', signal: new AbortController().signal }
    const held = Promise.withResolvers<void>()
    const of = (name: string, work: () => Promise<void>) => async () => {
      await work()
      ended.push(name)
    }
    const cheap = computeInTurn(
      of('cheap', () => held.promise),
      context,
      gate,
      false,
    )
    const dear = computeInTurn(of('dear', turnOfEventLoop), context, gate, true)
    const other = computeInTurn(of('another cheap one', turnOfEventLoop), context, gate, false)
    await other
    held.resolve()
    await cheap
    // Work that an earlier test began may still be before it.
    vi.runAllTimers()
    await dear
    expect(ended).toEqual(['another cheap one', 'cheap', 'dear'])
  })

  it('dear ones of all organizations wait for each other, and hold no place of a cheap one', async () => {
    const dear = heldRoute({ load: async () => ({ buckets: 5_000 }) })
    const cheap = toyRoute(async () => toyAnswer('cheap'), { path: '/v1/cheap' })
    const dearComputations = fairQueue({ atOnce: 2, atOnceOfOne: 4, mostWaiting: 10 })
    await using api = await startTestApi({ routes: [dear.route, cheap], access: { dearComputations } })
    const key = await otherKey(api)
    const own = Array.from({ length: 6 }, () => api.ask('/v1/toy'))
    await dear.began(1)
    const other = api.ask('/v1/toy', { headers: { 'x-service-api-key': key } })
    expect((await api.ask('/v1/cheap')).body?.data).toBe('cheap')
    expect(dear.count()).toBe(2)
    dear.end(0)
    await dear.began(2)
    dear.endAll()
    expect((await Promise.all([...own, other])).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200])
  })

  it('one organization never has all places of dear ones: that of another one begins while those of the first go on', async () => {
    const dear = heldRoute({ load: async () => ({ buckets: 5_000 }) })
    await using api = await startTestApi({ routes: [dear.route] })
    const key = await otherKey(api)
    const own = Array.from({ length: 8 }, () => api.ask('/v1/toy'))
    // Of three or four places, by the cores of the machine, one organization has all but one.
    const places = availableParallelism() > 3 ? 4 : 3
    await dear.began(places - 2)
    const other = api.ask('/v1/toy', { headers: { 'x-service-api-key': key } })
    await dear.began(places - 1)
    dear.end(places - 1)
    expect((await other).status).toBe(200)
    expect(dear.count()).toBe(places)
    dear.endAll()
    expect((await Promise.all(own)).map(({ status }) => status)).toEqual(own.map(() => 200))
  })

  it('a request that waits until its deadline gets 504, costs 1 and is never computed', async () => {
    let computed = 0
    const route = toyRoute(
      async () => {
        computed += 1
        return toyAnswer(null)
      },
      { load: async () => ({ buckets: 500 }) },
    )
    const computations = fairQueue({ atOnce: 0, atOnceOfOne: 1, mostWaiting: 1 })
    await using api = await startTestApi({ routes: [route], deadlineMs: 20, access: { computations } })
    const { status, headers, body } = await api.ask('/v1/toy')
    expect([status, body?.error?.code, headers['ratelimit-cost'], headers['ratelimit-remaining']]).toEqual([504, 'timeout', '1', '11999'])
    expect(computed).toBe(0)
    expect((await api.metrics.apiWaiting.get()).values[0]?.value).toBe(0)
  })

  it('a request that finds the queue full gets 429 and costs 1', async () => {
    const route = toyRoute(async () => toyAnswer(null), { load: async () => ({ buckets: 500 }) })
    const computations = fairQueue({ atOnce: 0, atOnceOfOne: 1, mostWaiting: 0 })
    await using api = await startTestApi({ routes: [route], access: { computations } })
    const { status, headers, body } = await api.ask('/v1/toy')
    expect([status, headers['retry-after'], headers['ratelimit-cost'], headers['ratelimit-remaining']]).toEqual([429, '2', '1', '11999'])
    expect(body?.error).toEqual({
      code: 'rate_limited',
      docs: '/docs/errors/rate_limited',
      message:
        'Too many requests are waiting to be computed. Send fewer at the same time, or try again after the number of seconds in `Retry-After`.',
    })
  })

  it('a route without a credential does not wait', async () => {
    const route = toyRoute(async () => toyAnswer('open'), { credential: 'none' })
    const computations = fairQueue({ atOnce: 0, atOnceOfOne: 0, mostWaiting: 0 })
    await using api = await startTestApi({ routes: [route], access: { computations } })
    const { status, headers } = await api.ask('/v1/toy', { headers: { 'x-service-api-key': '' } })
    expect([status, headers['ratelimit-cost']]).toEqual([200, undefined])
  })
})
