// The pricing part of a fold and of a reader: which oracles there are, what they say, and what an asset is worth.
// Every partition of a protocol folds the same oracle records, so its rows are the same everywhere (SHARED_SCOPE).
// Nothing here knows a protocol: pools come in as `PoolQuote`s, price pools through a `PricePoolReader` of their package.

import type { ContractId, LedgerRecord } from '@orrery/ledger'
import type {
  Network,
  NoticeRow,
  Price,
  PriceRow,
  ProtocolId,
  Route,
  Slice,
  StateRef,
  StateRow,
  TrackedContract,
} from '@orrery/protocol-kit'
import type { OracleAsset, OraclePrice } from './oracle.ts'
import type { DecimalsOf, PoolQuote, PricePoolReader } from './price-pool.ts'
import type { PricingState } from './state.ts'

/** The moment of a question: end of `ledger`, at its close time. */
export interface At {
  readonly ledger: number
  readonly closeTimeSeconds: number
}

export interface PriceOptions {
  /** The valued pool's own oracle (rule 1). */
  readonly ownOracle?: ContractId
  /** The valued pool itself (rule 3, asked before the registry's price pools). */
  readonly impliedBy?: readonly PoolQuote[]
  /** Decimals of tokens in pools. Without it the registry's asset hints answer. */
  readonly decimalsOf?: DecimalsOf
}

export interface PricingRows {
  readonly state: readonly StateRow[]
  readonly prices: readonly PriceRow[]
  readonly notices: readonly NoticeRow[]
}

export interface Pricing {
  /** What a protocol tracks for its prices: oracles, FxDAO's vaults (their currencies), price pools of other protocols. All shared. */
  roots(protocol: ProtocolId): readonly TrackedContract[]
  /** The route of a record of one of `roots`, null for a contract that is not one of them. */
  route(record: LedgerRecord, source: TrackedContract): Route | null
  /** A price pool of the registry that a reader was given for. The pool's own protocol routes it as owned and shared. */
  isPricePool(contract: ContractId): boolean
  /** Every state row that prices are made of: for readers as of a ledger. */
  stateRefs(): readonly StateRef[]
  /** State before the first ledger. */
  empty(): PricingState
  /** Takes one loaded row when it belongs to pricing, and says whether it did. */
  take(state: PricingState, row: StateRow): boolean
  /** State from rows as of one ledger; rows of others are passed over. */
  load(rows: Iterable<StateRow>): PricingState
  /** Applies one slice in place. Call it before the protocol's own records: prices are those at the ledger's end. */
  apply(state: PricingState, slice: Slice, decimalsOf?: DecimalsOf): PricingRows
  /** What the oracle's own `lastprice(asset)` answers at that moment, in its own base and decimals. */
  lastPrice(state: PricingState, oracle: ContractId, asset: OracleAsset, at: At): OraclePrice | null
  /** USD for one whole unit by the rules of docs/pricing.md, or null: nobody says. */
  priceOf(state: PricingState, asset: ContractId, at: At, options?: PriceOptions): Price | null
}

export declare function pricing(network: Network, options?: { readonly readers?: readonly PricePoolReader[] }): Pricing
