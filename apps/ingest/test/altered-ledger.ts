// Ledgers as of an upgraded network: a recorded ledger with one 32-bit word changed.

import { OrreryError } from '@orrery/errors'
import { extractLedger, TrackedSet } from '@orrery/ledger'

/** LedgerCloseMeta: version i32 | ext (v0: 4 bytes, v1: 12 more) | hash b32 | ledgerVersion u32. */
const protocolAt = (bytes: Uint8Array): number => 40 + (viewOf(bytes).getUint32(4) === 1 ? 12 : 0)

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export function withWord(bytes: Uint8Array, at: number, word: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  viewOf(copy).setUint32(at, word)
  return copy
}

export function withProtocol(bytes: Uint8Array, version: number): Uint8Array {
  return withWord(bytes, protocolAt(bytes), version)
}

/** The same ledger with another arm of the first union of this type, which is found by the offset of the reading error. */
export function withArm(bytes: Uint8Array, type: string, arm: number): Uint8Array {
  if (type === 'LedgerCloseMeta') return withWord(bytes, 0, arm)
  for (let at = 4; at < bytes.length; at += 4) {
    if (viewOf(bytes).getUint32(at) > 8) continue // no arm of a union that we change
    const altered = withWord(bytes, at, arm)
    if (placeOf(altered) === `${type} ${at} ${arm}`) return altered
  }
  throw new Error(`The ledger has no ${type}.`)
}

/** Type, offset and value of the reading error. An error of an upgraded network has it as its cause. */
function placeOf(bytes: Uint8Array): string {
  try {
    extractLedger(bytes, TrackedSet.everything(''))
    return ''
  } catch (error) {
    const cause = error instanceof OrreryError && error.cause instanceof OrreryError ? error.cause : error
    return cause instanceof OrreryError ? `${cause.context.type} ${cause.context.offset} ${cause.context.found}` : ''
  }
}
