// The newest ledger of a live source: requested every few seconds and recorded in the control topic, so that adapters and the API can compute
// how far behind they are.

import type { ControlRecord } from '@orrery/event-log'
import type { Clock, Logger } from '@orrery/service-kit'
import type { LedgerFacts } from './ledger-facts.ts'
import type { LedgerSource, SourceRange } from './ledger-source.ts'

/** Near the tip every ledger is appended at once, without coalescing: about a minute of the network. */
const NEAR_LEDGERS = 10
/** An unchanged tip is recorded again this often: without a record for longer, ingest or its source is down. */
const REPORT_EVERY_MS = 15_000

export interface SourceTipParts {
  readonly source: LedgerSource
  readonly clock: Clock
  readonly logger: Logger
  /** The range of the source when ingest started. */
  readonly range: SourceRange
}

export class SourceTip {
  readonly #parts: SourceTipParts
  #last: number | null
  #closeTimeSeconds: number
  #heardAtMs: number
  #reportedAtMs = Number.NEGATIVE_INFINITY
  #isRequesting = false

  constructor(parts: SourceTipParts) {
    this.#parts = parts
    const { last, lastCloseTimeSeconds } = parts.range
    this.#last = last
    this.#closeTimeSeconds = lastCloseTimeSeconds ?? 0
    this.#heardAtMs = parts.clock.nowMs()
  }

  /** Newest ledger of the source, or null when that is unknown. */
  get last(): number | null {
    return this.#last
  }

  /** When the source last answered, Unix milliseconds. */
  get heardAtMs(): number {
    return this.#heardAtMs
  }

  /** Whether the ledger is appended without coalescing: it is the newest one or, of a live source, one of the newest. */
  isNear(ledger: number): boolean {
    return this.#last === null || ledger > this.#last - (this.#parts.source.ends ? 1 : NEAR_LEDGERS)
  }

  /** A ledger that was read moves the tip as an answer of the source does. */
  read({ ledger, closeTimeSeconds }: LedgerFacts): void {
    if (this.#last === null || ledger <= this.#last) return
    this.#last = ledger
    this.#closeTimeSeconds = closeTimeSeconds
    this.#heardAtMs = this.#parts.clock.nowMs()
  }

  /** Requests the tip. Returns whether the source answered; does nothing while an earlier request is open. */
  async poll(): Promise<boolean> {
    if (this.#isRequesting) return false
    this.#isRequesting = true
    try {
      const { last, lastCloseTimeSeconds } = await this.#parts.source.range()
      this.#heardAtMs = this.#parts.clock.nowMs()
      // A node behind a load balancer may be behind the one that answered before: the tip never decreases.
      if (last !== null && last > (this.#last ?? 0)) {
        this.#last = last
        this.#closeTimeSeconds = lastCloseTimeSeconds ?? 0
      }
      return true
    } catch (error) {
      // Reading has its own retries and errors; the tip only decides what may be coalesced.
      this.#parts.logger.warn({ err: error }, 'Could not read the newest ledger of the source; ingest continues')
      return false
    } finally {
      this.#isRequesting = false
    }
  }

  /** The records to append now. None for a source that ends, and none within `REPORT_EVERY_MS` of the last one unless `force` is set. */
  records({ force }: { readonly force: boolean }): readonly ControlRecord[] {
    const nowMs = this.#parts.clock.nowMs()
    if (this.#parts.source.ends || this.#last === null) return []
    if (!force && nowMs - this.#reportedAtMs < REPORT_EVERY_MS) return []
    this.#reportedAtMs = nowMs
    return [{ kind: 'source_tip', ledger: this.#last, closeTimeSeconds: this.#closeTimeSeconds, heardAtMs: this.#heardAtMs }]
  }
}
