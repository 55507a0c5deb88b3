// Threads that unpack the files of lakes, while this one processes ledgers. All lakes of a process share them; the first file starts them.

import { availableParallelism } from 'node:os'
import { type LedgerBatch, readBatch } from '@orrery/ledger'
import { Piscina } from 'piscina'
import type { PackedBatch, UnpackedBatch } from './unpack-batch.ts'

/** More threads than this unpack faster than one thread processes ledgers. */
const MOST_THREADS = 4
/** At the tip a lake has a new file every few seconds at most: threads that have nothing to do end, but for one. */
const IDLE_MS = 10_000

let threads: Piscina<PackedBatch, UnpackedBatch> | undefined

/** Why a file gives no ledgers. */
export type NoLedgers = Extract<UnpackedBatch, { readonly kind: 'absent' | 'unreadable' | 'too_large' }>

/**
 * The ledgers of a zstd file that is a `LedgerCloseMetaBatch`.
 * @param file `packed`: if these are bytes, their memory is given to the thread where that is possible, so they cannot be used again.
 * @throws an error with the reason when the file is no batch.
 */
export async function unpackInThread(file: PackedBatch): Promise<LedgerBatch | NoLedgers> {
  const { packed } = file
  const unpacked = await running().run(file, typeof packed === 'string' ? {} : { transferList: ownMemory(packed) })
  if (unpacked.kind === 'broken') throw new Error(unpacked.reason)
  if (unpacked.kind === 'newer') return readBatch(unpacked.bytes)
  if (unpacked.kind !== 'whole') return unpacked
  const { bytes, start, begin, ends } = unpacked
  const ledgers = Array.from(ends, (end, n) => bytes.subarray(n === 0 ? begin : ends[n - 1], end))
  return { start, end: start + ledgers.length - 1, ledgers, unread: null }
}

/** The memory of `bytes` if nothing else is in it. */
function ownMemory({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
}

/** Frees the memory of a file whose ledgers are no longer used. What is left of `ledger`, and of the others, is empty. */
export function freeMemory({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

function running(): Piscina<PackedBatch, UnpackedBatch> {
  threads ??= new Piscina<PackedBatch, UnpackedBatch>({
    filename: import.meta.resolve('./unpack-batch.ts'),
    minThreads: 1,
    maxThreads: Math.min(MOST_THREADS, availableParallelism()),
    idleTimeout: IDLE_MS,
    concurrentTasksPerWorker: 4,
    // Options of this process, such as those of a test runner, are not for threads that only unpack.
    execArgv: [],
  })
  return threads
}
