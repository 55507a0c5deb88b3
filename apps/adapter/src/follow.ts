// The loop around a fold: slices in, rows out, for one partition, from its checkpoint on.
// The order is the guarantee: rows, then the checkpoint, then the log's own mark. A crash between any two repeats work and changes no row.
// Whatever goes wrong is thrown and the state is dropped: starting again is the retry.

import { OrreryError, reasonOf } from '@orrery/errors'
import { EMPTY_ROLLING_HASH, type EventLog, type LogPartition, SliceAssembler, sliceRollingHash, sliceTopic } from '@orrery/event-log'
import { type Adapter, type Partition, ROW_TABLES, type Rows, type Slice, type StateRow } from '@orrery/protocol-kit'
import type { Checkpoint, Store } from '@orrery/read-model'
import { yieldToEventLoop } from '@orrery/service-kit'
import { type BatchLimits, WriteBehind } from './write-behind.ts'

/** Ledgers (after, before] that the log does not hold. */
export interface Gap {
  readonly after: number
  readonly before: number
}

/** What the loop tells while it runs. It never asks back. */
export interface FollowObserver {
  started(from: Checkpoint, state: readonly StateRow[]): void
  /** Everything before `offset` was read. */
  read(offset: bigint): void
  folded(slice: Slice, rows: Rows, seconds: number): void
  stored(to: Checkpoint, rows: readonly Rows[], seconds: number): void
  /** A slice was set aside, because the ledgers (after, before] are missing in front of it. */
  setAside(missing: Gap): void
  /** From this ledger on the registry is another one, and the state was loaded anew with it. */
  registryChanged(ledger: number): void
  /** The missing ledgers were told again. */
  fitsAgain(): void
}

/** The adapter as it folds each ledger: bound to the registry as of it. */
export interface AdapterByLedger<State> {
  /** The same one for every ledger of one registry. */
  at(ledger: number): Adapter<State>
  /**
   * Resolves when `at` knows every registry that is recorded now, or `signal` aborts. Before state is loaded: a partition that is ahead may
   * have written what only a later registry explains.
   */
  recorded(signal: AbortSignal): Promise<void>
  /** Null when `at` is certain for the ledger; else resolves when it is, or `signal` aborts. */
  known(ledger: number, signal: AbortSignal): Promise<void> | null
}

export interface FollowOptions<State> {
  /** Says the protocol and the version; folds every ledger where `byLedger` is not given. */
  readonly adapter: Adapter<State>
  /** For a registry that grows: the loop loads its state anew where another adapter begins. */
  readonly byLedger?: AdapterByLedger<State>
  /** Name of the network in its registry. */
  readonly network: string
  readonly partition: number
  /** First ledger of the index: a partition without a checkpoint stands just before it. */
  readonly firstLedger: number
  readonly log: EventLog
  readonly store: Store
  readonly limits: BatchLimits
  readonly observer: FollowObserver
  /** Aborts when somebody else follows this partition: nothing more is stored then. */
  readonly lost?: AbortSignal
}

interface Folded {
  readonly rows: Rows
  readonly to: Checkpoint
}

/**
 * Follows one partition from its checkpoint until `signal` aborts; then stores what it has folded, unless the partition is lost, and returns.
 * @throws OrreryError `corrupt`/`log_rolling_hash_differs` when the log does not hold what ingest wrote, and whatever log, store and fold throw.
 */
export async function follow<State>(options: FollowOptions<State>, signal: AbortSignal): Promise<void> {
  const { log, store, observer } = options
  const byLedger = options.byLedger ?? { at: () => options.adapter, recorded: async () => undefined, known: () => null }
  const at: Partition = { protocol: options.adapter.protocol, partition: options.partition }
  const source: LogPartition = { topic: sliceTopic(options.network, at.protocol), partition: options.partition }

  let place = (await store.checkpoint(at, options.adapter.version)) ?? beforeFirst(options.firstLedger)
  await byLedger.recorded(signal)
  if (signal.aborted) return
  // That of the next ledger: what is adopted with an addition is a row of the ledger before.
  let adapter = byLedger.at(place.ledger + 1)
  let state = await load(adapter, options, at, place, (rows) => observer.started(place, rows))

  const broken = new AbortController()
  const behind = new WriteBehind<Folded>(
    (batch) => write(options, at, source, batch),
    options.limits,
    () => broken.abort(),
  )
  const giveWay = yieldToEventLoop()
  let isHole = false
  // A log that ends before the checkpoint's place is another one: told again into a new folder, or restored. Ledgers say what is known.
  const from = place.offset > (await log.end(source)) ? 0n : place.offset
  try {
    const slices = new SliceAssembler()
    for await (const records of log.read(source, from, AbortSignal.any([signal, broken.signal]))) {
      for (const record of records) {
        if (signal.aborted) break // a batch of the log may hold minutes of work
        const slice = slices.push(record.value, record.offset)
        if (slice === null) continue // a part of a giant one
        checkAddress(slice, options.network, at)
        if (slice.ledger <= place.ledger) continue // told twice: the log promises at least once
        if (slice.after > place.ledger) {
          // Set aside, not kept: whoever tells the hole again tells everything behind it again.
          isHole = true
          observer.setAside({ after: place.ledger, before: slice.after })
          continue
        }
        if (isHole) {
          isHole = false
          observer.fitsAgain()
        }
        checkRollingHash(place.rollingHash, slice)
        const knowing = byLedger.known(slice.ledger, signal)
        if (knowing !== null) await knowing
        if (signal.aborted) break
        const next = byLedger.at(slice.ledger)
        if (next !== adapter) {
          // A restart at this place, without the process: everything that was folded is stored, and read with the registry of this ledger.
          await behind.drain()
          if (options.lost?.aborted) break
          adapter = next
          state = await load(adapter, options, at, place, () => observer.registryChanged(slice.ledger))
        }
        const startedMs = performance.now()
        const rows = fold(adapter, state, slice)
        observer.folded(slice, rows, (performance.now() - startedMs) / 1000)
        place = {
          ledger: slice.ledger,
          closeTimeSeconds: slice.closeTimeSeconds,
          offset: slices.resumeOffset,
          rollingHash: slice.rollingHash,
        }
        await behind.add({ rows, to: place }, countRows(rows) + 1) // + 1: a batch of empty slices ends, too
        await giveWay()
      }
      const newest = records.at(-1)
      if (newest !== undefined) observer.read(newest.offset + 1n)
    }
  } catch (error) {
    await behind.abandon()
    throw withPlace(error, at, place)
  }
  if (options.lost?.aborted) await behind.abandon()
  else await behind.drain()
}

