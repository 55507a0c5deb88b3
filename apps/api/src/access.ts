// Everything that decides who may ask and how often, opened together: in memory for one process, through Redis for several.

import {
  type Doorkeeper,
  FAILURE_WINDOW_SECONDS,
  FAILURES_OF_ACCOUNT,
  FAILURES_OF_ADDRESS,
  type FailureLimiter,
  failureLimiter,
  type Identity,
  insuredCounter,
  memoryCounter,
  openDoorkeeper,
  openTokens,
  type RateLimiter,
  type Redis,
  rateLimiter,
  redisBus,
  redisCounter,
  silentBus,
  type TokenKeys,
  type Tokens,
  WINDOW_SECONDS,
} from '@orrery/identity'
import type { Clock, Logger, Metrics } from '@orrery/service-kit'
import { type InTurn, inTurn } from './in-turn.ts'

export interface Access {
  readonly identity: Identity
  readonly doorkeeper: Doorkeeper
  readonly tokens: Tokens
  readonly rateLimiter: RateLimiter
  /** Of what this instance alone has seen: what callers are told while `rateLimiter` fails. */
  readonly ownRateLimiter: RateLimiter
  /** Wrong credentials by the address that they came from. */
  readonly failures: FailureLimiter
  /** Wrong passwords by the account that they were for. */
  readonly logins: FailureLimiter
  /** Passwords are checked in turn: each takes a core for a while. */
  readonly passwords: InTurn
  /** The turn of addresses that have sent too many wrong credentials: a flood from one holds nobody else up. */
  readonly doubtedPasswords: InTurn
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

/** `identity` and `redis` stay open after disposal: who opened them closes them. */
export function openAccess({ identity, tokenKeys, adminToken, redis, clock, logger, metrics }: AccessOptions): Access & AsyncDisposable {
  const now = () => clock.nowMs()
  const bus = redis === null ? silentBus() : redisBus(redis)
  const doorkeeper = openDoorkeeper({
    identity,
    bus,
    now,
    onSilence: (err) => {
      metrics.apiBusFailures.inc()
      logger.warn({ err }, 'Could not tell other instances of a change: they see it within five seconds')
    },
    onUnwritten: (err) => logger.warn({ err }, 'Could not write when keys were last used: their next use is written'),
  })
  const counter = (of: string, windowSeconds: number) =>
    redis === null ? memoryCounter({ of, windowSeconds }) : redisCounter(redis, { of, windowSeconds })
  // Guessing is not let through because Redis is away: each instance counts for itself then. Requests are: see `countRequest`.
  const insured = (of: string) => {
    const windowSeconds = FAILURE_WINDOW_SECONDS
    return insuredCounter(counter(of, windowSeconds), memoryCounter({ of, windowSeconds }))
  }
  return {
    identity,
    doorkeeper,
    tokens: openTokens(tokenKeys, now),
    rateLimiter: rateLimiter(counter('requests', WINDOW_SECONDS)),
    ownRateLimiter: rateLimiter(memoryCounter({ of: 'requests', windowSeconds: WINDOW_SECONDS })),
    failures: failureLimiter(insured('failures'), FAILURES_OF_ADDRESS),
    logins: failureLimiter(insured('logins'), FAILURES_OF_ACCOUNT),
    passwords: inTurn(PASSWORDS_AT_ONCE),
    doubtedPasswords: inTurn(DOUBTED_PASSWORDS_AT_ONCE),
    adminToken,
    async [Symbol.asyncDispose]() {
      await bus[Symbol.asyncDispose]()
      await doorkeeper[Symbol.asyncDispose]()
    },
  }
}
