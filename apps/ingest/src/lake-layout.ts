// Names in a SEP-54 lake: `<partition>/<batch>.xdr.zst`, each beginning with 0xFFFFFFFF minus its first ledger,
// so that the newest sorts first. Galexie before v23 wrote `.xdr.zstd`.

import { OrreryError } from '@orrery/errors'
import { z } from 'zod'
import type { LedgerSpan } from './ledger-source.ts'

export const LAKE_MANIFEST = '.config.json'
const EXTENSIONS = ['.xdr.zst', '.xdr.zstd'] as const

const Manifest = z.object({
  networkPassphrase: z.string().min(1),
  compression: z.literal('zstd'),
  ledgersPerBatch: z.int().positive(),
  batchesPerPartition: z.int().positive(),
})

export type LakeManifest = z.output<typeof Manifest>

/** @throws OrreryError `invalid`/`lake_manifest_broken` naming every problem. */
export function readLakeManifest(text: string, where: string): LakeManifest {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new OrreryError('invalid', 'lake_manifest_broken', `The manifest ${where} is not JSON. Nothing was read from this lake.`, {
      cause,
    })
  }
  const read = Manifest.safeParse(json)
  if (read.success) return read.data
  const problems = read.error.issues.map((issue) => `  ${issue.path.join('.') || 'manifest'}: ${issue.message}`).join('\n')
  throw new OrreryError(
    'invalid',
    'lake_manifest_broken',
    `The manifest ${where} cannot be used. Nothing was read from this lake.\n${problems}`,
  )
}

/** Range of the batch that holds `ledger`. */
export function batchOf(ledger: number, { ledgersPerBatch }: LakeManifest): LedgerSpan {
  return rangeOf(ledger, ledgersPerBatch)
}

/** Possible paths of the batch that holds `ledger`, the current extension first. */
export function batchPaths(ledger: number, manifest: LakeManifest): string[] {
  const batch = rangeOf(ledger, manifest.ledgersPerBatch)
  const name = manifest.ledgersPerBatch === 1 ? `${reversed(batch.first)}--${batch.first}` : nameOf(batch)
  const folder =
    manifest.batchesPerPartition === 1 ? '' : `${nameOf(rangeOf(ledger, manifest.ledgersPerBatch * manifest.batchesPerPartition))}/`
  return EXTENSIONS.map((extension) => `${folder}${name}${extension}`)
}

/** The range that a batch file's name states, or null for any other name. */
export function readBatchName(name: string): LedgerSpan | null {
  const extension = EXTENSIONS.find((one) => name.endsWith(one))
  return extension === undefined ? null : readName(name.slice(0, -extension.length))
}

/** The range that a partition folder's name states, or null for any other name. */
export function readPartitionName(name: string): LedgerSpan | null {
  return readName(name)
}

function readName(name: string): LedgerSpan | null {
  const match = /^([0-9A-F]{8})--(\d+)(?:-(\d+))?$/.exec(name)
  if (!match) return null
  const first = Number(match[2])
  const last = match[3] === undefined ? first : Number(match[3])
  return match[1] === reversed(first) && last >= first ? { first, last } : null
}

function rangeOf(ledger: number, size: number): LedgerSpan {
  const first = ledger - (ledger % size)
  return { first, last: first + size - 1 }
}

function nameOf({ first, last }: LedgerSpan): string {
  return `${reversed(first)}--${first}-${last}`
}

function reversed(ledger: number): string {
  return (0xffff_ffff - ledger).toString(16).toUpperCase().padStart(8, '0')
}
