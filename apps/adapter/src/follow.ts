// The loop around a fold: slices in, rows out, for one partition, from its checkpoint on.
// The order is the guarantee: rows, then the checkpoint, then the offset in the log. A crash between any two repeats work and changes no row.
// After any error the state is dropped: a restart is the retry.

import { OrreryError, reasonOf } from '@orrery/errors'
import { EMPTY_ROLLING_HASH, type EventLog, type LogPartition, SliceAssembler, sliceRollingHash, sliceTopic } from '@orrery/event-log'
import { type Adapter, type Partition, ROW_TABLES, type Rows, type Slice, type StateRow } from '@orrery/protocol-kit'
import type { Checkpoint, EncodedRows, Store } from '@orrery/read-model'
import { yieldToEventLoop } from '@orrery/service-kit'
import { traced } from '@orrery/tracing'
import { type BatchLimits, WriteBehind } from './write-behind.ts'

/** Ledgers (after, before] that the log lacks. */
export interface Gap {
  readonly after: number
  readonly before: number
}

/** Receives the events of the loop. */
export interface FollowObserver {
  started(from: Checkpoint, state: readonly StateRow[]): void
  /** The state as of the checkpoint cannot be loaded. */
  notStarted(from: Checkpoint): void
  /** Everything before `offset` was read. */
  read(offset: bigint): void
  folded(slice: Slice, rows: Rows, seconds: number): void
  stored(to: Checkpoint, ledgers: readonly EncodedRows[], seconds: number): void
  /** A slice was skipped, because the ledgers (after, before] before it are missing. */
  gapDetected(missing: Gap): void
  /** Another registry applies from this ledger on, and the state was loaded again with it. */
  registryChanged(ledger: number): void
  /** The missing ledgers were resent. */
  gapClosed(): void
}

/** The adapter as it folds each ledger: bound to the registry as of it. */
export interface AdapterByLedger<State> {
  /** The same adapter for every ledger of one registry. */
  at(ledger: number): Adapter<State>
  /**
   * Resolves when `at` has every registry that is recorded now, or `signal` aborts. Called before state is loaded: stored rows may need a
   * later registry than that of the checkpoint.
   */
  recorded(signal: AbortSignal): Promise<void>
  /** Null when `at` is certain for the ledger; else resolves when it is, or `signal` aborts. */
  known(ledger: number, signal: AbortSignal): Promise<void> | null
}

export interface FollowOptions<State> {
  /** Names the protocol; folds every ledger where `byLedger` is not given. */
  readonly adapter: Adapter<State>
  /** For a registry that grows: the loop loads its state again where another adapter begins. */
  readonly byLedger?: AdapterByLedger<State>
  /** The number under which rows, checkpoints and state are stored. */
  readonly indexVersion: number
  /** Consumer group whose offset in the log shows operators how far this is. */
  readonly group: string
  /** Name of the network in the registry. */
  readonly network: string
  readonly partition: number
  /** First ledger of the index: a partition without a checkpoint begins with it. */
  readonly firstLedger: number
  readonly log: EventLog
  readonly store: Store
  readonly limits: BatchLimits
  /** Whether the log is known to have no ledger after this one: it is stored without waiting for more. Default: no ledger is. */
  readonly isNewest?: (ledger: number) => boolean
  /** Whether ingest is still writing ledgers that the source has had for long: a pause of the log ends no batch. Default: it is not. */
  readonly isWritingHistory?: () => boolean
  readonly observer: FollowObserver
  /** Aborts when another process follows this partition: nothing more is stored then. */
  readonly lost?: AbortSignal
}

interface Folded {
  /** Encoded at once: until they are stored, rows of seconds would be most of the memory, and of the work of the garbage collector. */
  readonly rows: EncodedRows
  readonly to: Checkpoint
}

/**
 * Follows one partition from its checkpoint until `signal` aborts; then stores what it has folded, unless the partition is lost, and returns.
 * @throws OrreryError `corrupt`/`log_rolling_hash_differs` when records are not the ones that ingest wrote, and errors of log, store and fold.
 */
