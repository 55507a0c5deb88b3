// The newest ledger of a source that goes on: asked for every few seconds, and told to everybody, so that all know how far behind they are.

import type { ControlRecord } from '@orrery/event-log'
import type { Clock, Logger } from '@orrery/service-kit'
import type { LedgerFacts } from './ledger-facts.ts'
import type { LedgerSource, SourceRange } from './ledger-source.ts'

/** Near the tip every ledger is told at once: about a minute of the network. */
const NEAR_LEDGERS = 10
/** Also what has not changed is told again so often: whoever hears nothing for longer knows that ingest, or its source, is away. */
const TELL_EVERY_MS = 15_000

export interface SourceTipParts {
  readonly source: LedgerSource
  readonly clock: Clock
  readonly logger: Logger
  /** As it was when ingest started. */
  readonly range: SourceRange
}

export class SourceTip {
  readonly #parts: SourceTipParts
  #last: number | null
  #closeTimeSeconds: number
  #heardAtMs: number
  #toldAtMs = Number.NEGATIVE_INFINITY
  #isAsking = false

  constructor(parts: SourceTipParts) {
    this.#parts = parts
    const { last, lastCloseTimeSeconds } = parts.range
    this.#last = last
    this.#closeTimeSeconds = lastCloseTimeSeconds ?? 0
    this.#heardAtMs = parts.clock.nowMs()
  }

  /** Newest ledger of the source, or null when it cannot say. */
  get last(): number | null {
    return this.#last
  }

  /** Nothing may wait to be coalesced any more: it is the newest ledger, or, of a source that goes on, one of the newest. */
  isNear(ledger: number): boolean {
    return this.#last === null || ledger > this.#last - (this.#parts.source.ends ? 1 : NEAR_LEDGERS)
  }

  /** A ledger that was read is as good as an answer. */
  read({ ledger, closeTimeSeconds }: LedgerFacts): void {
    if (this.#last === null || ledger <= this.#last) return
    this.#last = ledger
    this.#closeTimeSeconds = closeTimeSeconds
    this.#heardAtMs = this.#parts.clock.nowMs()
  }

  /** Asks the source. Returns whether it answered; does nothing while an earlier question is open. */
  async ask(): Promise<boolean> {
    if (this.#isAsking) return false
    this.#isAsking = true
    try {
      const { last, lastCloseTimeSeconds } = await this.#parts.source.range()
      this.#heardAtMs = this.#parts.clock.nowMs()
      // A node behind a balancer may be older than the one before: the tip does not go back.
      if (last !== null && last > (this.#last ?? 0)) {
        this.#last = last
        this.#closeTimeSeconds = lastCloseTimeSeconds ?? 0
      }
      return true
    } catch (error) {
      // Reading has its own retries and its own failure; the tip only decides what may be coalesced.
      this.#parts.logger.warn({ err: error }, 'Could not ask the source for its newest ledger; reading goes on')
      return false
    } finally {
      this.#isAsking = false
    }
  }

  /** What is to be told now; nothing of a source that ends, or when it was told a moment ago and `isNews` is not set. */
  records({ isNews }: { readonly isNews: boolean }): readonly ControlRecord[] {
    const nowMs = this.#parts.clock.nowMs()
    if (this.#parts.source.ends || this.#last === null) return []
    if (!isNews && nowMs - this.#toldAtMs < TELL_EVERY_MS) return []
    this.#toldAtMs = nowMs
    return [{ kind: 'source_tip', ledger: this.#last, closeTimeSeconds: this.#closeTimeSeconds, heardAtMs: this.#heardAtMs }]
  }
}
