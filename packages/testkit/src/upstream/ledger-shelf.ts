// Recorded ledgers by number, for simulated upstreams. A lake is read file by file, to save memory.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '@orrery/errors'
import { readLedgerHeader } from '@orrery/ledger'
import { batchFilesOf, readBatchFile } from '../recording.ts'

/** Returns other bytes for a ledger. */
export type AlterLedger = (bytes: Uint8Array) => Uint8Array

export interface LedgerShelf {
  readonly first: number
  readonly last: number
  /** XDR of its `LedgerCloseMeta`. */
  ledger(sequence: number): Promise<Uint8Array>
}

/** Number of files that are cached unzipped: the newest one and the one being read. */
const KEPT_FILES = 4

/** The ledgers of a lake folder, or consecutive raw ones. */
export async function ledgerShelf(ledgers: string | readonly Uint8Array[]): Promise<LedgerShelf> {
  return typeof ledgers === 'string' ? lakeShelf(ledgers) : listShelf(ledgers)
}

/** The passphrase that a lake's manifest names. */
export function passphraseOfLake(lakeDir: string): string {
  return JSON.parse(readFileSync(join(lakeDir, '.config.json'), 'utf8')).networkPassphrase
}

function listShelf(ledgers: readonly Uint8Array[]): LedgerShelf {
  const bySequence = new Map(ledgers.map((bytes) => [readLedgerHeader(bytes).sequence, bytes]))
  const sequences = [...bySequence.keys()]
  return {
    first: Math.min(...sequences),
    last: Math.max(...sequences),
    ledger: async (sequence) => known(bySequence.get(sequence), sequence),
  }
}

async function lakeShelf(lakeDir: string): Promise<LedgerShelf> {
  const files = batchFilesOf(lakeDir)
  const starts = files.map((file) => Number(/--(\d+)(?:-\d+)?\.xdr\.zstd?$/.exec(file)?.[1]))
  const kept = new Map<string, Promise<readonly Uint8Array[]>>()
  const read = (file: string): Promise<readonly Uint8Array[]> => {
    const batch = kept.get(file) ?? readBatchFile(file)
    kept.delete(file)
    kept.set(file, batch)
    for (const oldest of kept.keys()) if (kept.size > KEPT_FILES) kept.delete(oldest)
    return batch
  }
  const sequencesOf = async (file: string | undefined): Promise<number[]> => {
    assert(file !== undefined, 'the lake has no files', { lakeDir })
    return (await read(file)).map((bytes) => readLedgerHeader(bytes).sequence)
  }
  return {
    first: Math.min(...(await sequencesOf(files.at(0)))),
    last: Math.max(...(await sequencesOf(files.at(-1)))),
    async ledger(sequence) {
      const file = files[starts.findLastIndex((start) => start <= sequence)]
      const batch = file === undefined ? [] : await read(file)
      return known(
        batch.find((bytes) => readLedgerHeader(bytes).sequence === sequence),
        sequence,
      )
    },
  }
}

function known(bytes: Uint8Array | undefined, sequence: number): Uint8Array {
  assert(bytes !== undefined, 'the recording has no such ledger', { sequence })
  return bytes
}
