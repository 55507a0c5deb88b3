// The pools of a protocol that predate the index, with the state that is needed to name an account's entries in them and to fold these entries.

import type { Address, ContractId } from '@orrery/ledger'
import type { Adapter, EntryName, EntryValue, Network, Protocol, ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime, QueryOptions, ReadModel } from '@orrery/read-model'
import type { ContractDataNow } from '@orrery/stellar-rpc'
import type { ReadablePools } from './read-pools.ts'
import { rowsFromEntries } from './rows-from-entries.ts'

export class PredatingPools implements ReadablePools {
  readonly protocol: ProtocolId
  readonly pools: readonly ContractId[]
  readonly #of: Protocol<unknown>
  readonly #adapter: Adapter<unknown>
  readonly #network: Network
  readonly #at: LedgerTime
  readonly #rows: readonly StateRow[]
  readonly #state: unknown

  private constructor(of: Protocol<unknown>, network: Network, at: LedgerTime, rows: readonly StateRow[]) {
    this.protocol = of.id
    this.#of = of
    this.#adapter = of.adapter(network)
    this.#network = network
    this.#at = at
    this.#rows = rows
    this.#state = this.#adapter.load(rows, at.ledger)
    this.pools = of.accountEntries.predatingPools(this.#state)
  }

  static async load(
    of: Protocol<unknown>,
    { network, readModel }: { readonly network: Network; readonly readModel: ReadModel },
    at: LedgerTime,
    options: QueryOptions,
  ): Promise<PredatingPools> {
    const { accountEntries, id: protocol } = of
    const { ledger } = at
    const contracts = accountEntries.listings(network)
    const listed = await readModel.stateAsOf({ protocol, ledger, contracts, keyFrom: 'a' }, options)
    const first = new PredatingPools(of, network, at, listed)
    const keys = accountEntries.poolKeys
    if (keys.length === 0 || first.pools.length === 0) return first
    const ofPools = await readModel.stateAsOf({ protocol, ledger, contracts: first.pools, keys }, options)
    return new PredatingPools(of, network, at, [...listed, ...ofPools])
  }

  names(pool: ContractId, address: Address, read: readonly EntryValue[]): readonly EntryName[] {
    return this.#of.accountEntries.names(pool, address, read, this.#state)
  }

  /** State rows from entries of an account, by pool. */
  rowsOf(address: Address, entries: readonly ContractDataNow[]): ReadonlyMap<ContractId, readonly StateRow[]> {
    // The fold changes its state, so it gets its own copy.
    const state = this.#adapter.load(this.#rows, this.#at.ledger)
    const rows = rowsFromEntries({ adapter: this.#adapter, state, network: this.#network, at: this.#at, entries })
    return Map.groupBy(
      rows.filter(({ owner }) => owner === address),
      (row) => this.#of.accountEntries.poolOf(row),
    )
  }
}
