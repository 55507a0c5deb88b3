// The walk over the metas of transactions. It skips everything and notes the offsets of relevant operations;
// nothing is decoded or allocated for untracked contracts.

import { skip } from './skip.ts'
import { skipScVal } from './skip-scval.ts'
import type { TrackedSet } from './tracked-set.ts'
import { unknownArm, unreadable } from './unreadable.ts'

const REMOVED = 2
const RESTORED = 4
const CONTRACT_DATA = 6
const TTL = 9

/** Offsets in one operation's meta. */
export interface OperationHit {
  readonly opIndex: number
  /** Offset of the count of changes. */
  readonly changesAt: number
  /** Offset of the count of contract events, or null when the operation has none. */
  readonly eventsAt: number | null
  /** The operation has a tracked event or entry. Otherwise it only has TTL changes, which may be of tracked entries. */
  readonly touched: boolean
  readonly hasTtl: boolean
}

export interface TransactionHit {
  /** Apply order, from 1. */
  readonly txOrder: number
  /** Offset of the TransactionResultPair: the hash, then the result. */
  readonly resultAt: number
  readonly operations: readonly OperationHit[]
}

export class Scan {
  readonly hits: TransactionHit[] = []
  readonly #view: DataView
  readonly #tracked: TrackedSet
  /** Without a footprint that names something tracked no TTL can be resolved, so none is noted. */
  readonly #withTtl: boolean
  #touched = false
  #hasTtl = false

  constructor(view: DataView, tracked: TrackedSet, withTtl: boolean) {
    this.#view = view
    this.#tracked = tracked
    this.#withTtl = withTtl
  }

  /** `txProcessing` of a LedgerCloseMeta. Returns its end. */
  transactions(at: number, version: 1 | 2): number {
    const view = this.#view
    const count = view.getUint32(at)
    let p = at + 4
    for (let txOrder = 1; txOrder <= count; txOrder++) {
      if (version === 2) p = zero(view, p, 'TransactionResultMetaV1')
      const resultAt = p
      // TransactionResultPair: hash b32 | feeCharged i64 | code i32. Success is txSUCCESS or txFEE_BUMP_INNER_SUCCESS.
      const code = view.getInt32(p + 40)
      p = skip.LedgerEntryChanges(view, skip.TransactionResult(view, p + 32))
      p = code === 0 || code === 1 ? this.#meta(p, txOrder, resultAt) : skip.TransactionMeta(view, p)
      if (version === 2) p = skip.LedgerEntryChanges(view, p)
    }
    return p
  }

