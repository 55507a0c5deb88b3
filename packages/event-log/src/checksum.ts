// xxhash64. One instance for the package, because compiling the WebAssembly takes time.

import xxhash from 'xxhash-wasm'

const { create64, h64Raw } = await xxhash()

/** xxhash64 with the given seed. */
export function xxhash64(bytes: Uint8Array, seed = 0n): bigint {
  return h64Raw(bytes, seed)
}

/** xxhash64 of consecutive pieces, without joining them. */
export function xxhash64OfPieces(pieces: readonly Uint8Array[], seed: bigint): bigint {
  return pieces.reduce((hash, piece) => hash.update(piece), create64(seed)).digest()
}
