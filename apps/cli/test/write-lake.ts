// Built ledgers as a SEP-54 lake, in whatever cut a test wants.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { readLedgerHeader, XdrWriter } from '@orrery/ledger'

export interface LakeCut {
  readonly passphrase: string
  readonly ledgersPerBatch: number
  readonly batchesPerPartition: number
  readonly extension: 'xdr.zst' | 'xdr.zstd'
}

/** Writes the files that are whole with `ledgers`; the first and the last one may be short. Writing more later adds to them. */
export function writeLake(directory: string, ledgers: readonly Uint8Array[], cut: LakeCut): void {
  const { passphrase, ledgersPerBatch, batchesPerPartition, extension } = cut
  mkdirSync(directory, { recursive: true })
  writeFileSync(
    join(directory, '.config.json'),
    JSON.stringify({ networkPassphrase: passphrase, compression: 'zstd', ledgersPerBatch, batchesPerPartition, version: '1.0' }),
  )
  const startOf = (sequence: number, size: number): number => sequence - (sequence % size)
  const named = (first: number, size: number): string => {
    const reversed = (0xffff_ffff - first).toString(16).toUpperCase().padStart(8, '0')
    return size === 1 ? `${reversed}--${first}` : `${reversed}--${first}-${first + size - 1}`
  }
  for (const [first, batch] of Map.groupBy(ledgers, (bytes) => startOf(readLedgerHeader(bytes).sequence, ledgersPerBatch))) {
    const sequences = batch.map((bytes) => readLedgerHeader(bytes).sequence)
    const writer = new XdrWriter().u32(sequences.at(0) ?? 0).u32(sequences.at(-1) ?? 0)
    writer.array(batch, (bytes) => writer.raw(bytes))
    const size = ledgersPerBatch * batchesPerPartition
    const folder = batchesPerPartition === 1 ? '' : named(startOf(first, size), size)
    const file = join(directory, folder, `${named(first, ledgersPerBatch)}.${extension}`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, zstdCompressSync(writer.done()))
  }
}
