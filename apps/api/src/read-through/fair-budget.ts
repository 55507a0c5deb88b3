// A budget of RPC calls per second that all organizations share: each organization that makes calls gets an equal part of it.
// An organization that makes many calls may use the parts that the others do not need, until they need them.

import type { Clock } from '@orrery/service-kit'
import { TokenBucket } from './token-bucket.ts'

export interface FairBudgetOptions {
  /** Capacity of the shared bucket, which is full at first, and of the part of one organization. */
  readonly capacity: number
  readonly perSecond: number
  readonly clock: Clock
}

/** How long after its last call an organization keeps its part. */
const ACTIVE_MS = 10_000

interface Share {
  tokens: number
  filledAtMs: number
  usedAtMs: number
}

export class FairBudget {
  readonly #options: FairBudgetOptions
  readonly #all: TokenBucket
  /** Parts of active organizations, the least recently used first. */
  readonly #shares = new Map<string, Share>()

  constructor(options: FairBudgetOptions) {
    this.#options = options
    this.#all = new TokenBucket(options)
  }

  /** Whether the organization could take that many tokens now. */
  has(organizationId: string, tokens: number): boolean {
    return this.#shareOf(organizationId).tokens >= tokens && this.#all.has(tokens)
  }

  /** Takes all of them, or none and returns false. */
  take(organizationId: string, tokens: number): boolean {
    const share = this.#shareOf(organizationId)
    if (share.tokens < tokens || !this.#all.take(tokens)) return false
    share.tokens -= tokens
    return true
  }

  /** The organization's part, with the tokens that it has received up to now. */
  #shareOf(organizationId: string): Share {
    const { capacity, perSecond, clock } = this.#options
    const nowMs = clock.nowMs()
    for (const [id, { usedAtMs }] of this.#shares) {
      if (nowMs - usedAtMs < ACTIVE_MS) break
      this.#shares.delete(id)
    }
    const known = this.#shares.get(organizationId)
    const active = this.#shares.size + (known === undefined ? 1 : 0)
    // A new organization begins with its part of a full bucket, so it gains nothing by pausing.
    const share = known ?? { tokens: Math.max(1, capacity / active), filledAtMs: nowMs, usedAtMs: nowMs }
    const passedMs = Math.max(0, nowMs - share.filledAtMs)
    share.tokens = Math.min(capacity, share.tokens + (passedMs * perSecond) / active / 1000)
    share.filledAtMs = nowMs
    share.usedAtMs = nowMs
    this.#shares.delete(organizationId)
    this.#shares.set(organizationId, share)
    return share
  }
}