  #meta(at: number, txOrder: number, resultAt: number): number {
    const view = this.#view
    const version = view.getInt32(at)
    // Versions 0 to 2 are from before contracts.
    if (version !== 3 && version !== 4) return skip.TransactionMeta(view, at)
    let p = skip.LedgerEntryChanges(view, zero(view, at + 4, 'TransactionMeta'))
    const operations = version === 3 ? this.#operationsV3(p) : this.#operationsV4(p)
    p = this.#end
    if (operations !== null) this.hits.push({ txOrder, resultAt, operations })
    return p
  }

  /** End of the last `#operations…`. */
  #end = 0

  /** OperationMeta[], changes after, sorobanMeta? with the events of the only operation. */
  #operationsV3(at: number): OperationHit[] | null {
    const view = this.#view
    // The events are last and belong to operation 0, so they are read before it is known whether operation 0 is relevant.
    let p = at + 4
    for (let n = view.getUint32(at); n > 0; n--) p = skip.LedgerEntryChanges(view, p)
    p = skip.LedgerEntryChanges(view, p)
    let eventsAt: number | null = null
    this.#touched = false
    if (flag(view, p, 'SorobanTransactionMeta?')) {
      eventsAt = skip.SorobanTransactionMetaExt(view, p + 4)
      p = skip.DiagnosticEvents(view, skipScVal(view, this.#events(eventsAt)))
    } else p += 4
    this.#end = p

    let hits: OperationHit[] | null = null
    let changesAt = at + 4
    const count = view.getUint32(at)
    for (let opIndex = 0; opIndex < count; opIndex++) {
      if (opIndex > 0) this.#touched = false
      this.#hasTtl = false
      const next = this.#changes(changesAt)
      hits = this.#note(hits, opIndex, changesAt, opIndex === 0 ? eventsAt : null)
      changesAt = next
    }
    return hits
  }

  /** OperationMetaV2[] with events, changes after, sorobanMeta?, the transaction's own events, diagnostics. */
  #operationsV4(at: number): OperationHit[] | null {
    const view = this.#view
    const count = view.getUint32(at)
    let hits: OperationHit[] | null = null
    let p = at + 4
    for (let opIndex = 0; opIndex < count; opIndex++) {
      this.#touched = false
      this.#hasTtl = false
      const changesAt = zero(view, p, 'OperationMetaV2')
      const eventsAt = this.#changes(changesAt)
      p = this.#events(eventsAt)
      hits = this.#note(hits, opIndex, changesAt, eventsAt)
    }
    p = skip.OptionalSorobanMetaV2(view, skip.LedgerEntryChanges(view, p))
    this.#end = skip.DiagnosticEvents(view, skip.TransactionEvents(view, p))
    return hits
  }

  #note(hits: OperationHit[] | null, opIndex: number, changesAt: number, eventsAt: number | null): OperationHit[] | null {
    const touched = this.#touched
    const hasTtl = this.#hasTtl
    if (!touched && !hasTtl) return hits
    const hit = { opIndex, changesAt, eventsAt, touched, hasTtl }
    if (hits === null) return [hit]
    hits.push(hit)
    return hits
  }

  /** Skips changes; notes whether one is tracked and whether one is of a TTL. */
  #changes(at: number): number {
    const view = this.#view
    const count = view.getUint32(at)
    let p = at + 4
    for (let n = 0; n < count; n++) {
      const type = view.getUint32(p)
      if (type > RESTORED) throw unknownArm('LedgerEntryChange', p, type)
      const removed = type === REMOVED
      // A key follows (its type first) or an entry (lastModified, then its type and, for contract data, an extension).
      const typeAt = removed ? p + 4 : p + 8
      const entryType = view.getUint32(typeAt)
      if (entryType === CONTRACT_DATA) {
        const addressAt = removed ? typeAt + 4 : typeAt + 8
        if (!this.#touched && view.getUint32(addressAt) === 1) this.#touched = this.#tracked.hasEntryAt(view, addressAt + 4, addressAt + 36)
      } else if (entryType === TTL) this.#hasTtl = this.#withTtl
      p = removed ? skip.LedgerKey(view, p + 4) : skip.LedgerEntry(view, p + 4)
    }
    return p
  }

  /** Skips events; notes whether one is of a tracked contract. Diagnostic events do not count. */
  #events(at: number): number {
    const view = this.#view
    const count = view.getUint32(at)
    let p = at + 4
    for (let n = 0; n < count; n++) {
      // ContractEvent: ext | has contract | contract b32 | type (2: diagnostic) | …
      if (!this.#touched && view.getUint32(p + 4) === 1 && view.getUint32(p + 40) !== 2)
        this.#touched = this.#tracked.hasContractAt(view, p + 8)
      p = skip.ContractEvent(view, p)
    }
    return p
  }
}

/** An ExtensionPoint: only 0 is defined. Returns its end. */
export function zero(view: DataView, at: number, type: string): number {
  const arm = view.getInt32(at)
  if (arm !== 0) throw unknownArm(type, at, arm)
  return at + 4
}

function flag(view: DataView, at: number, type: string): boolean {
  const value = view.getUint32(at)
  if (value > 1) throw unreadable(type, at, `a flag is ${value}`, value)
  return value === 1
}
