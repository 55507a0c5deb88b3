// A SEP-54 lake in a local folder: recordings, copies of public lakes, what Galexie writes to a file system.
// The next batch is unpacked by another thread while the loop works on this one.

import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { OrreryError, reasonOf } from '@orrery/errors'
import { readBatch } from '@orrery/ledger'
import {
  batchOf,
  batchPaths,
  LAKE_MANIFEST,
  type LakeManifest,
  type NamedRange,
  readBatchName,
  readLakeManifest,
  readPartitionName,
} from './lake-layout.ts'
import type { LedgerSource, SourceLedger, SourceRange } from './ledger-source.ts'

const unzip = promisify(zstdDecompress)

interface Batch {
  readonly start: number
  readonly end: number
  readonly ledgers: readonly Uint8Array[]
}

interface LakeFile extends NamedRange {
  readonly path: string
}

/**
 * The lake in `directory`.
 * @throws OrreryError `invalid`/`lake_manifest_broken` on first use when its `.config.json` is missing or cannot be used.
 */
export function lakeSource(directory: string): LedgerSource {
  let manifest: Promise<LakeManifest> | undefined
  const theManifest = (): Promise<LakeManifest> => {
    manifest ??= loadManifest(directory)
    return manifest
  }
  return {
    describe: `the lake in ${directory}`,
    ends: true,
    passphrase: async () => (await theManifest()).networkPassphrase,
    range: async () => rangeOfLake(directory, await theManifest()),
    read: (from, signal) => readLake(directory, theManifest, from, signal),
  }
}

async function loadManifest(directory: string): Promise<LakeManifest> {
  const path = join(directory, LAKE_MANIFEST)
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const message = `There is no lake in ${directory}: its manifest ${LAKE_MANIFEST} cannot be read. Name the folder that holds ${LAKE_MANIFEST}.`
    throw new OrreryError('invalid', 'lake_manifest_broken', message, { cause })
  })
  return readLakeManifest(text, path)
}

/** From the first ledger of the oldest file to the last one of the newest. What is missing in between is told when it is read. */
async function rangeOfLake(directory: string, manifest: LakeManifest): Promise<SourceRange> {
  const oldest = await outermostFile(directory, manifest, (a, b) => a.first - b.first)
  const newest = await outermostFile(directory, manifest, (a, b) => b.first - a.first)
  if (!oldest || !newest)
    throw new OrreryError('invalid', 'lake_empty', `The lake in ${directory} has no ledgers.`, { context: { directory } })
  return { first: (await loadBatch(oldest)).start, last: (await loadBatch(newest)).end }
}

async function* readLake(
  directory: string,
  theManifest: () => Promise<LakeManifest>,
  from: number,
  signal: AbortSignal,
): AsyncIterable<SourceLedger> {
  const manifest = await theManifest()
  const load = (ledger: number): Promise<Batch | null> => {
    const loading = findBatch(directory, manifest, ledger)
    loading.catch(() => undefined) // told where it is awaited; without this a read-ahead that fails would end the process
    return loading
  }
  let next = from
  let ahead = load(next)
  while (!signal.aborted) {
    const batch = await ahead
    // The file that would hold it may be there and end before it: the newest one of a lake that was cut is short.
    if (batch === null || batch.end < next) {
      await refuseGap(directory, manifest, next)
      return
    }
    ahead = load(batch.end + 1)
    for (const [n, bytes] of batch.ledgers.entries()) {
      const sequence = batch.start + n
      if (sequence < next) continue
      if (sequence > next) throw ledgersMissing(directory, next, sequence - 1)
      if (signal.aborted) return
      yield { sequence, bytes }
      next = sequence + 1
    }
  }
}

/** The batch that holds `ledger`, or null when there is no such file. */
async function findBatch(directory: string, manifest: LakeManifest, ledger: number): Promise<Batch | null> {
  for (const name of batchPaths(ledger, manifest)) {
    const path = join(directory, name)
    const packed = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw unreadable(path, error)
    })
    if (packed) return unpackBatch(packed, { path, ...batchOf(ledger, manifest) })
  }
  return null
}

async function loadBatch(file: LakeFile): Promise<Batch> {
  const packed = await readFile(file.path).catch((error: unknown) => {
    throw unreadable(file.path, error)
  })
  return unpackBatch(packed, file)
}

async function unpackBatch(packed: Uint8Array, file: LakeFile): Promise<Batch> {
  let batch: Batch
  try {
    batch = readBatch(await unzip(packed))
  } catch (cause) {
    throw fileBroken(file.path, reasonOf(cause), cause)
  }
  const whole = batch.ledgers.length === batch.end - batch.start + 1
  // The oldest file of a network may begin late: there is no ledger 0, and some lakes begin at 2 or 3.
  if (!whole || batch.start < file.first || batch.end > file.last) {
    throw fileBroken(file.path, `it says ledgers ${batch.start} to ${batch.end} and holds ${batch.ledgers.length}`)
  }
  return batch
}

/** The end of a lake is where no later file exists; anything else is a hole. */
async function refuseGap(directory: string, manifest: LakeManifest, missing: number): Promise<void> {
  const later = await outermostFile(directory, manifest, (a, b) => a.first - b.first, missing)
  if (later) throw ledgersMissing(directory, missing, later.first - 1)
}

/** The first file in the given order, among those that begin at `from` or later. Looks into as few folders as it can. */
async function outermostFile(
  directory: string,
  manifest: LakeManifest,
  order: (a: NamedRange, b: NamedRange) => number,
  from = 0,
): Promise<LakeFile | null> {
  const folders =
    manifest.batchesPerPartition === 1 ? [{ path: directory, first: 0, last: 0xffff_ffff }] : await listed(directory, readPartitionName)
  for (const folder of folders.sort(order)) {
    if (folder.last < from) continue
    const [file] = (await listed(folder.path, readBatchName)).filter(({ first }) => first >= from).sort(order)
    if (file) return file
  }
  return null
}

async function listed(directory: string, read: (name: string) => NamedRange | null): Promise<LakeFile[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    throw unreadable(directory, error)
  })
  return names.flatMap((name) => {
    const range = read(name)
    return range ? [{ path: join(directory, name), ...range }] : []
  })
}

function ledgersMissing(directory: string, first: number, last: number): OrreryError {
  const which = first === last ? `ledger ${first} is` : `ledgers ${first} to ${last} are`
  const message = `In the lake in ${directory} ${which} missing, while later ones are there. Everything before ${first} is whole and kept. Fetch the missing files, then start again: it goes on from there.`
  return new OrreryError('corrupt', 'ledgers_missing', message, { context: { directory, first, last } })
}

function fileBroken(path: string, problem: string, cause?: unknown): OrreryError {
  const message = `The lake file ${basename(path)} is broken: ${problem}. Everything before it is whole and kept. Fetch the file again (${path}), then start again.`
  return new OrreryError('corrupt', 'lake_file_broken', message, { context: { path }, cause })
}

function unreadable(path: string, cause: unknown): OrreryError {
  return new OrreryError(
    'unavailable',
    'source_unreachable',
    `${path} cannot be read: ${reasonOf(cause)}. Nothing is lost; start again when it can be.`,
    { cause },
  )
}
