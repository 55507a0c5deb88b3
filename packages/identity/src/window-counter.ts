// Counts within windows of time: how often a name was counted, and when its window ends. A window begins with the first count of a name.
// In memory for one process; in Redis for several that count together.

import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'

export interface Counted {
  readonly count: number
  /** Milliseconds to the end of the window. */
  readonly leftMs: number
}

export interface WindowCounter {
  /** Counts one more, or `points` more. */
  add(name: string, points?: number): Promise<Counted>
  /** Counts `points` less. The caller makes sure that the window they were counted in has not ended. */
  subtract(name: string, points: number): Promise<Counted>
  /** What has been counted so far. */
  read(name: string): Promise<Counted>
  /** Resets the count. */
  forget(name: string): Promise<void>
}

export interface CounterOptions {
  /** What is counted: `requests`. Part of the keys in Redis. */
  readonly of: string
  readonly windowSeconds: number
}

/** Bounds memory under a scan from many addresses: the least recently counted names are dropped first. */
const NAMES = 50_000
/** The caller applies the limit: it differs by organization, and a change of plan must not begin a new count. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

export function memoryCounter({ of, windowSeconds }: CounterOptions): WindowCounter {
  const limiter = new RateLimiterMemory({ keyPrefix: of, points: NO_LIMIT, duration: windowSeconds })
  const known = new LRUCache<string, true>({ max: NAMES, dispose: (_, name) => void limiter.delete(name) })
  const counter = counterOf(limiter)
  return {
    ...counter,
    add(name, points) {
      known.set(name, true)
      return counter.add(name, points)
    },
  }
}

/** Rejects when Redis is not reachable. */
export function redisCounter(redis: Redis, { of, windowSeconds }: CounterOptions): WindowCounter {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `orrery:${of}`,
    points: NO_LIMIT,
    duration: windowSeconds,
    rejectIfRedisNotReady: true,
  })
  return counterOf(limiter)
}

/** While `shared` is not reachable `own` counts: a limit per instance is better than none. */
export function insuredCounter(shared: WindowCounter, own: WindowCounter): WindowCounter {
  return {
    add: (name, points) => shared.add(name, points).catch(() => own.add(name, points)),
    subtract: (name, points) => shared.subtract(name, points).catch(() => own.subtract(name, points)),
    read: (name) => shared.read(name).catch(() => own.read(name)),
    forget: async (name) => void (await Promise.allSettled([shared.forget(name), own.forget(name)])),
  }
}

function counterOf(limiter: RateLimiterMemory | RateLimiterRedis): WindowCounter {
  return {
    add: async (name, points) => countedOf(await limiter.consume(name, points)),
    subtract: async (name, points) => countedOf(await limiter.reward(name, points)),
    read: async (name) => countedOf(await limiter.get(name)),
    forget: async (name) => void (await limiter.delete(name)),
  }
}

function countedOf(result: RateLimiterRes | null): Counted {
  return result === null || result.msBeforeNext <= 0
    ? { count: 0, leftMs: 0 }
    : { count: Math.max(0, result.consumedPoints), leftMs: result.msBeforeNext }
}