export async function follow<State>(options: FollowOptions<State>, signal: AbortSignal): Promise<void> {
  const { log, store, observer, isNewest = () => false } = options
  const byLedger = options.byLedger ?? { at: () => options.adapter, recorded: async () => undefined, known: () => null }
  const at: Partition = { protocol: options.adapter.protocol, partition: options.partition }
  const source: LogPartition = { topic: sliceTopic(options.network, at.protocol), partition: options.partition }

  let place = (await store.checkpoint(at, options.indexVersion)) ?? beforeFirst(options.firstLedger)
  await byLedger.recorded(signal)
  if (signal.aborted) return
  // The adapter of the next ledger: bootstrap entries of an addition to the registry are rows of the ledger before it.
  let adapter = byLedger.at(place.ledger + 1)
  let state = await load(adapter, options, at, place, (rows) => observer.started(place, rows)).catch((error: unknown) => {
    observer.notStarted(place)
    throw error
  })

  const broken = new AbortController()
  const behind = new WriteBehind<Folded>(
    (batch) =>
      traced({ name: 'store_ledgers', attributes: () => batchAttributes(options, at, batch) }, () => write(options, at, source, batch)),
    options.limits,
    () => broken.abort(),
    options.isWritingHistory,
  )
  const encode = store.encoder(options.indexVersion)
  const giveWay = yieldToEventLoop()
  let hasGap = false
  // A log that ends before the checkpoint's offset is another one: written again into a new folder, or restored. Slices up to the checkpoint
  // are skipped by their ledgers.
  const from = place.offset > (await log.end(source)) ? 0n : place.offset
  try {
    const slices = new SliceAssembler()
    for await (const records of log.read(source, from, AbortSignal.any([signal, broken.signal]))) {
      for (const record of records) {
        if (signal.aborted) break // a batch of the log may hold minutes of work
        const slice = slices.push(record.value, record.offset)
        if (slice === null) continue // a part of a large slice
        checkAddress(slice, options.network, at)
        if (slice.ledger <= place.ledger) continue // a repeat: the log guarantees at-least-once delivery
        if (slice.after > place.ledger) {
          // Skipped, not kept: ingest resends everything after a gap as well.
          hasGap = true
          observer.gapDetected({ after: place.ledger, before: slice.after })
          continue
        }
        if (hasGap) {
          hasGap = false
          observer.gapClosed()
        }
        checkRollingHash(place.rollingHash, slice, slices.body)
        const knowing = byLedger.known(slice.ledger, signal)
        if (knowing !== null) await knowing
        if (signal.aborted) break
        const next = byLedger.at(slice.ledger)
        if (next !== adapter) {
          // Like a restart of the process: everything that was folded is stored, and loaded with the registry of this ledger.
          await behind.drain()
          if (options.lost?.aborted) break
          adapter = next
          state = await load(adapter, options, at, place, () => observer.registryChanged(slice.ledger))
        }
        const startedMs = performance.now()
        const rows = ofLedger(adapter, slice, () => adapter.fold(state, slice))
        const foldedMs = performance.now() - startedMs
        const encoded = ofLedger(adapter, slice, () => encode(rows))
        observer.folded(slice, rows, foldedMs / 1000)
        place = {
          ledger: slice.ledger,
          closeTimeSeconds: slice.closeTimeSeconds,
          offset: slices.resumeOffset,
          rollingHash: slice.rollingHash,
        }
        await behind.add({ rows: encoded, to: place }, countRows(encoded) + 1, isNewest(slice.ledger)) // + 1: empty slices fill a batch as well
        await giveWay()
      }
      const newest = records.at(-1)
      if (newest !== undefined) observer.read(newest.offset + 1n)
    }
  } catch (error) {
    // Rows of the ledgers before one that cannot be folded are right: storing them brings the checkpoint next to it.
    if (isOfPartition(error) && options.lost?.aborted !== true) await behind.drain().catch(() => undefined)
    await behind.abandon()
    throw withPlace(error, at, place)
  }
  if (options.lost?.aborted) await behind.abandon()
  else await behind.drain()
}

/**
 * Whether an error is of the partition's own records, state or code: another attempt meets it again, and other partitions need not.
 * Not one of a store or a log that does not answer, or of a wrong configuration.
 */
export function isOfPartition(error: unknown): boolean {
  if (!(error instanceof OrreryError)) return true
  return (error.kind === 'corrupt' || error.kind === 'bug') && !error.code.startsWith('read_model_')
}

