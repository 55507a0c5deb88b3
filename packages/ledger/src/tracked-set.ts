// What an extract is made for: contracts, and balances of tokens that are followed by key.
// It belongs to one network, since transactions are found by hashes that contain the network's id.

import { createHash } from 'node:crypto'
import { ContractTable } from './contract-table.ts'
import type { ContractId } from './record.ts'

/** ScVal `Vec[Symbol "Balance", Address contract]`, up to where the contract's id begins. */
const BALANCE_KEY = [16, 1, 2, 15, 7, 0x42616c61, 0x6e636500, 18, 1] as const
const NONCE_KEY = 21

export class TrackedSet {
  readonly passphrase: string
  /** SHA-256 of the passphrase: 32 bytes. */
  readonly networkId: Uint8Array
  readonly #table = new ContractTable()
  /** By table index: all of the contract is tracked. */
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

  /** How many contracts and balances are tracked. */
  get size(): number {
    return this.#size
  }

  /** Tracks all entries and events of a contract. True when that is new. @throws OrreryError `invalid`/`invalid_strkey`. */
  addContract(id: ContractId): boolean {
    const place = this.#place(id)
    if (this.#whole[place]) return false
    this.#whole[place] = true
    this.#size++
    return true
  }

  /**
   * Tracks one entry of a token: its persistent `Balance(holder)`. Token contracts by SEP-41's reference and the asset contracts
   * of the host keep it under the same key. True when that is new. @throws OrreryError `invalid`/`invalid_strkey`.
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

  /** Whether all of the contract is tracked. */
  hasContract(id: ContractId): boolean {
    return this.#everything || this.#whole[this.#table.indexOf(id)] === true
  }

  /** Whether all of the contract whose 32 bytes lie at `at` is tracked. */
  hasContractAt(view: DataView, at: number): boolean {
    if (this.#everything) return true
    const place = this.#table.find(view, at)
    return place >= 0 && this.#whole[place] === true
  }

  /**
   * Whether the entry is tracked whose contract lies at `contractAt` and whose key ScVal begins at `keyAt`.
   * Nonces never are: they lie under a contract that authorises, and are the host's.
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
