// The changes of one operation: the values of each tracked entry before and after, and its TTL.
// Changes are pairs (STATE, then UPDATED or REMOVED; RESTORED replaces STATE); a record is the net of all changes of a key.

import { hash } from 'node:crypto'
import { hexOf } from './hex.ts'
import type { EntryRecord, TtlRecord } from './record.ts'
import { skip } from './skip.ts'
import { skipScVal } from './skip-scval.ts'
import { contractId } from './strkey.ts'
import type { TrackedSet } from './tracked-set.ts'
import { isTrackedKey } from './transaction-set.ts'
import { unreadable } from './unreadable.ts'

const CREATED = 0
const REMOVED = 2
const STATE = 3
const RESTORED = 4
const CONTRACT_DATA = 6
const TTL = 9

/** The result of the changes of a key so far. */
interface KeyChange {
  /** Offset of the 32 bytes of the contract. From four bytes before it, address, key and durability are as in the LedgerKey. */
  readonly contractAt: number
  readonly keyAt: number
  readonly keyEnd: number
  readonly created: boolean
  readonly restored: boolean
  readonly before: Uint8Array | null
  value: Uint8Array | null
  /** Index of the change with `value`; -1 while there was only STATE. */
  index: number
  liveUntil: number | null
}

interface TtlChange {
  /** Offset of the SHA-256 of the LedgerKey. */
  readonly hashAt: number
  /** Null: the TTL entry was removed. */
  liveUntil: number | null
  /** The value in STATE. */
  readonly before: number | null
}

/** Reads one operation's changes. Everything is an offset in, or a view of, the ledger's bytes. */
export class OperationChanges {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #entries: KeyChange[] = []
  readonly #ttls: TtlChange[] = []

  /** @param at Offset of the count of changes. */
  constructor(bytes: Uint8Array, view: DataView, at: number, tracked: TrackedSet) {
    this.#bytes = bytes
    this.#view = view
    const count = view.getUint32(at)
    let p = at + 4
    for (let index = 0; index < count; index++) {
      const type = view.getUint32(p)
      const removed = type === REMOVED
      const typeAt = removed ? p + 4 : p + 8
      const entryType = view.getUint32(typeAt)
      if (entryType === CONTRACT_DATA) {
        const addressAt = removed ? typeAt + 4 : typeAt + 8
        if (view.getUint32(addressAt) === 1 && tracked.hasEntryAt(view, addressAt + 4, addressAt + 36))
          this.#entry(type, addressAt + 4, index)
      } else if (entryType === TTL) this.#ttl(type, typeAt + 4)
      p = removed ? skip.LedgerKey(view, p + 4) : skip.LedgerEntry(view, p + 4)
    }
  }

