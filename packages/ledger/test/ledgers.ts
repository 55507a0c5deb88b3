// Ledgers for comparisons: the shipped recording, and real and unusual ones if the folder beside the repository has them.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readUnzipped, sharedDir } from '@orrery/testkit'
import { readBatch } from '../src/index.ts'

export const FORGE = 'Orrery Forge Network ; September 2026'
export const PUBNET = 'Public Global Stellar Network ; September 2015'
export const LOAD_TEST = 'Apply Load'
export const CORE_TESTS = '(V) (;,,;) (V)'

const shared = sharedDir()
export const sharedLedgers = shared === null ? null : join(shared, 'ledgers')

/** A file of single ledgers, of a batch, or of ledgers in frames. */
export async function ledgersIn(file: string): Promise<readonly Uint8Array[]> {
  const bytes = await readUnzipped(file)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0) >>> 31 === 1) return unframe(bytes, view)
  // A batch begins with a sequence, a ledger with its version.
  return view.getUint32(0) > 2 ? readBatch(bytes).ledgers : [bytes]
}

/** RFC 5531 record marks: the high bit marks the last fragment, the rest is its length. */
function unframe(bytes: Uint8Array, view: DataView): Uint8Array[] {
  const ledgers: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + (view.getUint32(at) & 0x7fffffff)
    ledgers.push(bytes.subarray(at + 4, end))
    at = end
  }
  return ledgers
}

export function filesIn(folder: string): string[] {
  return sharedLedgers === null ? [] : readdirSync(join(sharedLedgers, folder)).map((name) => join(sharedLedgers, folder, name))
}
