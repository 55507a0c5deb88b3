// What the API computes from a protocol's state, by kind of protocol. It has one reader and one presenter for each kind; a protocol gives the
// functions that they ask, and the words that differ.

import type { Address, ContractId } from '@orrery/ledger'
import type { StateRef } from './adapter.ts'
import type { Network } from './network.ts'
import type { PositionTerm } from './position-term.ts'
import type { At } from './price-pool.ts'
import type { DecimalText, StateRow } from './rows.ts'
import type { AssetInfo, LpCurve, LpPool, LpPosition, Price } from './view.ts'

/** Statuses of contracts, pools and reserves. A closed list. */
export const CONTRACT_STATUSES = ['active', 'on_ice', 'frozen', 'setup', 'paused', 'retired'] as const
export type ContractStatus = (typeof CONTRACT_STATUSES)[number]

/** Who a contract of the protocol is. */
export interface ContractDescription {
  readonly name: string
  /** Of a pool what accounts can have in it; empty for what holds no positions. */
  readonly positionTypes: readonly string[]
  readonly status: ContractStatus
  /** '' where contracts of the kind have none. */
  readonly version: string
}

/** What a view of any kind says. State is loaded from rows as of a ledger, and every question is about that state. */
interface StateView<State> {
  /** Contracts under which the lists of pools are stored. */
  listings(): readonly ContractId[]
  /** Rows that every answer needs, whatever it is about: everything that prices are made of. */
  sharedRefs(): readonly StateRef[]
  /** Names and decimals of tokens that neither the registry nor the rows so far have. Usually none. */
  assetRefs(state: State): readonly StateRef[]
  /** State from rows in any order. Rows of other protocols must not be among them; rows after `asOf` are passed over. */
  load(rows: Iterable<StateRow>, asOf: number): State
  asset(state: State, asset: ContractId): AssetInfo
  /** The network's price of an asset: oracles and price pools. */
  price(state: State, asset: ContractId, at: At): Price | null
}

/** How pools are announced: rows under a listing, written once when a pool is first seen and again when it is listed anew. */
export interface Announcement {
  /** Key of the pool's row under a listing. */
  keyOf(pool: ContractId): string
  /** Whether the first row of a pool says that it was made then: else it predates the index. `value`: that of the row. */
  isCreation(value: Readonly<Record<string, unknown>>): boolean
}

/** Liquidity pools that accounts own shares of. */
export interface AmmView<State, Window> extends StateView<State> {
  readonly announcement: Announcement
  /** Keys of rows that say what a contract is, whichever it is. */
  readonly nameKeys: readonly string[]
  /** Seconds that yields look back. */
  readonly windowSeconds: number
  /** Counters of the pools: loaded as of the beginning of the fee window. */
  windowRefs(pools: readonly ContractId[]): readonly StateRef[]
  /** The beginning of the fee window that ends at `at`, from the rows of `windowRefs`. */
  feeWindow(rows: Iterable<StateRow>, at: At): Window
  /** Every pool that the rows name or the registry names, by address. */
  pools(state: State): readonly ContractId[]
  /** Whether `pools` has it. */
  hasPool(state: State, pool: ContractId): boolean
  /** Null when the pool is unknown or holds nothing yet. */
  pool(state: State, pool: ContractId, at: At, window: Window): LpPool | null
  /**
   * The terms by which shares of the pool are valued. Null for a pool of ranges: a position in it is the sum of its own ranges. Empty while
   * the pool's instance is not known.
   */
  terms(state: State, pool: ContractId, at: At): readonly PositionTerm[] | null
  /** Null where it is unknown: a pool without an instance, or of an unknown type. */
  curve(state: State, pool: ContractId, at: At): LpCurve | null
  /** Yield of the holders of shares from their fees over a window and the value of the pool integrated over it (USD seconds): daily compounding. */
  feeApy(feesUsd: DecimalText, valueSecondsUsd: DecimalText): DecimalText
  /** USD value of the swaps of a pool since the beginning of a window, scale 8: their inputs at the prices of their ledgers. '0' for an unknown pool. */
  volumeUsd(state: State, pool: ContractId, since: Window): DecimalText
  /** Positions of the account that are open or have rewards to claim, by pool. */
  positions(state: State, address: Address, at: At, window: Window): LpPosition[]
  /** What `pricesOfPool` needs of a pool: the rows that say what it is, or everything of it. */
  readonly pricesNeed: 'names' | 'pool'
  /** The prices that values in the pool are made with. */
  pricesOfPool(state: State, pool: ContractId, at: At, window: Window): readonly Price[]
  /** Null for what is no contract of the protocol. */
  contract(state: State, contract: ContractId): ContractDescription | null
  /** A token, and nothing more: not a contract of the protocol. */
  isToken(state: State, id: ContractId): boolean
}

export const INDEXING_MODES = ['event_driven', 'state_driven'] as const
type IndexingMode = (typeof INDEXING_MODES)[number]

interface ViewFacts {
  /** What accounts can have, as `/v1/protocols` lists it. */
  readonly positionTypes: readonly string[]
  /** A pool with its article, as sentences say it: `a Soroswap pair`. */
  readonly pool: string
  /** What its TVL counts, as the description of the endpoint says it: `all reserves`. */
  readonly tvl: string
  /** `event_driven`: positions follow the events of each action. `state_driven`: they follow the contract's entries, because its events do not say enough. */
  readonly indexingMode: IndexingMode
  /** False: it never pays anything beside what positions earn by themselves. */
  readonly hasEmissions: boolean
  /** Endpoints that may still change. */
  readonly experimental: readonly ('positions' | 'history')[]
}

/**
 * `amm`: `positions/<id>` with all positions and a history of each pool. `pairs`: the page of Soroswap, which names pools by their pair and has
 * no rewards; every other protocol has `pools`.
 */
export interface AmmKind extends ViewFacts {
  readonly kind: 'amm'
  readonly page: 'pools' | 'pairs'
  of(network: Network): AmmView<unknown, unknown>
}

/** Isolated pools that accounts lend to and borrow from, with a backstop each. `of` gives a `BlendView`: no other protocol lends yet. */
export interface LendingKind extends ViewFacts {
  readonly kind: 'lending'
  of(network: Network): object
}

/** Collateral against a debt in a currency, and locked stakes. `of` gives an `FxdaoView`: no other protocol has vaults yet. */
export interface VaultKind extends ViewFacts {
  readonly kind: 'vault'
  of(network: Network): object
}

export type ProtocolView = AmmKind | LendingKind | VaultKind
