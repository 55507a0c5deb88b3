// Ledgers from a SEP-54 lake in a folder or behind http: recordings, public lakes, what Galexie writes.
// The next files are fetched and unpacked by other threads while the loop processes the current one.

import { setTimeout as sleep } from 'node:timers/promises'
import { OrreryError } from '@orrery/errors'
import { type LedgerBatch, readLedgerHeader } from '@orrery/ledger'
import { type Clock, systemClock } from '@orrery/service-kit'
import type { LakeFile, LakeFiles } from './lake-files.ts'
import { lakeFolder, unreadable } from './lake-folder.ts'
import { batchOf, batchPaths, LAKE_MANIFEST, type LakeManifest, readLakeManifest } from './lake-layout.ts'
import { MANIFEST_BYTES, mostBytesOf, tooLarge } from './lake-limits.ts'
import type { LedgerSource, LedgerSpan, SourceLedger, SourceRange } from './ledger-source.ts'
import { spanText } from './out-of-range.ts'
import { TailPace } from './tail-pace.ts'
import { freeMemory, type NoLedgers, unpackInThread } from './unpacking-threads.ts'
import { brokenFile } from './unreadable-ledger.ts'

/** Most ledgers that are read ahead, in whole files: a mainnet ledger has about a megabyte unpacked. */
const LEDGERS_AHEAD = 256
const FEWEST_FILES_AHEAD = 2
/** Of these, most that are unpacked: enough work for the threads. What more of them hold leaves the processor's cache before it is read. */
const UNPACKED_AHEAD = 8
/** How often a file that cannot be unpacked is read again: it may be in the middle of being written. */
const READ_ATTEMPTS = 3
const READ_PAUSE_MS = 500
/** After this many requests for the next file of a followed lake, later files are looked for: the next one may be missing. */
const LOOK_EVERY = 8

interface Batch {
  /** Its file, without credentials. */
  readonly place: string
  readonly start: number
  /** Last ledger that can be read: `start - 1` where the first one cannot be. */
  readonly end: number
  readonly ledgers: readonly Uint8Array[]
  /** Why the file holds more than this build can read. */
  readonly unread: OrreryError | null
}

interface LoadOptions {
  /** Whether a ledger that is alone in its file is checked. Extraction does it as well, so a file that is only read on is not. */
  readonly checksSingle: boolean
  readonly signal?: AbortSignal
  /** When the file may be unpacked. Default: at once. */
  readonly turn?: Promise<void>
}

const CHECKED: LoadOptions = { checksSingle: true }

interface Ahead {
  readonly first: number
  readonly batch: Promise<Batch | null>
  /** Lets it be unpacked. */
  readonly unpack: () => void
}

export interface LakeSourceOptions {
  /** Wait for new files. Otherwise reading ends with the last file. */
  readonly follows: boolean
  readonly clock?: Clock
}

/** The lake in a folder, or in `files`. Errors: `invalid`/`lake_manifest_broken` on first use when its `.config.json` is missing or cannot be used. */
export function lakeSource(lake: string | LakeFiles, options: LakeSourceOptions = { follows: false }): LedgerSource {
  return new LakeSource(typeof lake === 'string' ? lakeFolder(lake) : lake, options)
}

class LakeSource implements LedgerSource {
  readonly ends: boolean
  readonly #files: LakeFiles
  readonly #clock: Clock
  #manifest: Promise<LakeManifest> | undefined
  /** First ledger of the lake. It stays the first. */
  #first: number | null = null
  /** The newest file that was found, and its ledgers. */
  #newest: { readonly path: string; readonly batch: Batch } | null = null

  constructor(files: LakeFiles, { follows, clock = systemClock }: LakeSourceOptions) {
    this.#files = files
    this.#clock = clock
    this.ends = !follows
  }

  get describe(): string {
    return `the lake in ${this.#files.where}`
  }

