// What the views of all AMMs have alike: which rows an answer needs, state from rows, pools and positions at their prices and yields.
// Pure, and the same code as the fold: a reader loads rows as of its ledger and calls these functions.

import type { Address, ContractId } from '@orrery/ledger'
import { type At, type Pricing, pricesOf } from '@orrery/pricing'
import type { AmmView, Announcement, AssetInfo, LpCurve, LpPool, LpPosition, Network, StateRef } from '@orrery/protocol-kit'
import { type FeeWindow, feeApyOf, readFeeWindow, volumeInWindow, yieldInWindow } from '../fee-window.ts'
import { type Counters, FEE_WINDOW_SECONDS, type FeeYield } from '../fee-yield.ts'
import { ReadValues } from '../read-values.ts'
import type { FoldState, StateEntries } from '../state/state-entries.ts'
import { type SharePayout, shareTerms } from './share-terms.ts'

/** What the state of every pool has. */
interface ViewedPool {
  readonly holders: ReadonlyMap<Address, unknown>
  /** Null: nothing counted its fees yet. */
  readonly counters: Counters | null
}

/** A protocol's part of its view. */
interface ViewParts<State extends FoldState, Pool extends ViewedPool, Valued> {
  readonly entries: StateEntries<State>
  emptyState(network: Network, pricing: Pricing): State
  /** Contracts under which the lists of pools are stored. */
  readonly listings: readonly ContractId[]
  readonly announcement: Announcement
  /** Rows that every answer needs, beside those of prices. */
  readonly sharedRefs: readonly StateRef[]
  /** Pools that the registry names. */
  readonly rootPools: readonly ContractId[]
  /** Keys of the rows of a pool's counters and of a token's metadata. */
  readonly keys: { readonly counters: string; readonly token: string }
  pools(state: State): ReadonlyMap<ContractId, Pool>
  /** Whether the rows so far say that the pool exists: its address alone does not. */
  isListed(pool: Pool): boolean
  /** Tokens that answers about the pool name. */
  tokensOf(pool: Pool): readonly ContractId[]
  asset(state: State, asset: ContractId, network: Network): AssetInfo
  /** Null while the pool's instance is not known. */
  value(state: State, pool: Pool, at: At, by: { readonly network: Network; readonly pricing: Pricing }): Valued | null
  pool(state: State, valued: Valued, feeYield: FeeYield, network: Network): LpPool
  /** Null when the account never had anything in the pool. */
  position(state: State, valued: Valued, address: Address, feeYield: FeeYield, network: Network): LpPosition | null
  /** Null where it is unknown: a pool without an instance, or of an unknown type. */
  curve(pool: Pool, at: At): LpCurve | null
  /** What shares are paid: `ranges` for a pool whose liquidity has a value only with its range, null where no formula is known. */
  payout(valued: Valued): SharePayout | 'ranges' | null
  /** Whether `positions` shows it. */
  isOpen(position: LpPosition): boolean
}

/** A position of an account beside `AmmView`: null when it never had anything in the pool; zeros when it has nothing in it any more. */
export interface PoolView<State> extends AmmView<State, FeeWindow> {
  position(state: State, pool: ContractId, address: Address, at: At, window: FeeWindow): LpPosition | null
}

type OwnMembers = 'nameKeys' | 'pricesNeed' | 'pricesOfPool' | 'contract' | 'isToken'

/**
 * | question                     | rows                                                                                                  |
 * |------------------------------|-------------------------------------------------------------------------------------------------------|
 * | positions of an account      | all rows of the account as owner, as of L; their contracts are the pools                              |
 * | pools, or those of positions | of each pool the range `key >= 'a'` as of L, `sharedRefs()` as of L, `assetRefs(state)` if not empty  |
 * | all pools                    | of `listings()` the range `key >= 'a'` as of L; `pools(state)` then names the pools                   |
 * | what a contract is           | of the contract the keys `nameKeys`, as of L                                                          |
 * | fee APR and APY              | `windowRefs(pools)` as of the last ledger closed at or before `close time of L − windowSeconds`       |
 *
 * "As of L" is the newest row at or before ledger L of each (contract, key). Everything of a pool is filed under the pool.
 */