/** State as of the place, from stored rows. */
async function load<State>(
  adapter: Adapter<State>,
  { store }: FollowOptions<State>,
  at: Partition,
  place: Checkpoint,
  onRows: (rows: readonly StateRow[]) => void,
): Promise<State> {
  const rows: StateRow[] = []
  for await (const row of store.loadState(at, adapter.version, place.ledger)) rows.push(row)
  const state = adapter.load(rows, place.ledger)
  onRows(rows)
  return state
}

async function write<State>(
  { adapter, log, store, observer, lost }: FollowOptions<State>,
  at: Partition,
  source: LogPartition,
  batch: readonly Folded[],
): Promise<void> {
  const last = batch.at(-1)
  if (last === undefined) return
  const startedMs = performance.now()
  const rows = batch.map((folded) => folded.rows)
  if (lost?.aborted) return
  await store.write(rows, adapter.version) // replaced by key when written again
  if (lost?.aborted) return // late rows are the same rows; how far the partition is says whoever has it
  await store.moveCheckpoint(at, adapter.version, last.to) // what a restart believes and the watermark says
  await log.commit(`${adapter.protocol}-v${adapter.version}`, source, last.to.offset) // lag, for the operator's eyes
  observer.stored(last.to, rows, (performance.now() - startedMs) / 1000)
}

function fold<State>(adapter: Adapter<State>, state: State, slice: Slice): Rows {
  try {
    return adapter.fold(state, slice)
  } catch (error) {
    if (error instanceof OrreryError) throw error.with({ ledger: slice.ledger })
    throw new OrreryError(
      'bug',
      'fold_failed',
      `The ${adapter.protocol} fold (version ${adapter.version}) failed at ledger ${slice.ledger}: ${reasonOf(error)}. Everything before that ledger is whole; nothing of it was stored.`,
      { cause: error, context: { ledger: slice.ledger } },
    )
  }
}

function beforeFirst(firstLedger: number): Checkpoint {
  return { ledger: firstLedger - 1, closeTimeSeconds: 0, offset: 0n, rollingHash: EMPTY_ROLLING_HASH }
}

function countRows(rows: Rows): number {
  return ROW_TABLES.reduce((sum, table) => sum + rows[table].length, 0)
}

function checkAddress(slice: Slice, network: string, at: Partition): void {
  if (slice.network === network && slice.protocol === at.protocol && slice.partition === at.partition) return
  throw new OrreryError(
    'corrupt',
    'log_slice_misplaced',
    `The log of ${network} ${at.protocol}/${at.partition} holds a slice of ${slice.network} ${slice.protocol}/${slice.partition}. Nothing of it was stored. Check which log this process was given.`,
    { context: { ledger: slice.ledger } },
  )
}

function checkRollingHash(before: string, slice: Slice): void {
  const expected = sliceRollingHash(before, slice)
  if (expected === slice.rollingHash) return
  throw new OrreryError(
    'corrupt',
    'log_rolling_hash_differs',
    `The records of ledger ${slice.ledger} are not the ones that ingest wrote, or one before them is missing (rolling hash ${expected}, the slice says ${slice.rollingHash}). Everything up to the checkpoint is whole. Tell the partition again from its checkpoint on, or start with a new log.`,
    { context: { ledger: slice.ledger } },
  )
}

function withPlace(error: unknown, at: Partition, place: Checkpoint): unknown {
  const context = { protocol: at.protocol, partition: at.partition, foldedUpTo: place.ledger }
  return error instanceof OrreryError ? error.with(context) : error
}