/** State as of the checkpoint, from stored rows. */
async function load<State>(
  adapter: Adapter<State>,
  { store, indexVersion }: FollowOptions<State>,
  at: Partition,
  place: Checkpoint,
  onRows: (rows: readonly StateRow[]) => void,
): Promise<State> {
  const rows: StateRow[] = []
  for await (const row of store.loadState(at, indexVersion, place.ledger)) rows.push(row)
  const state = adapter.load(rows, place.ledger)
  onRows(rows)
  return state
}

async function write<State>(
  { indexVersion, group, log, store, observer, lost }: FollowOptions<State>,
  at: Partition,
  source: LogPartition,
  batch: readonly Folded[],
): Promise<void> {
  const last = batch.at(-1)
  if (last === undefined) return
  const startedMs = performance.now()
  const rows = batch.map((folded) => folded.rows)
  if (lost?.aborted) return
  await store.writeEncoded(rows) // replaced by key when written again
  if (lost?.aborted) return // late rows equal those of the new owner, but only the owner may move the checkpoint
  await store.moveCheckpoint(at, indexVersion, last.to) // a restart and the watermark use it
  await log.commit(group, source, last.to.offset) // consumer lag, for operators
  observer.stored(last.to, rows, (performance.now() - startedMs) / 1000)
}

function batchAttributes({ indexVersion }: Pick<FollowOptions<unknown>, 'indexVersion'>, at: Partition, batch: readonly Folded[]) {
  return {
    'orrery.protocol': at.protocol,
    'orrery.partition': at.partition,
    'orrery.index_version': indexVersion,
    'orrery.ledger.first': batch[0]?.to.ledger ?? 0,
    'orrery.ledger.last': batch.at(-1)?.to.ledger ?? 0,
    'orrery.slices': batch.length,
    'orrery.rows': batch.reduce((sum, { rows }) => sum + countRows(rows), 0),
  }
}

/** Names the ledger in errors of `work`. */
function ofLedger<Result>(adapter: Pick<Adapter<never>, 'protocol' | 'version'>, slice: Slice, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof OrreryError) throw error.with({ ledger: slice.ledger })
    throw new OrreryError(
      'bug',
      'fold_failed',
      `The ${adapter.protocol} fold (version ${adapter.version}) failed at ledger ${slice.ledger}: ${reasonOf(error)}. Everything before that ledger is complete; nothing of that ledger was stored.`,
      { cause: error, context: { ledger: slice.ledger } },
    )
  }
}

function beforeFirst(firstLedger: number): Checkpoint {
  return { ledger: firstLedger - 1, closeTimeSeconds: 0, offset: 0n, rollingHash: EMPTY_ROLLING_HASH }
}

function countRows(rows: EncodedRows): number {
  return ROW_TABLES.reduce((sum, table) => sum + rows.count(table), 0)
}

function checkAddress(slice: Slice, network: string, at: Partition): void {
  if (slice.network === network && slice.protocol === at.protocol && slice.partition === at.partition) return
  throw new OrreryError(
    'corrupt',
    'log_slice_misplaced',
    `The log of ${network} ${at.protocol}/${at.partition} holds a slice of ${slice.network} ${slice.protocol}/${slice.partition}. Nothing of it was stored. Check that this process reads the right log.`,
    { context: { ledger: slice.ledger } },
  )
}

function checkRollingHash(before: string, slice: Slice, body: Uint8Array): void {
  const expected = sliceRollingHash(before, slice, body)
  if (expected === slice.rollingHash) return
  throw new OrreryError(
    'corrupt',
    'log_rolling_hash_differs',
    `The records of ledger ${slice.ledger} are not the ones that ingest wrote, or one before them is missing (rolling hash ${expected}, the slice has ${slice.rollingHash}). Everything up to the checkpoint is complete. Restore the topic from a backup, or index into a new log.`,
    { context: { ledger: slice.ledger } },
  )
}

function withPlace(error: unknown, at: Partition, place: Checkpoint): unknown {
  const context = { protocol: at.protocol, partition: at.partition, foldedUpTo: place.ledger }
  return error instanceof OrreryError ? error.with(context) : error
}
