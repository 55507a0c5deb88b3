// xxhash64. One instance for the package, because compiling the WebAssembly takes time.

import xxhash from 'xxhash-wasm'

const { h64Raw } = await xxhash()

/** xxhash64 with the given seed. */
export function xxhash64(bytes: Uint8Array, seed = 0n): bigint {
  return h64Raw(bytes, seed)
}

/** Enough for nearly every slice. */
const joined = Buffer.allocUnsafeSlow(256 * 1024)

/** xxhash64 of consecutive pieces. Joining them takes less time than a hash that is computed piece by piece. */
export function xxhash64OfPieces(pieces: readonly Uint8Array[], seed: bigint): bigint {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const whole = length <= joined.length ? joined.subarray(0, length) : Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return h64Raw(whole, seed)
}
