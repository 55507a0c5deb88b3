// A lake of one file with any bytes: for files that no writer of lakes would make.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { batchPaths } from '../src/lake-layout.ts'

/** The manifest of the lake. */
export const manifestOf = (ledgersPerBatch: number) =>
  ({ networkPassphrase: 'a', compression: 'zstd', ledgersPerBatch, batchesPerPartition: 1 }) as const

/** Fills `folder` with a lake whose only file, of the ledgers from 64 on, holds `packed`. Returns the folder. */
export function lakeOf(folder: string, ledgersPerBatch: number, packed: Uint8Array): string {
  const manifest = manifestOf(ledgersPerBatch)
  const [path = ''] = batchPaths(64, manifest)
  writeFileSync(join(folder, '.config.json'), JSON.stringify(manifest))
  mkdirSync(join(folder, dirname(path)), { recursive: true })
  writeFileSync(join(folder, path), packed)
  return folder
}
