// One keyed entry on its way from a record to the state and its row: what was known before, what is now, and whether that is news.

import type { EntryRecord, EvictionRecord, TtlRecord } from '@orrery/ledger'
import type { Journal, Written } from './journal.ts'

/** An entry's value with the last ledger at which the entry is live: 0 where nobody told. */
export interface Live<T> {
  value: T
  liveUntil: number
}

export type KeyedRecord = EntryRecord | TtlRecord | EvictionRecord

/** Where an entry lives in the state, and how it is read and written. */
export interface Cell<T> {
  readonly row: Pick<Written, 'contract' | 'key' | 'owner' | 'shared'>
  /** `persistent` unless said. */
  readonly durability?: 'persistent' | 'temporary'
  /** Null when there is none. A temporary one that is past its life is none: a restart would not find it either. */
  get(): Live<T> | null
  /** `ledger` is that of the row that stands for it: the ledger before for a pre-image. */
  set(live: Live<T>, ledger: number): void
  /**
   * Takes the value out of the state when its entry is removed, or a temporary one evicted.
   * Without it the entry keeps its last value: nobody removes such entries.
   */
  delete?(): void
  /** Null when the bytes say nothing that we know. */
  read(value: Uint8Array): T | null
  encode(value: T): string
  /** Whether two values have the same encoding; by default it is made of both. */
  isSame?(a: T, b: T): boolean
}

/** What a record did to a value. `before` is null when there was none. */
export type Outcome<T> =
  | { readonly kind: 'changed'; readonly before: T | null; readonly now: T }
  | { readonly kind: 'removed'; readonly before: T }
  /** The same value, perhaps with a longer life. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unreadable' }

/**
 * Applies a record, and writes a row when value or life are new.
 *
 * A value that was never seen before brings its pre-image along. That is remembered as a row of the ledger before and from then on treated
 * as if it had been known all the time, so that a restart between the two writes the same rows again. Of an adopted entry only the pre-image
 * counts: its value is that of another day.
 */
export function applyTo<T>(cell: Cell<T>, record: KeyedRecord, journal: Journal): Outcome<T> {
  const before = cell.get() ?? preImage(cell, record, journal)
  if (record.kind === 'entry' && record.change === 'bootstrap') return { kind: 'unchanged' }
  const read = record.kind === 'entry' && record.value !== null ? cell.read(record.value) : null
  if (read === null && record.kind === 'entry' && record.value !== null) return { kind: 'unreadable' }
  const durability = cell.durability ?? 'persistent'
  if (isGone(record) && cell.delete !== undefined) {
    cell.delete()
    if (before === null) return { kind: 'unchanged' }
    journal.remove({ ...cell.row, durability })
    return { kind: 'removed', before: before.value }
  }
  const now = after(before, record, read)
  if (now === null) return { kind: 'unchanged' }
  const isSame = before !== null && (before.value === now.value || isSameValue(cell, before.value, now.value))
  if (isSame && now.liveUntil === before.liveUntil) return { kind: 'unchanged' }
  cell.set(now, journal.ledger)
  journal.write({ ...cell.row, durability, value: cell.encode(now.value), liveUntil: now.liveUntil })
  return isSame ? { kind: 'unchanged' } : { kind: 'changed', before: before?.value ?? null, now: now.value }
}

function isSameValue<T>(cell: Cell<T>, a: T, b: T): boolean {
  return cell.isSame?.(a, b) ?? cell.encode(a) === cell.encode(b)
}

/** Removed by a contract, or a temporary entry that core threw away after its life. An evicted persistent entry is archived. */
function isGone(record: KeyedRecord): boolean {
  return record.kind === 'entry' ? record.value === null : record.kind === 'evicted' && record.durability === 'temporary'
}

function preImage<T>(cell: Cell<T>, record: KeyedRecord, journal: Journal): Live<T> | null {
  const value = record.kind === 'entry' && record.before !== null ? cell.read(record.before) : null
  if (value === null) return null
  // Lives only grow: an adopted entry that lives until then now has been alive all the time.
  const liveUntil = record.kind === 'entry' && record.change === 'bootstrap' ? (record.liveUntil ?? 0) : 0
  const live = { value, liveUntil }
  cell.set(live, journal.ledger - 1)
  journal.infer({ ...cell.row, durability: cell.durability ?? 'persistent', value: cell.encode(value), liveUntil })
  return live
}

/**
 * Null when the record says nothing of the value: a life told of an entry that nobody knows, a removal, or an eviction, which archives it.
 * Lives only grow: of one ledger's clusters each tells the life that it saw (CAP-63), so a shorter one is no news.
 */
function after<T>(before: Live<T> | null, record: KeyedRecord, read: T | null): Live<T> | null {
  if (record.kind === 'evicted') return null
  if (record.kind === 'ttl') return before === null ? null : { value: before.value, liveUntil: longer(before, record.liveUntil) }
  if (read === null) return null
  return { value: read, liveUntil: record.change === 'created' ? (record.liveUntil ?? 0) : longer(before, record.liveUntil) }
}

function longer(before: Live<unknown> | null, liveUntil: number | null): number {
  return Math.max(before?.liveUntil ?? 0, liveUntil ?? 0)
}
