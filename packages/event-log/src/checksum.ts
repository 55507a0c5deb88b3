// xxhash64 as bytes carry it. One instance for the package: compiling the WebAssembly takes a moment.

import xxhash from 'xxhash-wasm'

const { h64Raw } = await xxhash()

/** xxhash64 with the given seed. */
export function xxhash64(bytes: Uint8Array, seed = 0n): bigint {
  return h64Raw(bytes, seed)
}
