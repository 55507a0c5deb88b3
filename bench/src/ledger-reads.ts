// The reads that a walk of a ledger makes, and the time that they take without anything else: no walk of the same grammar in this language is faster, since where
// a field begins is known only from the lengths and arms before it.

import { once } from 'node:events'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { extractLedger } from '@orrery/ledger'
import { material, trackedOf } from './ledger-material.ts'

const READERS = ['getUint32', 'getInt32', 'getUint8', 'getBigUint64', 'getBigInt64'] as const

/**
 * Of each ledger the offsets that extracting reads, in the order of reading. They are noted in a thread of their own: a replaced function stays slow in
 * the thread that replaced it.
 */
export async function readsOfLedgers(): Promise<readonly Int32Array[]> {
  const [reads] = (await once(new Worker(new URL(import.meta.url)), 'message')) as [readonly Int32Array[]]
  return reads
}

/** 0, which the compiler cannot know. */
const nothing = Number(process.argv.length < 0)

/** Reads four bytes at each offset. Each offset is known only after the read before it, as in a walk. */
export function repeatReads(ledger: Uint8Array, offsets: Int32Array): number {
  const view = new DataView(ledger.buffer, ledger.byteOffset, ledger.byteLength)
  const last = ledger.byteLength - 4
  let value = 0
  for (let n = 0; n < offsets.length; n++) value = view.getUint32(Math.min((offsets[n] as number) + (value & nothing), last))
  return value
}

async function noteReads(): Promise<readonly Int32Array[]> {
  const found = await material()
  const tracked = trackedOf(found)
  let offsets: number[] = []
  let ledger = new Uint8Array()
  for (const name of READERS) {
    const read = DataView.prototype[name]
    const noting = function (this: DataView, at: number, littleEndian?: boolean): unknown {
      if (this.buffer === ledger.buffer) offsets.push(this.byteOffset + at - ledger.byteOffset)
      return Reflect.apply(read, this, [at, littleEndian])
    }
    Object.defineProperty(DataView.prototype, name, { value: noting })
  }
  return found.ledgers.map((one) => {
    offsets = []
    ledger = new Uint8Array(one)
    extractLedger(ledger, tracked)
    return Int32Array.from(offsets)
  })
}

if (!isMainThread) parentPort?.postMessage(await noteReads())
