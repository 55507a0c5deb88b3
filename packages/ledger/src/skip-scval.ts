// Finds the end of an ScVal without allocating. Half of a ledger's bytes are ScVals, so this is the hottest loop.
// It counts remaining values instead of calling itself, so nesting uses no stack.

import { DEPTH_LIMIT, unknownArm, unreadable } from './unreadable.ts'

const VEC = 16
const MAP = 17
const INSTANCE = 19

/**
 * @param at Begin of the value, in bytes from the view's start.
 * @returns Its end.
 * @throws OrreryError `corrupt`/`ledger_unreadable`; RangeError where the view ends before the value does.
 */
export function skipScVal(view: DataView, at: number): number {
  return skipScVals(view, at, 1)
}

/** Skips `count` values that follow each other. */
export function skipScVals(view: DataView, at: number, count: number): number {
  let p = at
  /** Remaining values of all open containers. */
  let left = count
  /** Number of containers. While it does not exceed the limit, no container can be deeper. */
  let containers = 0
  while (left > 0) {
    left--
    const arm = view.getUint32(p)
    p += 4
    switch (arm) {
      case 1: // void
      case 20: // instance key
        break
      case 0: // bool
        if (view.getUint32(p) > 1) throw unreadable('ScVal.bool', p, `a flag is ${view.getUint32(p)}`, view.getUint32(p))
        p += 4
        break
      case 3: // u32
      case 4: // i32
        p += 4
        break
      case 2: // error
        p = skipScError(view, p)
        break
      case 5: // u64
      case 6: // i64
      case 7: // timepoint
      case 8: // duration
      case 21: // nonce key
        p += 8
        break
      case 9: // u128
      case 10: // i128
        p += 16
        break
      case 11: // u256
      case 12: // i256
        p += 32
        break
      case 13: // bytes
      case 14: // string
      case 22: // executable tag
        p = skipOpaque(view, p, 0xffffffff, 'ScVal.bytes')
        break
      case 15: // symbol
        p = skipOpaque(view, p, 32, 'ScVal.symbol')
        break
      case 18: // address
        p = skipScAddress(view, p)
        break
      case VEC:
      case MAP:
      case INSTANCE: {
        // An instance is its executable and then a map.
        if (arm === INSTANCE) p = skipExecutable(view, p)
        const present = view.getUint32(p)
        p += 4
        if (present === 0) break
        if (present !== 1) throw unreadable('ScVal', p - 4, `a flag is ${present}`, present)
        const items = view.getUint32(p) * (arm === VEC ? 1 : 2)
        // A value takes at least four bytes: a count that cannot fit is refused here, not at the end of the ledger.
        if (items * 4 > view.byteLength - p)
          throw unreadable('ScVal', p, `${view.getUint32(p)} items are announced, more than can follow`, items)
        p += 4
        left += items
        if (++containers === DEPTH_LIMIT + 1) checkDepth(view, at, count)
        break
      }
      default:
        throw unknownArm('ScVal', p - 4, arm)
    }
  }
  return p
}

/** Walks values with many containers again, with the depth of each. */
function checkDepth(view: DataView, at: number, count: number): void {
  /** Remaining values of each enclosing container. */
  const around: number[] = []
  let p = at
  let left = count
  for (;;) {
    while (left === 0) {
      const outer = around.pop()
      if (outer === undefined) return
      left = outer
    }
    left--
    const arm = view.getUint32(p)
    if (arm !== VEC && arm !== MAP && arm !== INSTANCE) {
      p = skipScVals(view, p, 1)
      continue
    }
    const headAt = arm === INSTANCE ? skipExecutable(view, p + 4) : p + 4
    p = headAt + 4
    if (view.getUint32(headAt) === 0) continue
    if (around.length >= DEPTH_LIMIT) throw unreadable('ScVal', headAt, `values nested deeper than ${DEPTH_LIMIT}`, around.length)
    around.push(left)
    left = view.getUint32(p) * (arm === VEC ? 1 : 2)
    p += 4
  }
}

/** Length, bytes and zero padding. */
export function skipOpaque(view: DataView, p: number, limit: number, type: string): number {
  const length = view.getUint32(p)
  const from = p + 4
  if (length > limit) throw unreadable(type, p, `a length is ${length}, the limit ${limit}`, length)
  if (length > view.byteLength - from) throw unreadable(type, p, `a length is ${length}, ${view.byteLength - from} bytes are left`, length)
  const spare = length & 3
  if (spare === 0) return from + length
  const last = from + length - spare
  // The bits after the last byte.
  if (view.getInt32(last) << (spare * 8) !== 0) throw unreadable(type, last, 'padding is not zero')
  return last + 4
}

export function skipScAddress(view: DataView, p: number): number {
  const arm = view.getUint32(p)
  switch (arm) {
    case 1: // contract
    case 4: // liquidity pool
      return p + 36
    case 0: // account
    case 3: // claimable balance
      if (view.getUint32(p + 4) !== 0) throw unknownArm('ScAddress', p + 4, view.getUint32(p + 4))
      return p + 40
    case 2: // muxed account
    case 5: // muxed contract (P30)
      return p + 44
    default:
      throw unknownArm('ScAddress', p, arm)
  }
}

export function skipExecutable(view: DataView, p: number): number {
  const arm = view.getUint32(p)
  if (arm === 0) return p + 36
  if (arm === 1) return p + 4
  if (arm !== 2) throw unknownArm('ContractExecutable', p, arm)
  return skipOpaque(view, skipScAddress(view, p + 4), 0xffffffff, 'ContractExecutableExternalRef')
}

function skipScError(view: DataView, p: number): number {
  const arm = view.getUint32(p)
  if (arm > 9) throw unknownArm('ScError', p, arm)
  if (arm !== 0 && view.getUint32(p + 4) > 9)
    throw unreadable('ScErrorCode', p + 4, `unknown value ${view.getUint32(p + 4)}`, view.getUint32(p + 4))
  return p + 8
}