  async passphrase(): Promise<string> {
    return (await this.#theManifest()).networkPassphrase
  }

  /** From the first ledger of the oldest file to the last one of the newest. Missing files in between are reported when reading reaches them. */
  async range(): Promise<SourceRange> {
    const manifest = await this.#theManifest()
    const oldest = this.#first === null ? await this.#files.oldest(manifest) : null
    if (oldest) this.#first = (await this.#load(oldest.first, CHECKED))?.start ?? null
    const newest = await this.#files.newest(manifest)
    if (newest && this.#newest?.path !== newest.path) {
      const batch = await this.#load(newest.first, CHECKED)
      if (batch) this.#newest = { path: newest.path, batch }
    }
    const last = this.#newest?.batch
    const lastLedger = last?.ledgers.at(-1)
    if (this.#first === null || !last || last.end < this.#first) throw last?.unread ?? this.#empty()
    // If the first ledger of the newest file cannot be read, the last readable ledger is known but its close time is not.
    const lastCloseTimeSeconds = lastLedger === undefined ? null : readLedgerHeader(lastLedger).closeTimeSeconds
    return { first: this.#first, last: last.end, lastCloseTimeSeconds }
  }

  async *read(from: number, signal: AbortSignal): AsyncIterable<SourceLedger> {
    try {
      yield* this.#read(from, signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  async *#read(from: number, signal: AbortSignal): AsyncIterable<SourceLedger> {
    const manifest = await this.#theManifest()
    const pace = new TailPace(this.#clock)
    const ahead: Ahead[] = []
    let next = from
    let [misses, waits] = [0, 0]
    while (!signal.aborted) {
      this.#fetchAhead(ahead, next, manifest, signal)
      const batch = (await ahead.shift()?.batch) ?? null
      if (batch?.unread && batch.end < next) throw batch.unread
      // The file that should hold the ledger may exist and end before it: the newest file of a truncated lake is short.
      if (batch === null || batch.end < next) {
        ahead.length = 0
        // A lake ends where no later file exists; otherwise files are missing, or one has just been written.
        const isLooking = this.ends || misses > 0 || next <= (this.#newest?.batch.end ?? 0) || ++waits % LOOK_EVERY === 0
        const later = isLooking ? await this.#files.firstFrom(batchOf(next, manifest).last + 1, manifest) : null
        if (later === null && this.ends) return
        if (later === null) await pace.pause(signal)
        else if (++misses >= READ_ATTEMPTS) throw this.#missing({ first: next, last: later.first - 1 })
        else await sleep(READ_PAUSE_MS, undefined, { signal })
        continue
      }
      misses = 0
      pace.arrived(1)
      for (const [n, bytes] of batch.ledgers.entries()) {
        const sequence = batch.start + n
        if (sequence < next) continue
        if (sequence > next) throw this.#missing({ first: next, last: sequence - 1 })
        if (signal.aborted) return
        // The ledgers of a file share its memory.
        const ledger = { sequence, bytes, file: batch.place }
        yield sequence === batch.end ? { ...ledger, release: () => freeMemory(bytes) } : ledger
        next = sequence + 1
      }
      if (batch.unread !== null) throw batch.unread
    }
  }

  /** At the end of a followed lake, only the next file is requested. */
  #fetchAhead(ahead: Ahead[], next: number, manifest: LakeManifest, signal: AbortSignal): void {
    const size = manifest.ledgersPerBatch
    const atOnce = Math.min(this.#files.filesAhead, Math.max(FEWEST_FILES_AHEAD, Math.floor(LEDGERS_AHEAD / size)))
    const end = this.ends ? Number.POSITIVE_INFINITY : (this.#newest?.batch.end ?? 0)
    const wanted = batchOf(next, manifest).first
    if (ahead[0]?.first !== wanted) ahead.length = 0
    while (ahead.length < atOnce) {
      const first = wanted + ahead.length * size
      if (ahead.length > 0 && first > end) break
      const { promise: turn, resolve: unpack } = Promise.withResolvers<void>()
      const batch = this.#load(first, { checksSingle: false, signal, turn })
      batch.catch(() => undefined) // thrown where it is awaited; without this it would be an unhandled rejection
      ahead.push({ first, batch, unpack })
    }
    for (const { unpack } of ahead.slice(0, UNPACKED_AHEAD)) unpack()
  }

  /** The batch that holds `ledger`, or null when there is no such file. */
  async #load(ledger: number, options: LoadOptions): Promise<Batch | null> {
    const manifest = await this.#theManifest()
    for (const path of batchPaths(ledger, manifest)) {
      const batch = await this.#loadFile({ path, ...batchOf(ledger, manifest) }, options)
      if (batch) return batch
    }
    return null
  }

  async #loadFile(file: LakeFile, { checksSingle, signal, turn }: LoadOptions): Promise<Batch | null> {
    const mostBytes = mostBytesOf(await this.#theManifest())
    const place = `${this.#files.where}/${file.path}`
    for (let attempt = 1; ; attempt++) {
      const packed = this.#files.pathOf?.(file.path) ?? (await this.#files.read(file.path, mostBytes, signal))
      if (packed === null) return null
      await turn
      try {
        const found = await unpackInThread({ packed, mostBytes, checksSingle })
        if ('kind' in found) return noBatch(found, place, mostBytes)
        // Reading the file again would not help where a newer build is needed, and the ledgers before are complete.
        return { ...asNamed(found, file), place, unread: found.unread?.with({ path: place }) ?? null }
      } catch (error) {
        if (error instanceof OrreryError) throw error
        if (attempt >= READ_ATTEMPTS) throw brokenFile(place, { first: file.first, last: file.last }, error)
        await sleep(READ_PAUSE_MS, undefined, signal ? { signal } : {})
      }
    }
  }

  #theManifest(): Promise<LakeManifest> {
    this.#manifest ??= this.#loadManifest()
    return this.#manifest
  }

  async #loadManifest(): Promise<LakeManifest> {
    const { where } = this.#files
    for (let attempt = 1; ; attempt++) {
      const bytes = await this.#files.read(LAKE_MANIFEST, MANIFEST_BYTES)
      if (!bytes) break
      try {
        return readLakeManifest(new TextDecoder().decode(bytes), `${LAKE_MANIFEST} in ${where}`)
      } catch (error) {
        if (attempt >= READ_ATTEMPTS) throw error // otherwise it may be in the middle of being written, or a proxy has answered
        await sleep(READ_PAUSE_MS)
      }
    }
    const message = `There is no lake in ${where}: it has no ${LAKE_MANIFEST}. Name the folder or the address that holds ${LAKE_MANIFEST}.`
    throw new OrreryError('invalid', 'lake_manifest_broken', message)
  }

  #empty(): OrreryError {
    const message = `The lake in ${this.#files.where} has no ledgers where they were looked for. Nothing was started. If it begins late, name one of its ledgers with --from-ledger.${this.#files.absentNote}`
    return new OrreryError('invalid', 'lake_empty', message)
  }

  #missing(span: LedgerSpan): OrreryError {
    const { where, absentNote } = this.#files
    const message = `In the lake in ${where} ${spanText(span)} ${span.first === span.last ? 'is' : 'are'} missing, while later ones exist. Everything before ${span.first} is complete and stored. Fetch the missing files, then start again: ingest continues from there.${absentNote}`
    return new OrreryError('corrupt', 'ledgers_missing', message, { context: { directory: where, ...span } })
  }
}

/** Null where the file is absent. @throws OrreryError where it cannot be read. */
function noBatch(found: NoLedgers, place: string, mostBytes: number): null {
  if (found.kind === 'too_large') throw tooLarge(place, found.how, mostBytes)
  if (found.kind === 'unreadable') throw unreadable(place, found.reason)
  return null
}

/** @throws an error when the batch is not the one that the file's name states. */
function asNamed(batch: LedgerBatch, file: LakeFile): LedgerBatch {
  const whole = batch.unread !== null || batch.ledgers.length === batch.end - batch.start + 1
  // The oldest file of a network may begin late: there is no ledger 0, and some lakes begin at 2 or 3.
  const isAsNamed = batch.start >= file.first && batch.end <= file.last
  if (!whole || !isAsNamed) throw new Error(`it names ledgers ${batch.start} to ${batch.end} and holds ${batch.ledgers.length}`)
  return { ...batch, end: batch.start + batch.ledgers.length - 1 }
}
