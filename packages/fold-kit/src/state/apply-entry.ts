// Applies a record to one keyed entry: reads the new value, compares it with the known one, and writes the state and its row.

import type { EntryRecord, EvictionRecord, TtlRecord } from '@orrery/ledger'
import type { Journal, Written } from './journal.ts'

/** An entry's value with its live-until ledger: the last ledger at which the entry is live, 0 where unknown. */
export interface LiveEntry<T> {
  value: T
  liveUntil: number
}

export type KeyedRecord = EntryRecord | TtlRecord | EvictionRecord

/** How an entry is read from and written to the state and its row. */
export interface EntryAccess<T> {
  readonly row: Omit<Written, 'value' | 'liveUntil'>
  /** Null when there is none. An expired temporary entry counts as none: a restart would not find it either. */
  get(): LiveEntry<T> | null
  /** `ledger` is the ledger of its row: the ledger before for a pre-image. */
  set(live: LiveEntry<T>, ledger: number): void
  /**
   * Takes the value out of the state when its entry is removed, or a temporary one evicted.
   * Without it the entry keeps its last value: contracts never remove such entries.
   */
  delete?(): void
  /** Null when the bytes have an unknown shape. */
  read(value: Uint8Array): T | null
  encode(value: T): string
  /** Whether two values have the same encoding. */
  isSame(a: T, b: T): boolean
}

/** What a record did to a value. `before` is null when there was none. */
export type Outcome<T> =
  | { readonly kind: 'changed'; readonly before: T | null; readonly now: T }
  | { readonly kind: 'removed'; readonly before: T }
  /** The same value, perhaps with a longer TTL. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unreadable' }

/**
 * Applies a record, and writes a row when the value or the TTL is new.
 *
 * The first record of a value also writes its pre-image, as a row of the ledger before. From then on the pre-image counts as known from the
 * start, so that a restart between the two writes the same rows again. Of a bootstrap entry only the pre-image counts: its value was read at
 * another ledger.
 */
export function applyTo<T>(entry: EntryAccess<T>, record: KeyedRecord, journal: Journal): Outcome<T> {
  const before = entry.get() ?? preImage(entry, record, journal)
  if (record.kind === 'entry' && record.change === 'bootstrap') return { kind: 'unchanged' }
  const read = record.kind === 'entry' && record.value !== null ? entry.read(record.value) : null
  if (read === null && record.kind === 'entry' && record.value !== null) return { kind: 'unreadable' }
  if (isGone(record) && entry.delete !== undefined) {
    entry.delete()
    if (before === null) return { kind: 'unchanged' }
    journal.remove(entry.row)
    return { kind: 'removed', before: before.value }
  }
  const now = after(before, record, read)
  if (now === null) return { kind: 'unchanged' }
  const isSame = before !== null && (before.value === now.value || entry.isSame(before.value, now.value))
  if (isSame && now.liveUntil === before.liveUntil) return { kind: 'unchanged' }
  entry.set(now, journal.ledger)
  journal.write({ ...entry.row, value: entry.encode(now.value), liveUntil: now.liveUntil })
  return isSame ? { kind: 'unchanged' } : { kind: 'changed', before: before?.value ?? null, now: now.value }
}

/** Removed by a contract, or an expired temporary entry that core evicted. An evicted persistent entry is archived. */
function isGone(record: KeyedRecord): boolean {
  return record.kind === 'entry' ? record.value === null : record.kind === 'evicted' && record.durability === 'temporary'
}

function preImage<T>(entry: EntryAccess<T>, record: KeyedRecord, journal: Journal): LiveEntry<T> | null {
  const value = record.kind === 'entry' && record.before !== null ? entry.read(record.before) : null
  if (value === null) return null
  // TTLs never decrease: a bootstrap entry that is live until a ledger has been live until then all the time.
  const liveUntil = record.kind === 'entry' && record.change === 'bootstrap' ? (record.liveUntil ?? 0) : 0
  const live = { value, liveUntil }
  entry.set(live, journal.ledger - 1)
  journal.infer({ ...entry.row, value: entry.encode(value), liveUntil })
  return live
}

/**
 * Null when the record has no value to apply: a TTL of an unknown entry, a removal, or an eviction, which archives it.
 * TTLs never decrease. Parallel clusters of a ledger may report different TTLs of an entry (CAP-63): the maximum counts.
 */
function after<T>(before: LiveEntry<T> | null, record: KeyedRecord, read: T | null): LiveEntry<T> | null {
  if (record.kind === 'evicted') return null
  if (record.kind === 'ttl') return before === null ? null : { value: before.value, liveUntil: maxLiveUntil(before, record.liveUntil) }
  if (read === null) return null
  return { value: read, liveUntil: record.change === 'created' ? (record.liveUntil ?? 0) : maxLiveUntil(before, record.liveUntil) }
}

function maxLiveUntil(before: LiveEntry<unknown> | null, liveUntil: number | null): number {
  return Math.max(before?.liveUntil ?? 0, liveUntil ?? 0)
}