export function poolView<State extends FoldState, Pool extends ViewedPool, Valued>(
  parts: ViewParts<State, Pool, Valued>,
  network: Network,
): Omit<PoolView<State>, OwnMembers> {
  const { keys, listings, announcement } = parts
  const pricing = pricesOf(network)
  const asset = (state: State, id: ContractId) => parts.asset(state, id, network)
  const pools = (state: State) => {
    const listed = [...parts.pools(state)].flatMap(([id, pool]) => (parts.isListed(pool) ? id : []))
    return [...new Set([...listed, ...parts.rootPools])].sort()
  }
  const values = new ReadValues<State, Valued | null>()
  const yields = new ReadValues<State, { readonly window: FeeWindow; readonly feeYield: FeeYield }>()
  const valued = (state: State, id: ContractId, at: At, window: FeeWindow) => {
    const pool = parts.pools(state).get(id)
    if (pool === undefined) return null
    const value = values.of(state, id, at, () => parts.value(state, pool, at, { network, pricing }))
    if (value === null) return null
    const yieldNow = () => ({ window, feeYield: yieldInWindow(id, pool.counters, window, at.closeTimeSeconds) })
    const known = yields.of(state, id, at, yieldNow)
    return { value, feeYield: (known.window === window ? known : yieldNow()).feeYield }
  }
  const position = (state: State, id: ContractId, address: Address, at: At, window: FeeWindow) => {
    const of = valued(state, id, at, window)
    return of === null ? null : parts.position(state, of.value, address, of.feeYield, network)
  }
  return {
    announcement,
    windowSeconds: FEE_WINDOW_SECONDS,
    listings: () => listings,
    sharedRefs: () => [...parts.sharedRefs, ...pricing.stateRefs()],
    assetRefs(state) {
      const tokens = new Set([...parts.pools(state).values()].flatMap((pool) => parts.tokensOf(pool)))
      return [...tokens].flatMap((contract) => (asset(state, contract).decimals === null ? { contract, key: keys.token } : []))
    },
    windowRefs: (ids) => ids.map((contract) => ({ contract, key: keys.counters })),
    load: (rows, asOf) =>
      yields.opened(values.opened(parts.entries.read((shared) => parts.emptyState(network, shared), rows, asOf, pricing))),
    feeWindow: (rows, at) => readFeeWindow(rows, keys.counters, at.closeTimeSeconds),
    pools,
    hasPool: (state, id) => pools(state).includes(id),
    pool(state, id, at, window) {
      const of = valued(state, id, at, window)
      return of === null ? null : parts.pool(state, of.value, of.feeYield, network)
    },
    curve(state, id, at) {
      const pool = parts.pools(state).get(id)
      return pool === undefined ? null : parts.curve(pool, at)
    },
    terms(state, id, at) {
      const pool = parts.pools(state).get(id)
      const value = pool === undefined ? null : parts.value(state, pool, at, { network, pricing })
      const payout = value === null ? null : parts.payout(value)
      if (payout === 'ranges') return null
      return value === null ? [] : shareTerms(id, payout)
    },
    feeApy: feeApyOf,
    volumeUsd: (state, id, since) => volumeInWindow(id, parts.pools(state).get(id)?.counters ?? null, since),
    position,
    positions: (state, address, at, window) =>
      [...parts.pools(state)]
        .flatMap(([id, { holders }]) => (holders.has(address) ? id : []))
        .sort()
        .flatMap((id) => position(state, id, address, at, window) ?? [])
        .filter(parts.isOpen),
    asset,
    price: (state, id, at) => pricing.priceOf(state.pricing, id, at, { decimalsOf: (it) => asset(state, it).decimals }),
  }
}
