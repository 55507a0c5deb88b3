// Calls to a node that all organizations share: so many a second in all, and each organization that asks has an equal part of what comes in.
// One that asks without an end uses what the others leave, and leaves at once what another one asks for.

import type { Clock } from '@orrery/service-kit'
import { TokenBucket } from './token-bucket.ts'

export interface FairBudgetOptions {
  /** Of all together, full at first. What one organization may save up as well. */
  readonly capacity: number
  readonly perSecond: number
  readonly clock: Clock
}

/** For so long after its last question an organization has its part. */
const ASKING_MS = 10_000

interface Share {
  tokens: number
  filledAtMs: number
  askedAtMs: number
}

export class FairBudget {
  readonly #options: FairBudgetOptions
  readonly #all: TokenBucket
  /** Of organizations that ask, the one that asked least recently first. */
  readonly #shares = new Map<string, Share>()

  constructor(options: FairBudgetOptions) {
    this.#options = options
    this.#all = new TokenBucket(options)
  }

  /** Whether the organization could take so many now. */
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

  /** Filled up to now by its part of what came in. */
  #shareOf(organizationId: string): Share {
    const { capacity, perSecond, clock } = this.#options
    const nowMs = clock.nowMs()
    for (const [id, { askedAtMs }] of this.#shares) {
      if (nowMs - askedAtMs < ASKING_MS) break
      this.#shares.delete(id)
    }
    const known = this.#shares.get(organizationId)
    const asking = this.#shares.size + (known === undefined ? 1 : 0)
    // A newcomer begins with its part of a full supply: to fall silent for a while and come back gains nothing.
    const share = known ?? { tokens: Math.max(1, capacity / asking), filledAtMs: nowMs, askedAtMs: nowMs }
    const passedMs = Math.max(0, nowMs - share.filledAtMs)
    share.tokens = Math.min(capacity, share.tokens + (passedMs * perSecond) / asking / 1000)
    share.filledAtMs = nowMs
    share.askedAtMs = nowMs
    this.#shares.delete(organizationId)
    this.#shares.set(organizationId, share)
    return share
  }
}
