// The same ledger on another chain, as from a node of a reset network or of a fork.

/** A copy with the bits of its hash and of its predecessor's hash inverted. */
export function forked(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes)
  const view = new DataView(copy.buffer)
  // LedgerCloseMeta: arm, ext (arm 1 has twelve bytes more), then hash | ledgerVersion | previousLedgerHash.
  const hashAt = 8 + (view.getUint32(4) === 1 ? 12 : 0)
  for (const at of [hashAt, hashAt + 36]) for (let n = 0; n < 32; n++) copy[at + n] = 0xff ^ (copy[at + n] ?? 0)
  return copy
}
