// A connection to Redis for what instances share: limits, the bus, answers. Callers do not wait for it: an unreachable or slow
// Redis is an error within 200 ms, and the caller continues without it.

import { OrreryError } from '@orrery/errors'
import type { Redis } from 'ioredis'

const RETRY_AT_MOST_EVERY_MS = 1_000

export interface RedisOptions {
  /** A later answer counts as none. Default 200 ms: the API's answers must not wait for it. */
  readonly answerWithinMs?: number
  /** How long a start, and each later attempt, waits for a connection. Default 2 seconds. */
  readonly connectWithinMs?: number
}

/**
 * Resolves once it is connected, or after `connectWithinMs` without: the connection is then retried for ever in the background.
 * `onProblem` is called once for each time that it is lost. Errors: `invalid`/`unknown_redis_url`.
 */
export async function openRedis(url: string, onProblem: (reason: string) => void, options: RedisOptions = {}): Promise<Redis> {
  const { answerWithinMs = 200, connectWithinMs = 2_000 } = options
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) {
    const message = `\`${url.split(':')[0]}:\` is no address of a Redis. Use \`redis://host:port\`, or \`rediss://\` with TLS.`
    throw new OrreryError('invalid', 'unknown_redis_url', message)
  }
  // Only a process with Redis needs its client.
  const client = await import('ioredis')
  const redis = new client.Redis(url, {
    commandTimeout: answerWithinMs,
    connectTimeout: connectWithinMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false, // the bus does, and knows then that it may have missed something
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 50, RETRY_AT_MOST_EVERY_MS),
  })
  let isLost = false
  let reason = 'the connection was closed'
  redis.on('error', (cause: Error) => {
    reason = cause.message
  })
  redis.on('reconnecting', () => {
    if (!isLost) onProblem(reason)
    isLost = true
  })
  redis.on('ready', () => {
    isLost = false
  })
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, connectWithinMs) // calls then reject with `away`
    redis.once('ready', () => {
      clearTimeout(late)
      resolve()
    })
  })
  return redis
}
