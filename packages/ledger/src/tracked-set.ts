// The tracked contracts, and the token balances that are tracked by key.
// It is for one network, because transactions are found by hashes that contain the network's id.

import { createHash } from 'node:crypto'
import { ContractTable } from './contract-table.ts'
import type { ContractId } from './record.ts'

/** ScVal `Vec[Symbol "Balance", Address contract]`, up to the contract's id. */
const BALANCE_KEY = [16, 1, 2, 15, 7, 0x42616c61, 0x6e636500, 18, 1] as const
const NONCE_KEY = 21

export class TrackedSet {
  readonly passphrase: string
  /** SHA-256 of the passphrase: 32 bytes. */
  readonly networkId: Uint8Array
  readonly #table = new ContractTable()
  /** By table index: the contract is tracked completely. */
  readonly #whole: boolean[] = []
  /** By table index: holders whose balances in this token are tracked. */
  readonly #holders: (ContractTable | null)[] = []
  readonly #everything: boolean
  #size = 0

  constructor(passphrase: string, options: { readonly everything?: boolean } = {}) {
    this.passphrase = passphrase
    this.networkId = new Uint8Array(createHash('sha256').update(passphrase).digest())
    this.#everything = options.everything ?? false
  }

  /** A set that tracks every contract: for comparing with another reader, not for indexing. */
  static everything(passphrase: string): TrackedSet {
    return new TrackedSet(passphrase, { everything: true })
  }

  /** Number of tracked contracts and balances. */
  get size(): number {
    return this.#size
  }

  /** Tracks all entries and events of a contract. True when it was not tracked before. @throws OrreryError `invalid`/`invalid_strkey`. */
  addContract(id: ContractId): boolean {
    const place = this.#place(id)
    if (this.#whole[place]) return false
    this.#whole[place] = true
    this.#size++
    return true
  }

  /**
   * Tracks one entry of a token: its persistent `Balance(holder)`. Token contracts by SEP-41's reference and the asset contracts
   * of the host keep it under the same key. True when it was not tracked before. @throws OrreryError `invalid`/`invalid_strkey`.
   */
  addBalance(token: ContractId, holder: ContractId): boolean {
    const place = this.#place(token)
    const holders = this.#holders[place] ?? new ContractTable()
    this.#holders[place] = holders
    if (holders.indexOf(holder) >= 0) return false
    holders.add(holder)
    this.#size++
    return true
  }

  /** Whether the contract is tracked completely. */
  hasContract(id: ContractId): boolean {
    return this.#everything || this.#whole[this.#table.indexOf(id)] === true
  }

  /** Whether the contract whose 32 bytes are at `at` is tracked completely. */
  hasContractAt(view: DataView, at: number): boolean {
    if (this.#everything) return true
    const place = this.#table.find(view, at)
    return place >= 0 && this.#whole[place] === true
  }

  /**
   * Whether the entry is tracked whose contract is at `contractAt` and whose key ScVal begins at `keyAt`.
   * Nonces never are: they are stored under a contract that authorises, but belong to the host.
   */
  hasEntryAt(view: DataView, contractAt: number, keyAt: number): boolean {
    if (this.#everything) return view.getUint32(keyAt) !== NONCE_KEY
    const place = this.#table.find(view, contractAt)
    if (place < 0) return false
    if (this.#whole[place] === true) return view.getUint32(keyAt) !== NONCE_KEY
    const holders = this.#holders[place]
    if (!holders) return false
    for (let n = 0; n < BALANCE_KEY.length; n++) if (view.getInt32(keyAt + n * 4) !== BALANCE_KEY[n]) return false
    return holders.find(view, keyAt + BALANCE_KEY.length * 4) >= 0
  }

  #place(id: ContractId): number {
    const place = this.#table.add(id)
    if (place === this.#whole.length) {
      this.#whole.push(false)
      this.#holders.push(null)
    }
    return place
  }
}
