// xxhash64 as bytes carry it. One instance for the package: compiling the WebAssembly takes a moment.

import xxhash from 'xxhash-wasm'

const { create64, h64Raw } = await xxhash()

/** xxhash64 with the given seed. */
export function xxhash64(bytes: Uint8Array, seed = 0n): bigint {
  return h64Raw(bytes, seed)
}

/** xxhash64 of pieces that stand behind one another, without joining them. */
export function xxhash64OfPieces(pieces: readonly Uint8Array[], seed: bigint): bigint {
  return pieces.reduce((hash, piece) => hash.update(piece), create64(seed)).digest()
}
