// Authentication and limits of the API, opened together: counted in memory for one process, through Redis for several.

import { availableParallelism } from 'node:os'
import {
  type ApiKeyAuthenticator,
  FAILURE_WINDOW_SECONDS,
  FAILURES_OF_ADDRESS,
  type FailedLoginLog,
  type FailureLimiter,
  failureLimiter,
  type Identity,
  insuredCounter,
  type LoginLimiter,
  loginLimiter,
  memoryCounter,
  openApiKeyAuthenticator,
  openFailedLoginLog,
  openTokens,
  openUsageRecorder,
  type RateLimiter,
  type Redis,
  rateLimiter,
  redisBus,
  redisCounter,
  silentBus,
  type Throttle,
  type TokenKeys,
  type Tokens,
  throttle,
  type UsageRecorder,
  WINDOW_SECONDS,
} from '@orrery/identity'
import type { Clock, Logger, Metrics } from '@orrery/service-kit'
import { type FairQueue, fairQueue } from './fair-queue.ts'
import { type LimitConcurrency, limitConcurrency } from './limit-concurrency.ts'

export interface Access {
  readonly identity: Identity
  readonly authenticator: ApiKeyAuthenticator
  readonly tokens: Tokens
  readonly rateLimiter: RateLimiter
  /** Counts the requests of this instance only. Its numbers are reported to clients while `rateLimiter` fails. */
  readonly ownRateLimiter: RateLimiter
  /** Counts requests and their cost by organization, key and day. */
  readonly usage: UsageRecorder
  /** Limits how many answers are computed at once, in all and for each organization. */
  readonly computations: FairQueue
  /** Those of dear requests, which wait for each other before they wait with all others. */
  readonly dearComputations: FairQueue
  /** Wrong credentials by client address. */
  readonly failures: FailureLimiter
  /** Wrong passwords by account. */
  readonly logins: LoginLimiter
  /** One login a second for each address that has sent too many wrong credentials. */
  readonly suspectLogins: Throttle
  /** Writes refused logins to the audit log. */
  readonly failedLogins: FailedLoginLog
  /** Limits how many passwords are checked at once: each check takes a core for a while. */
  readonly passwords: LimitConcurrency
  /** The same for addresses that have sent too many wrong credentials, so that many of them together do not delay other logins. */
  readonly suspectPasswords: LimitConcurrency
  /** Null: keys can only be created with `orrery org`, not over HTTP. */
  readonly adminToken: string | null
  readonly webhooks: WebhookSettings
}

export interface WebhookSettings {
  /** 32 bytes that encrypt secrets. Null: no webhook can be created and no secret rotated. */
  readonly key: Uint8Array | null
  /** Webhooks may point to http, other ports and addresses that are not public. */
  readonly allowPrivate: boolean
}

export interface AccessOptions {
  readonly identity: Identity
  readonly tokenKeys: TokenKeys
  readonly adminToken: string | null
  readonly webhooks: WebhookSettings
  /** Null: this process is the only instance. */
  readonly redis: Redis | null
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

/** Of one organization. */
const COMPUTATIONS_AT_ONCE = 4
/**
 * Twice the connections of the read model: some computations wait for an RPC, or write their answer, while others use the connections. More would
 * wait for a connection in the order of arrival, where one organization could delay all others.
 */
const COMPUTATIONS_AT_ONCE_IN_ALL = 32
const COMPUTATIONS_WAITING = 100
/**
 * Dear ones of all organizations. Each takes memory of the engine: 16 summaries of 200 pools in 5,000 buckets together need more than it has. One organization has
 * all but one of these places at most: its long CSV, or a dear request that waits behind cheap ones of its own, keeps no other organization from its turn.
 */
const DEAR_AT_ONCE = Math.min(4, Math.max(3, availableParallelism()))
/** Libuv has four threads, which file access and name resolution also need. */
const PASSWORDS_AT_ONCE = 2
const SUSPECT_PASSWORDS_AT_ONCE = 1
/** At 30 ms a password, two at once: about three seconds, well within the deadline of a request. */
const PASSWORDS_WAITING = 200
/** One address may use a tenth of these places, so that it cannot fill the queue alone. */
const PASSWORDS_WAITING_OF_ADDRESS = 20
/** At 30 ms a password: half a second. */
const SUSPECT_PASSWORDS_WAITING = 16
const SUSPECT_WINDOW_SECONDS = 1

/** `identity` and `redis` stay open after disposal: the code that opened them closes them. */
export function openAccess({
  identity,
  tokenKeys,
  adminToken,
  webhooks,
  redis,
  clock,
  logger,
  metrics,
}: AccessOptions): Access & AsyncDisposable {
  const now = () => clock.nowMs()
  const bus = redis === null ? silentBus() : redisBus(redis)
  const authenticator = openApiKeyAuthenticator({
    identity,
    bus,
    now,
    onPublishError: (err) => {
      metrics.apiBusFailures.inc()
      logger.warn({ err }, 'Could not notify other instances of a change: they see it within five seconds')
    },
    onUnwritten: (err) => logger.warn({ err }, 'Could not store the last use of keys: their next use is stored'),
  })
  const counter = (of: string, windowSeconds: number) =>
    redis === null ? memoryCounter({ windowSeconds }, now) : redisCounter(redis, { of, windowSeconds })
  // While Redis is unreachable each instance counts wrong credentials itself, so that guessing stays limited. Requests are not limited then: see `countRequest`.
  const insured = (of: string, windowSeconds: number) => insuredCounter(counter(of, windowSeconds), memoryCounter({ windowSeconds }, now))
  const failedLogins = openFailedLoginLog(identity, {
    onLost: (count, err) => logger.warn({ err, count }, 'Refused logins are missing from the audit log'),
  })
  const usage = openUsageRecorder({
    identity,
    now,
    onUnwritten: (err) => logger.warn({ err }, 'Could not store the usage of organizations: it is stored with the next batch'),
  })
  return {
    identity,
    authenticator,
    tokens: openTokens(tokenKeys, now),
    rateLimiter: rateLimiter(counter('requests', WINDOW_SECONDS), now),
    ownRateLimiter: rateLimiter(memoryCounter({ windowSeconds: WINDOW_SECONDS }, now), now),
    usage,
    computations: fairQueue({
      atOnce: COMPUTATIONS_AT_ONCE_IN_ALL,
      atOnceOfOne: COMPUTATIONS_AT_ONCE,
      atFullSpeed: availableParallelism(),
      mostWaiting: COMPUTATIONS_WAITING,
    }),
    dearComputations: fairQueue({ atOnce: DEAR_AT_ONCE, atOnceOfOne: DEAR_AT_ONCE - 1, mostWaiting: COMPUTATIONS_WAITING }),
    failures: failureLimiter(insured('failures', FAILURE_WINDOW_SECONDS), FAILURES_OF_ADDRESS),
    logins: loginLimiter(insured),
    suspectLogins: throttle(insured('suspect_logins', SUSPECT_WINDOW_SECONDS)),
    failedLogins,
    passwords: limitConcurrency(PASSWORDS_AT_ONCE, PASSWORDS_WAITING, PASSWORDS_WAITING_OF_ADDRESS),
    suspectPasswords: limitConcurrency(SUSPECT_PASSWORDS_AT_ONCE, SUSPECT_PASSWORDS_WAITING),
    adminToken,
    webhooks,
    async [Symbol.asyncDispose]() {
      await bus[Symbol.asyncDispose]()
      await failedLogins[Symbol.asyncDispose]()
      await usage[Symbol.asyncDispose]()
      await authenticator[Symbol.asyncDispose]()
    },
  }
}
