// Everything that decides who may ask and how often, opened together: in memory for one process, through Redis for several.

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
  WINDOW_SECONDS,
} from '@orrery/identity'
import type { Clock, Logger, Metrics } from '@orrery/service-kit'
import { type LimitConcurrency, limitConcurrency } from './limit-concurrency.ts'

export interface Access {
  readonly identity: Identity
  readonly authenticator: ApiKeyAuthenticator
  readonly tokens: Tokens
  readonly rateLimiter: RateLimiter
  /** Of what this instance alone has seen: what callers are told while `rateLimiter` fails. */
  readonly ownRateLimiter: RateLimiter
  /** Wrong credentials by the address that they came from. */
  readonly failures: FailureLimiter
  /** Wrong passwords by the account that they were for. */
  readonly logins: LoginLimiter
  /** One login a second for each address that has sent too many wrong credentials. */
  readonly doubtedLogins: Throttle
  /** Refused logins on their way into the audit log. */
  readonly failedLogins: FailedLoginLog
  /** Passwords are checked in turn: each takes a core for a while. */
  readonly passwords: LimitConcurrency
  /** The turn of addresses that have sent too many wrong credentials: many of them together do not hold up the others. */
  readonly doubtedPasswords: LimitConcurrency
  /** Null: no key is made over HTTP, only by `orrery org`. */
  readonly adminToken: string | null
}

export interface AccessOptions {
  readonly identity: Identity
  readonly tokenKeys: TokenKeys
  readonly adminToken: string | null
  /** Null: this process is alone. */
  readonly redis: Redis | null
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

/** Libuv has four threads, which files and names need too. */
const PASSWORDS_AT_ONCE = 2
const DOUBTED_PASSWORDS_AT_ONCE = 1
/** At 30 ms a password, two at once: some three seconds, well within the deadline of a request. */
const PASSWORDS_WAITING = 200
/** Of these places, one address gets a tenth: it cannot fill the line alone. */
const PASSWORDS_WAITING_OF_ADDRESS = 20
/** At 30 ms a password: half a second. */
const DOUBTED_PASSWORDS_WAITING = 16
const DOUBTED_WINDOW_SECONDS = 1

/** `identity` and `redis` stay open after disposal: who opened them closes them. */
export function openAccess({ identity, tokenKeys, adminToken, redis, clock, logger, metrics }: AccessOptions): Access & AsyncDisposable {
  const now = () => clock.nowMs()
  const bus = redis === null ? silentBus() : redisBus(redis)
  const authenticator = openApiKeyAuthenticator({
    identity,
    bus,
    now,
    onPublishError: (err) => {
      metrics.apiBusFailures.inc()
      logger.warn({ err }, 'Could not tell other instances of a change: they see it within five seconds')
    },
    onUnwritten: (err) => logger.warn({ err }, 'Could not write when keys were last used: their next use is written'),
  })
  const counter = (of: string, windowSeconds: number) =>
    redis === null ? memoryCounter({ of, windowSeconds }) : redisCounter(redis, { of, windowSeconds })
  // Guessing is not let through because Redis is away: each instance counts for itself then. Requests are: see `countRequest`.
  const insured = (of: string, windowSeconds: number) => insuredCounter(counter(of, windowSeconds), memoryCounter({ of, windowSeconds }))
  const failedLogins = openFailedLoginLog(identity, {
    onLost: (count, err) => logger.warn({ err, count }, 'Refused logins are missing from the audit log'),
  })
  return {
    identity,
    authenticator,
    tokens: openTokens(tokenKeys, now),
    rateLimiter: rateLimiter(counter('requests', WINDOW_SECONDS)),
    ownRateLimiter: rateLimiter(memoryCounter({ of: 'requests', windowSeconds: WINDOW_SECONDS })),
    failures: failureLimiter(insured('failures', FAILURE_WINDOW_SECONDS), FAILURES_OF_ADDRESS),
    logins: loginLimiter(insured),
    doubtedLogins: throttle(insured('suspect_logins', DOUBTED_WINDOW_SECONDS)),
    failedLogins,
    passwords: limitConcurrency(PASSWORDS_AT_ONCE, PASSWORDS_WAITING, PASSWORDS_WAITING_OF_ADDRESS),
    doubtedPasswords: limitConcurrency(DOUBTED_PASSWORDS_AT_ONCE, DOUBTED_PASSWORDS_WAITING),
    adminToken,
    async [Symbol.asyncDispose]() {
      await bus[Symbol.asyncDispose]()
      await failedLogins[Symbol.asyncDispose]()
      await authenticator[Symbol.asyncDispose]()
    },
  }
}
