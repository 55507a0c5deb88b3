// A lake in a local folder. Its files can be listed, and names begin with 2^32 - 1 minus the first ledger, so few folders must be read.

import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { OrreryError, reasonOf } from '@orrery/errors'
import type { LakeFile, LakeFiles } from './lake-files.ts'
import { type LakeManifest, readBatchName, readPartitionName } from './lake-layout.ts'
import { tooLarge } from './lake-limits.ts'
import type { LedgerSpan } from './ledger-source.ts'
import { isAbsent } from './unpack-batch.ts'

type Order = (a: LedgerSpan, b: LedgerSpan) => number
const ASCENDING: Order = (a, b) => a.first - b.first
const DESCENDING: Order = (a, b) => b.first - a.first

/** Its files are read by the threads that unpack them: this is enough work for them. */
const FILES_AHEAD = 8

export function lakeFolder(directory: string): LakeFiles {
  return {
    where: directory,
    filesAhead: FILES_AHEAD,
    absentNote: '',
    pathOf: (path) => join(directory, path),
    read: (path, mostBytes) => readUpTo(join(directory, path), mostBytes),
    oldest: (manifest) => outermost(directory, manifest, ASCENDING),
    newest: (manifest) => outermost(directory, manifest, DESCENDING),
    firstFrom: (from, manifest) => outermost(directory, manifest, ASCENDING, from),
  }
}

async function readUpTo(path: string, mostBytes: number): Promise<Uint8Array | null> {
  try {
    await using file = await open(path)
    const { size } = await file.stat()
    if (size > mostBytes) throw tooLarge(path, 'packed', mostBytes)
    return await file.readFile()
  } catch (error) {
    if (error instanceof OrreryError) throw error
    if (isAbsent(error)) return null
    throw unreadable(path, reasonOf(error))
  }
}

/** The first file in the given order, among those that begin at `from` or later. */
async function outermost(directory: string, manifest: LakeManifest, order: Order, from = 0): Promise<LakeFile | null> {
  const all = [{ path: '', first: 0, last: 0xffff_ffff }]
  const folders = manifest.batchesPerPartition === 1 ? all : await listed(directory, '', readPartitionName)
  for (const folder of folders.sort(order)) {
    if (folder.last < from) continue
    const [file] = (await listed(directory, folder.path, readBatchName)).filter(({ first }) => first >= from).sort(order)
    if (file) return file
  }
  return null
}

async function listed(directory: string, folder: string, read: (name: string) => LedgerSpan | null): Promise<LakeFile[]> {
  const names = await readdir(join(directory, folder)).catch((error: unknown) => {
    throw unreadable(join(directory, folder), reasonOf(error))
  })
  return names.flatMap((name) => {
    const span = read(name)
    return span ? [{ path: join(folder, name), ...span }] : []
  })
}

/** A file or folder of the lake that exists and cannot be read. */
export function unreadable(path: string, reason: string): OrreryError {
  const message = `${path} cannot be read: ${reason}. Nothing is lost; start again when it is readable.`
  return new OrreryError('unavailable', 'source_unreachable', message)
}
