// A code that is exchanged once for an API key: made when the demo starts on a terminal, which shows it in the address of the explorer.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@orrery/service-kit'

const BYTES = 16
export const CODE_MINUTES = 10
/** A code that is guessed at is void: the user still has the key. */
const MOST_WRONG = 10

export class OneTimeCode {
  /** 22 characters of base64url: 128 random bits. */
  readonly text = randomBytes(BYTES).toString('base64url')
  readonly #digest = digestOf(this.text)
  readonly #clock: Clock
  readonly #endsAtMs: number
  #wrong = 0
  #isUsed = false

  /** Valid for ten minutes from now. */
  constructor(clock: Clock) {
    this.#clock = clock
    this.#endsAtMs = clock.nowMs() + CODE_MINUTES * 60_000
  }

  /** True once, for the right code in its time. */
  redeem(text: string): boolean {
    if (this.#isUsed || this.#wrong >= MOST_WRONG || this.#clock.nowMs() >= this.#endsAtMs) return false
    // Of digests, which have the same length whatever was sent.
    if (!timingSafeEqual(digestOf(text), this.#digest)) {
      this.#wrong++
      return false
    }
    this.#isUsed = true
    return true
  }

  /** It was redeemed, and bought nothing. */
  giveBack(): void {
    this.#isUsed = false
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
