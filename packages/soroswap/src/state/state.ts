// The state of Soroswap, for the fold and for readers: entries as of a ledger, and facts that no entry holds.
// It is loaded from rows only (`entries.ts`), so a restart and an as-of reader have the same state as the fold.
// A persistent entry keeps its value when it is archived: a pair without activity keeps its value.

import { type Counters, getOrMake, type HoldingCost, type LiveEntry, type SmallPositions, type TokenMetadata } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { PricingState } from '@orrery/pricing'
import type { FactoryInstance, PairInstance } from '../chain/entries.ts'

export interface Holder {
  /** Null: only a cost is known. */
  shares: LiveEntry<bigint> | null
  cost: HoldingCost | null
}

/** The stored values and the balances of a pair, as of one ledger. */
export interface PairContents {
  readonly instance: PairInstance
  readonly balances: ReadonlyMap<ContractId, LiveEntry<bigint>>
}

export interface PairState {
  readonly pair: ContractId
  /** '' while unknown: a pair that only the registry names. */
  factory: ContractId
  /** In the pair's own order: by raw bytes, not by strkey. */
  tokens: readonly [ContractId, ContractId] | null
  /** Announced by its factory within the index: every holder is known then. */
  listing: { readonly index: number } | null
  /** This partition owns it. For a reader: more than its address is known. */
  owned: boolean
  instance: LiveEntry<PairInstance> | null
  /** Ledger of the newest row of the instance. */
  changedLedger: number
  readonly balances: Map<ContractId, LiveEntry<bigint>>
  readonly holders: Map<Address, Holder>
  /** Sum over `holders`: equals the supply where every holder is known. */
  heldShares: bigint
  counters: Counters | null
  /** Holders whose newest snapshot is small. */
  readonly small: SmallPositions
  /** See `LossMemory`. */
  lossHour: number | null
}

export interface SoroswapState {
  /** The newest ledger in it. */
  ledger: number
  readonly factories: Map<ContractId, LiveEntry<FactoryInstance>>
  readonly pairs: Map<ContractId, PairState>
  /** Metadata of tokens, where their instance was seen. */
  readonly assets: Map<ContractId, TokenMetadata>
  readonly pricing: PricingState
}

export function emptyPair(pair: ContractId): PairState {
  return {
    pair,
    factory: '',
    tokens: null,
    listing: null,
    owned: false,
    instance: null,
    changedLedger: 0,
    balances: new Map(),
    holders: new Map(),
    heldShares: 0n,
    counters: null,
    small: new Set(),
    lossHour: null,
  }
}

/** The pair's state, made when it is new. */
export function pairOf(state: SoroswapState, pair: ContractId): PairState {
  return getOrMake(state.pairs, pair, () => emptyPair(pair))
}

/** The state of a pair of which more is known than its address and tokens: this partition folds it. */
export function ownedPairOf(state: SoroswapState, contract: ContractId): PairState {
  const pair = pairOf(state, contract)
  pair.owned = true
  return pair
}

export function holderOf(pair: PairState, address: Address): Holder {
  return getOrMake(pair.holders, address, () => ({ shares: null, cost: null }))
}

/** Sets a holder's shares and keeps their sum. */
export function setShares(pair: PairState, address: Address, shares: LiveEntry<bigint> | null): void {
  const holder = holderOf(pair, address)
  pair.heldShares += (shares?.value ?? 0n) - (holder.shares?.value ?? 0n)
  holder.shares = shares
}

/**
 * Whether the fee switch of the pair's factory is on. An index that begins after the last change of the switch does not know the factory's setting;
 * then the pair's last deposit or withdraw decides: it stored KLast with the switch on, and 0 with it off (contracts/pair/src/lib.rs).
 */
export function feesEnabled(state: SoroswapState, pair: PairState): boolean {
  return state.factories.get(pair.factory)?.value.feesEnabled ?? (pair.instance?.value.kLast ?? 0n) > 0n
}
