// What the records of the control topic add up to: everything that ingest needs of the past. Read at start, and continued for snapshots.

import {
  type BootstrapControl,
  type ControlRecord,
  type ControlSnapshot,
  decodeControl,
  type LedgerControl,
  type ProtocolControl,
  type RegistryControl,
  type StartControl,
  summarizeControl,
  type TrackedControl,
} from '@orrery/event-log'
import type { LedgerFacts } from './ledger-facts.ts'

export interface ControlHistory {
  /** The newest start record, or null in an empty log. */
  readonly start: StartControl | null
  /** In the order of the log. */
  readonly tracked: readonly TrackedControl[]
  /** All of them, in the order of the log: an entry is read once and never again. */
  readonly bootstrapped: readonly BootstrapControl[]
  /** The registries that the log was written with, in the order of the log. Empty where an older build wrote it. */
  readonly registries: readonly RegistryControl[]
  /** Protocol version of the newest ledger; null where the log does not record it. */
  readonly protocolVersion: number | null
  /** Facts of ledgers, from the requested one on. */
  readonly ledgers: ReadonlyMap<number, LedgerFacts>
  /** Newest ledger of the log, or 0. */
  readonly lastLedger: number
  /** The source ended at `lastLedger`, and nothing was appended after that. */
  readonly sourceEnded: boolean
}

/** Kinds of records that need not be read in an old value: neither old ledgers nor any source tip is needed. */
const SKIPPED_WHEN_OLD: ReadonlySet<ControlRecord['kind']> = new Set(['ledger', 'source_tip'] as const)

export class ControlHistoryBuilder {
  #fromLedger: number
  readonly #tracked: TrackedControl[] = []
  readonly #bootstrapped: BootstrapControl[] = []
  readonly #registries: RegistryControl[] = []
  readonly #ledgers = new Map<number, LedgerFacts>()
  #start: StartControl | null = null
  #protocol: ProtocolControl | null = null
  #lastLedger = 0
  #endedAt = 0

  /** @param fromLedger Facts of ledgers before it are not kept, and most of them not even decoded: history is long, and only its end is needed. */
  constructor(fromLedger: number) {
    this.#fromLedger = fromLedger
  }

  /** Adds the next value of the topic. @throws OrreryError `corrupt`/`control_record_broken`. */
  add(value: Uint8Array): void {
    const { kinds, lastLedger: newest } = summarizeControl(value)
    if (newest < this.#fromLedger && [...kinds].every((kind) => SKIPPED_WHEN_OLD.has(kind))) {
      this.#lastLedger = Math.max(this.#lastLedger, newest)
      return
    }
    for (const record of decodeControl(value)) this.addRecord(record)
  }

  addRecord(record: ControlRecord): void {
    if (record.kind === 'start') this.#start = record
    else if (record.kind === 'tracked') this.#tracked.push(record)
    else if (record.kind === 'bootstrap') this.#bootstrapped.push(record)
    else if (record.kind === 'registry') this.#registries.push(record)
    else if (record.kind === 'protocol') this.#protocol = record
    else if (record.kind === 'source_end') this.#endedAt = record.ledger
    else if (record.kind === 'ledger') {
      const { kind: _kind, ...facts } = record
      if (record.ledger >= this.#fromLedger) this.#ledgers.set(record.ledger, facts)
      this.#lastLedger = Math.max(this.#lastLedger, record.ledger)
    }
  }

  /** Keeps no facts of ledgers from now on, so that a topic can be followed without end. */
  forgetLedgers(): void {
    this.#fromLedger = Number.POSITIVE_INFINITY
    this.#ledgers.clear()
  }

  /** As of the last value. */
  history(): ControlHistory {
    return {
      start: this.#start,
      tracked: [...this.#tracked],
      bootstrapped: [...this.#bootstrapped],
      registries: [...this.#registries],
      protocolVersion: this.#protocol?.version ?? null,
      ledgers: new Map(this.#ledgers),
      lastLedger: this.#lastLedger,
      sourceEnded: this.#lastLedger > 0 && this.#endedAt === this.#lastLedger,
    }
  }

  /** As of `value`, which was added last and is stored at `offset`. Null where it does not have the newest ledger, and in a log without a start. */
  snapshot(value: Uint8Array, offset: bigint): ControlSnapshot | null {
    const newest = decodeControl(value).findLast((record): record is LedgerControl => record.kind === 'ledger')
    if (this.#start === null || newest?.ledger !== this.#lastLedger) return null
    const end: ControlRecord[] = this.#endedAt === 0 ? [] : [{ kind: 'source_end', ledger: this.#endedAt }]
    const protocol = this.#protocol === null ? [] : [this.#protocol]
    const records = [this.#start, ...this.#registries, ...this.#tracked, ...this.#bootstrapped, ...protocol, newest, ...end]
    return { offset, ledger: newest.ledger, hash: newest.hash, records }
  }
}
