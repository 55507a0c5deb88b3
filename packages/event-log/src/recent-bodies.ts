// Partitions of one ledger often hold the same records, those of oracles, and so the same body. It is compressed, unpacked and read once for all
// partitions of a process, as long as they are within some ledgers of each other.

interface Known<Value> {
  readonly bytes: Uint8Array
  readonly value: Value
  readonly size: number
}

/** What was made of the bodies of the newest ledgers, found by ledger and bytes. */
export class RecentBodies<Value> {
  readonly #mostBytes: number
  /** In the order in which the ledgers were first met. */
  readonly #ledgers = new Map<number, Known<Value>[]>()
  #size = 0

  /** @param mostBytes Memory of all together, by the sizes that callers state. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  find(ledger: number, bytes: Uint8Array): Value | undefined {
    return this.#ledgers.get(ledger)?.find((known) => Buffer.compare(known.bytes, bytes) === 0)?.value
  }

  /** Neither `bytes` nor `value` may change afterwards. The oldest ledgers are dropped when the memory is used up; a body that is larger than all of it is not kept. */
  add(ledger: number, known: Known<Value>): void {
    if (known.size > this.#mostBytes) return
    const ofLedger = this.#ledgers.get(ledger) ?? []
    ofLedger.push(known)
    this.#ledgers.set(ledger, ofLedger)
    this.#size += known.size
    for (const [oldest, bodies] of this.#ledgers) {
      if (this.#size <= this.#mostBytes) return
      this.#ledgers.delete(oldest)
      for (const { size } of bodies) this.#size -= size
    }
  }
}
