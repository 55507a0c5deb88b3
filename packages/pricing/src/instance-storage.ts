// Reads contract instances of oracles. An instance of an unexpected shape is reported as null instead of an error, so that it does not stop a fold.

import { OrreryError } from '@orrery/errors'
import { type Instance, readInstance, sc, writeScVal } from '@orrery/ledger'

const INSTANCE_KEY = writeScVal(sc.instanceKey())

/** Whether an entry's key is that of the contract's instance. */
export function isInstanceKey(key: Uint8Array): boolean {
  return sameBytes(key, INSTANCE_KEY)
}

/** Keys are short and mostly differ in length, so a loop is faster than a call into Node. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let n = 0; n < a.length; n++) if (a[n] !== b[n]) return false
  return true
}

/**
 * The result of `read` for the instance, or null if a value has an unexpected shape.
 * An oracle is a foreign contract that may be upgraded in place: that may cost its prices, but must not stop the fold.
 */
export function readStorage<T>(value: Uint8Array, read: (instance: Instance) => T): T | null {
  try {
    return read(readInstance(value))
  } catch (error) {
    if (error instanceof OrreryError && error.code === 'unexpected_shape') return null
    throw error
  }
}

// Keys as XDR, written once when the module is loaded, because feeds are read at every round.
export const symbolKey = (value: string): Uint8Array => writeScVal(sc.symbol(value))
export const stringKey = (value: string): Uint8Array => writeScVal(sc.string(value))
/** `Vec[Symbol name]`: a case of a Rust enum without fields. */
export const variantKey = (name: string): Uint8Array => writeScVal(sc.vec(sc.symbol(name)))