  /**
   * Finds the entries whose TTLs changed by hashing the tracked keys of the transaction's footprint. The records of changed entries get the
   * new TTL; for unchanged entries TTL records are returned, in the order of the footprint.
   * @param footprintAt Offset of the footprint's two lists of keys.
   */
  resolveTtls(footprintAt: number, tracked: TrackedSet, tx: number, opIndex: number): TtlRecord[] {
    const records: TtlRecord[] = []
    if (this.#ttls.length === 0) return records
    const view = this.#view
    let p = footprintAt
    for (let half = 0; half < 2; half++) {
      let count = view.getUint32(p)
      p += 4
      for (; count > 0; count--) {
        const from = p
        p = skip.LedgerKey(view, p)
        if (!isTrackedKey(view, from, tracked)) continue
        const ttl = this.#ttlOf(from, p)
        if (ttl === null || ttl.liveUntil === null) continue
        const { liveUntil } = ttl
        const entry = this.#entries.find((known) => this.#sameKey(known, from + 8, p - 4))
        if (entry !== undefined && entry.index >= 0) entry.liveUntil = liveUntil
        // Core repeats unchanged TTLs as STATE and UPDATED.
        else if (liveUntil !== ttl.before)
          records.push({ kind: 'ttl', tx, opIndex, ...this.#identity(from + 8, from + 40, p - 4), liveUntil })
      }
    }
    return records
  }

  /** Net changes, in the order of the changes with their values. */
  records(tx: number, opIndex: number): EntryRecord[] {
    const records: EntryRecord[] = []
    for (const entry of this.#entries) {
      const change = netChange(entry)
      if (change === null) continue
      const { index, value, before, liveUntil } = entry
      const identity = this.#identity(entry.contractAt, entry.keyAt, entry.keyEnd)
      records.push({ kind: 'entry', tx, opIndex, index, change, ...identity, value, before, liveUntil: value === null ? null : liveUntil })
    }
    return records.sort((a, b) => a.index - b.index)
  }

  #identity(contractAt: number, keyAt: number, keyEnd: number): Pick<EntryRecord, 'contract' | 'key' | 'durability'> {
    return {
      contract: contractId(this.#bytes, contractAt),
      key: this.#bytes.subarray(keyAt, keyEnd),
      durability: durabilityAt(this.#view, keyEnd),
    }
  }

  #entry(type: number, contractAt: number, index: number): void {
    const keyAt = contractAt + 32
    const keyEnd = skipScVal(this.#view, keyAt)
    // Durability and value follow.
    const value = type === REMOVED ? null : this.#bytes.subarray(keyEnd + 4, skipScVal(this.#view, keyEnd + 4))
    let known = this.#entries.findLast((entry) => this.#sameKey(entry, contractAt, keyEnd))
    if (known === undefined) {
      // The first change of a key shows the value before the operation, unless that change created the entry.
      const before = type === STATE || type === RESTORED ? value : null
      known = {
        contractAt,
        keyAt,
        keyEnd,
        created: type === CREATED,
        restored: type === RESTORED,
        before,
        value: null,
        index: -1,
        liveUntil: null,
      }
      this.#entries.push(known)
    }
    known.value = value
    if (type !== STATE) known.index = index
  }

  #ttl(type: number, hashAt: number): void {
    const view = this.#view
    const liveUntil = type === REMOVED ? null : view.getUint32(hashAt + 32)
    const known = this.#ttls.findLast((ttl) => sameWords(view, ttl.hashAt, hashAt, 32))
    if (known === undefined) this.#ttls.push({ hashAt, liveUntil, before: type === STATE ? liveUntil : null })
    else known.liveUntil = liveUntil
  }

  /** The TTL change of the LedgerKey whose XDR is in [from, to). */
  #ttlOf(from: number, to: number): TtlChange | null {
    // As hex, since `hash` makes small texts three times faster than small buffers.
    const digest = hash('sha256', this.#bytes.subarray(from, to), 'hex')
    const first = Number.parseInt(digest.slice(0, 8), 16) | 0
    const found = this.#ttls.find(({ hashAt }) => this.#view.getInt32(hashAt) === first && hexOf(this.#bytes, hashAt, 32) === digest)
    return found ?? null
  }

  /** Compares contract, key and durability. */
  #sameKey(entry: KeyChange, contractAt: number, keyEnd: number): boolean {
    const length = keyEnd + 4 - contractAt
    return entry.keyEnd + 4 - entry.contractAt === length && sameWords(this.#view, entry.contractAt, contractAt, length)
  }
}

function netChange({ created, restored, value, index }: KeyChange): EntryRecord['change'] | null {
  // STATE alone: no change.
  if (index < 0) return null
  // Created and removed again: no net change.
  if (value === null) return created ? null : 'removed'
  if (restored) return 'restored'
  return created ? 'created' : 'updated'
}

export function durabilityAt(view: DataView, at: number): 'temporary' | 'persistent' {
  const value = view.getUint32(at)
  if (value > 1) throw unreadable('ContractDataDurability', at, `unknown value ${value}`, value)
  return value === 1 ? 'persistent' : 'temporary'
}

/** Compares `length` bytes, a multiple of four. */
function sameWords(view: DataView, a: number, b: number, length: number): boolean {
  for (let n = 0; n < length; n += 4) if (view.getInt32(a + n) !== view.getInt32(b + n)) return false
  return true
}
