// Hashes as lowercase hex.

/** `length` bytes from `at` on. */
export function hexOf(bytes: Uint8Array, at = 0, length = bytes.length - at): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, length).toString('hex')
}
