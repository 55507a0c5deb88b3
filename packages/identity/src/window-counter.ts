// Counts within windows of time: how often a name was counted, and when its window ends. A window begins with the first count of a name.
// In memory for one process; in Redis for several that count together.

import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'

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
  /** Begins the window of `name` again, with `count` counted in it. */
  restart(name: string, count: number): Promise<void>
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
const NOTHING: Counted = { count: 0, leftMs: 0 }

interface Window {
  readonly count: number
  readonly endsAtMs: number
}

/** Counts in this process. `now`: unix milliseconds. */
export function memoryCounter({ windowSeconds }: Pick<CounterOptions, 'windowSeconds'>, now: () => number = Date.now): WindowCounter {
  // Not `max`, for which the cache makes its arrays at once: a process has several counters, and most have few names.
  const windows = new LRUCache<string, Window>({ maxSize: NAMES, sizeCalculation: () => 1 })
  /** An ended window is a new one without counts. */
  const windowOf = (name: string, nowMs: number): Window => {
    const window = windows.peek(name) // does not move the name: only counting does
    return window !== undefined && window.endsAtMs > nowMs ? window : { count: 0, endsAtMs: nowMs + windowSeconds * 1000 }
  }
  return {
    async add(name, points = 1) {
      const nowMs = now()
      const { count, endsAtMs } = windowOf(name, nowMs)
      windows.set(name, { count: count + points, endsAtMs })
      return { count: count + points, leftMs: endsAtMs - nowMs }
    },
    async subtract(name, points) {
      const nowMs = now()
      const window = windowOf(name, nowMs)
      const count = Math.max(0, window.count - points)
      windows.set(name, { count, endsAtMs: window.endsAtMs })
      return { count, leftMs: window.endsAtMs - nowMs }
    },
    async read(name) {
      const nowMs = now()
      const { count, endsAtMs } = windowOf(name, nowMs)
      return count === 0 ? NOTHING : { count, leftMs: endsAtMs - nowMs }
    },
    async restart(name, count) {
      windows.set(name, { count, endsAtMs: now() + windowSeconds * 1000 })
    },
    forget: async (name) => void windows.delete(name),
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
  return {
    add: async (name, points) => countedOf(await limiter.consume(name, points)),
    subtract: async (name, points) => countedOf(await limiter.reward(name, points)),
    read: async (name) => countedOf(await limiter.get(name)),
    restart: async (name, count) => void (await limiter.set(name, count, windowSeconds)),
    forget: async (name) => void (await limiter.delete(name)),
  }
}

/**
 * Where `shared` fails, `own` counts: a limit per instance is better than none. The higher count is read: a Redis without memory refuses to
 * count and still answers, and what was counted while it was down remains counted when it is back.
 */
export function insuredCounter(shared: WindowCounter, own: WindowCounter): WindowCounter {
  return {
    add: (name, points) => shared.add(name, points).catch(() => own.add(name, points)),
    subtract: (name, points) => shared.subtract(name, points).catch(() => own.subtract(name, points)),
    async read(name) {
      const [ofAll, ofThis] = [await shared.read(name).catch(() => NOTHING), await own.read(name)]
      return ofThis.count > ofAll.count ? ofThis : ofAll
    },
    restart: (name, count) => shared.restart(name, count).catch(() => own.restart(name, count)),
    forget: async (name) => void (await Promise.allSettled([shared.forget(name), own.forget(name)])),
  }
}

function countedOf(result: RateLimiterRes | null): Counted {
  return result === null || result.msBeforeNext <= 0 ? NOTHING : { count: Math.max(0, result.consumedPoints), leftMs: result.msBeforeNext }
}
