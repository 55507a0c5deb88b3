// The pools of a protocol that are older than the index, with as much of their state as it takes to ask for an account's entries in them,
// and to read the answers with the fold itself.

import type { Address, ContractId } from '@orrery/ledger'
import type { Adapter, EntryName, EntryValue, Network, Protocol, ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime, QueryOptions, ReadModel } from '@orrery/read-model'
import type { ContractDataNow } from '@orrery/stellar-rpc'
import { adoptedRows } from './adopted-rows.ts'
import type { AskedPools } from './ask-node.ts'

export class OlderPools implements AskedPools {
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
    this.pools = of.accountEntries.olderPools(this.#state)
  }

  static async load(
    of: Protocol<unknown>,
    { network, readModel }: { readonly network: Network; readonly readModel: ReadModel },
    at: LedgerTime,
    options: QueryOptions,
  ): Promise<OlderPools> {
    const { accountEntries, id: protocol } = of
    const { ledger } = at
    const contracts = accountEntries.listings(network)
    const listed = await readModel.stateAsOf({ protocol, ledger, contracts, keyFrom: 'a' }, options)
    const first = new OlderPools(of, network, at, listed)
    const keys = accountEntries.poolKeys
    if (keys.length === 0 || first.pools.length === 0) return first
    const ofPools = await readModel.stateAsOf({ protocol, ledger, contracts: first.pools, keys }, options)
    return new OlderPools(of, network, at, [...listed, ...ofPools])
  }

  names(pool: ContractId, address: Address, read: readonly EntryValue[]): readonly EntryName[] {
    return this.#of.accountEntries.names(pool, address, read, this.#state)
  }

  /** State rows that entries of an account give, by pool. */
  rowsOf(address: Address, entries: readonly ContractDataNow[]): ReadonlyMap<ContractId, readonly StateRow[]> {
    // A fold leaves its state behind it: it gets one of its own.
    const state = this.#adapter.load(this.#rows, this.#at.ledger)
    const rows = adoptedRows({ adapter: this.#adapter, state, network: this.#network, at: this.#at, entries })
    return Map.groupBy(
      rows.filter(({ owner }) => owner === address),
      (row) => this.#of.accountEntries.poolOf(row),
    )
  }
}
