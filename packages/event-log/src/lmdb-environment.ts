// One LMDB environment per folder and process, shared by all logs of the process; other processes may open the same folder.
// Commits are synced before they are acknowledged: LMDB's overlapping sync is off, so visible records are also on the disk.

import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { OrreryError, reasonOf } from '@orrery/errors'
import { type Database, open, type RootDatabase } from 'lmdb'

/** How often a waiting reader checks for records of another process. Appends of its own process wake it at once. */
const OTHER_PROCESSES_POLL_MILLISECONDS = 50
/**
 * The same while no record came for longer than two ledgers of a network take, and for longer than a minute: waking a process is what an idle one
 * costs.
 */
const QUIET = [
  { afterMs: 60_000, pollMs: 1_000 },
  { afterMs: 12_000, pollMs: 250 },
]

export interface LmdbEnvironment {
  readonly root: RootDatabase
  /** Topic name -> `StoredTopic` as JSON. */
  readonly topics: Database<string, string>
  /** Topic number, partition -> next offset, bytes of its records. */
  readonly partitions: Database<Buffer, Buffer>
  /** Topic number, partition, offset -> append time, checksum, value. */
  readonly records: Database<Buffer, Buffer>
  /** Topic number, partition, group name -> next offset. */
  readonly groups: Database<Buffer, Buffer>
  /** Wakes the waiting readers of this process. */
  announce(): void
  /** Resolves when records may have been appended, or when `signal` aborts. */
  newRecords(signal: AbortSignal): Promise<void>
  /** Closes the environment when its last user has closed it. */
  release(): Promise<void>
}

interface Shared {
  readonly environment: LmdbEnvironment
  users: number
}

const opened = new Map<string, Shared>()

/** @throws OrreryError `unavailable`/`log_unreachable` when the folder cannot be opened, with the reason. */
export function openLmdbEnvironment(directory: string): LmdbEnvironment {
  const path = resolve(directory)
  const known = opened.get(path)
  if (known) {
    known.users++
    return known.environment
  }
  const environment = openNew(path)
  opened.set(path, { environment, users: 1 })
  return environment
}

function openNew(path: string): LmdbEnvironment {
  const { root, ...databases } = openDatabases(path)
  const waiting = new WaitingReaders(root)
  return {
    root,
    ...databases,
    announce: () => waiting.wake(),
    newRecords: (signal) => waiting.wait(signal),
    release: () => release(path),
  }
}

/** The first open writes the databases, which a full disk refuses. */
function openDatabases(path: string): Pick<LmdbEnvironment, 'root' | 'topics' | 'partitions' | 'records' | 'groups'> {
  try {
    mkdirSync(path, { recursive: true })
    // Batches by event turn have an internal promise whose rejection on a full disk would end the process. Transactions share commits without them.
    const root = open({ path, noSubdir: false, maxDbs: 8, overlappingSync: false, eventTurnBatching: false, encoding: 'binary' })
    return {
      root,
      topics: root.openDB('topics', { encoding: 'string' }) as Database<string, string>,
      partitions: openBinary(root, 'partitions'),
      records: openBinary(root, 'records'),
      groups: openBinary(root, 'groups'),
    }
  } catch (cause) {
    const message = `The event log in ${path} cannot be opened: ${reasonOf(cause)}. Nothing in it was changed. Check that the folder is readable and writable, and that its disk is local and has space.`
    throw new OrreryError('unavailable', 'log_unreachable', message, { context: { path }, cause })
  }
}

function openBinary(root: RootDatabase, name: string): Database<Buffer, Buffer> {
  return root.openDB(name, { encoding: 'binary', keyEncoding: 'binary' }) as Database<Buffer, Buffer>
}

/** The readers of this process that have read everything. One timer for all of them looks for commits of other processes. */
class WaitingReaders {
  readonly #root: RootDatabase
  readonly #waiting = new Set<() => void>()
  /** The newest commit when the timer last fired: a reader that begins to wait later has not missed more than the next check finds. */
  #seenCommit = -1
  #seenCommitAtMs = performance.now()
  #timer: NodeJS.Timeout | null = null

  constructor(root: RootDatabase) {
    this.#root = root
  }

  wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }

  /** Resolves after a commit, which may be one of another topic, or when `signal` aborts. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolveNews) => {
      if (signal.aborted) return resolveNews()
      const wake = (): void => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        if (this.#waiting.size === 0) this.#stopTimer()
        resolveNews()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
      this.#timer ??= this.#startTimer()
    })
  }

  #startTimer(): NodeJS.Timeout {
    const quietMs = performance.now() - this.#seenCommitAtMs
    return setTimeout(
      () => {
        this.#timer = null
        this.#check()
        if (this.#waiting.size > 0) this.#timer ??= this.#startTimer()
      },
      QUIET.find(({ afterMs }) => quietMs > afterMs)?.pollMs ?? OTHER_PROCESSES_POLL_MILLISECONDS,
    )
  }

  #check(): void {
    const { lastTxnId } = this.#root.getStats() as { readonly lastTxnId: number }
    if (lastTxnId === this.#seenCommit) return
    this.#seenCommit = lastTxnId
    this.#seenCommitAtMs = performance.now()
    this.wake()
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}

async function release(path: string): Promise<void> {
  const shared = opened.get(path)
  if (!shared) return
  shared.users--
  if (shared.users > 0) return
  opened.delete(path)
  await shared.environment.root.close()
}
