// What the readers of entries share.

import { matches, type Shape } from '@orrery/ledger'

/** Reads bytes of a shape, and names their members as this package does. Null: the bytes have another shape. */
export function entryReader<T, E>(shape: Shape<T>, make: (value: T) => E): (bytes: Uint8Array) => E | null {
  return (bytes) => {
    const read = matches(shape, bytes)
    return read === null ? null : make(read)
  }
}
