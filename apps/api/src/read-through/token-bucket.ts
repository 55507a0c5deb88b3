// A token bucket: it is filled at a constant rate, up to its capacity. rate-limiter-flexible, which limits requests elsewhere, has fixed
// windows only, and cannot check for several tokens without taking them.

import type { Clock } from '@orrery/service-kit'

export interface TokenBucketOptions {
  /** The bucket is full at first. */
  readonly capacity: number
  readonly perSecond: number
  readonly clock: Clock
}

export class TokenBucket {
  readonly #options: TokenBucketOptions
  #tokens: number
  #filledAtMs: number

  constructor(options: TokenBucketOptions) {
    this.#options = options
    this.#tokens = options.capacity
    this.#filledAtMs = options.clock.nowMs()
  }

  /** Whether the bucket has that many tokens. */
  has(tokens: number): boolean {
    this.#fill()
    return this.#tokens >= tokens
  }

  /** Takes all of them, or none and returns false. */
  take(tokens: number): boolean {
    if (!this.has(tokens)) return false
    this.#tokens -= tokens
    return true
  }

  #fill(): void {
    const { capacity, perSecond, clock } = this.#options
    const nowMs = clock.nowMs()
    // If the clock is set back, the bucket is neither filled nor emptied.
    const passedMs = Math.max(0, nowMs - this.#filledAtMs)
    this.#tokens = Math.min(capacity, this.#tokens + (passedMs * perSecond) / 1000)
    this.#filledAtMs = nowMs
  }
}
