// What the fold remembers of Aquarius, and how a reader holds it: entries as the ledgers left them, and facts that are in no entry.
// Rows are the only way in and out (`entries.ts`), so a restart and an as-of reader see what the fold saw.
// A persistent entry keeps its value when it is archived: quiet pools are worth what they hold.

import {
  type Counters,
  getOrMake,
  type HoldingCost,
  type LiveEntry,
  member,
  type SmallPositions,
  type TokenMetadata,
} from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { PricingState } from '@orrery/pricing'
import type { GaugeInstance, GaugeUser } from '../chain/gauge-entries.ts'
import type { ConcentratedUser, RangePosition, TickChunk, UserReward } from '../chain/pool-entries.ts'
import type { PoolInstance } from '../chain/pool-instance.ts'
import type { RouterInstance, RouterRewards } from '../chain/router-entries.ts'
import type { RewardIndex } from '../math/reward-index.ts'
import type { Listing, ShareToken, WorkingBalance } from './derived-values.ts'

/** A router's settings, and the rate that it shares out in the running round. */
class RouterState {
  instance: LiveEntry<RouterInstance> | null = null
  rewards: LiveEntry<RouterRewards> | null = null
}

export class Holder {
  /** Balance of the share token. Null: only other things are known. */
  shares: LiveEntry<bigint> | null = null
  /** Balance of the token that the pool is exchanging its share token for. */
  nextShares: LiveEntry<bigint> | null = null
  reward: LiveEntry<UserReward> | null = null
  /** What rewards are shared by: shares with their boost, as of the holder's last checkpoint. */
  workingBalance: LiveEntry<WorkingBalance> | null = null
  /** Whether the holder takes part in rewards. Null: never chosen, which means yes. */
  optedIn: LiveEntry<boolean> | null = null
  /** Of concentrated pools. */
  user: LiveEntry<ConcentratedUser> | null = null
  /** By `rangeName`. */
  readonly ranges = new Map<string, Range>()
  /** By gauge. */
  readonly gauges = new Map<ContractId, LiveEntry<GaugeUser>>()
  /** Of share tokens; ranges have their own. */
  cost: HoldingCost | null = null
}

export interface Range {
  readonly tickLower: number
  readonly tickUpper: number
  /** Null after it was closed. */
  position: LiveEntry<RangePosition> | null
  cost: HoldingCost | null
}

export class PoolState {
  readonly pool: ContractId
  listing: Listing | null = null
  /** In the pool's own order: by raw bytes, not by strkey. Empty while they are unknown. */
  tokens: readonly ContractId[]
  /** This partition owns it. For a reader: something of it is known beyond its address. */
  owned = false
  instance: LiveEntry<PoolInstance> | null = null
  /** Ledger of the newest row of the instance. */
  changedLedger = 0
  /** What the pool holds, reward token included. */
  readonly balances = new Map<ContractId, LiveEntry<bigint>>()
  readonly gauges = new Map<ContractId, LiveEntry<GaugeInstance>>()
  /** What gauges hold of their reward tokens. */
  readonly gaugeBalances = new Map<ContractId, LiveEntry<bigint>>()
  /** Ticks of a concentrated pool, by number of their chunk. */
  readonly chunks = new Map<number, LiveEntry<TickChunk>>()
  rewardIndex: RewardIndex | null = null
  readonly holders = new Map<Address, Holder>()
  /** Sum of the holders' shares, or of the liquidity of their ranges. */
  heldShares = 0n
  /** Shares that holders burnt by themselves: the pool counts them still. */
  burntShares = 0n
  counters: Counters | null = null
  /** Holders whose newest snapshot is small. */
  readonly small: SmallPositions = new Set()

  constructor(pool: ContractId, tokens: readonly ContractId[] = []) {
    this.pool = pool
    this.tokens = tokens
  }
}

export interface AquariusState {
  /** The newest ledger in it. */
  ledger: number
  readonly routers: Map<ContractId, RouterState>
  readonly pools: Map<ContractId, PoolState>
  readonly shareTokens: Map<ContractId, ShareToken>
  /** Gauge -> its pool. Those of this partition. */
  readonly gaugePools: Map<ContractId, ContractId>
  /** Boost tokens locked by all accounts, by boost feed. */
  readonly boostSupplies: Map<ContractId, LiveEntry<bigint>>
  /** Name and decimals of tokens by their own instances, where seen. */
  readonly assets: Map<ContractId, TokenMetadata>
  readonly pricing: PricingState
}

/** The pool's state, made when it is new. */
export function poolOf(state: AquariusState, pool: ContractId): PoolState {
  return getOrMake(state.pools, pool, () => new PoolState(pool))
}

/** The state of a pool of which more is known than its address and listing: this partition folds it. */
export function ownedPoolOf(state: AquariusState, contract: ContractId): PoolState {
  const pool = poolOf(state, contract)
  pool.owned = true
  return pool
}

/** The router's state, made when it is new. */
export function routerOf(state: AquariusState, router: ContractId): RouterState {
  return getOrMake(state.routers, router, () => new RouterState())
}

/** False once the router took the pool off its list. It goes on working for those who call it directly. */
export function isRegistered({ listing }: Pick<PoolState, 'listing'>): boolean {
  return listing?.isRegistered ?? true
}

/** The holder's state in a pool, made when it is new. */
export function holderOf(pool: PoolState, address: Address): Holder {
  return getOrMake(pool.holders, address, () => new Holder())
}

/** Entries of a holder that are one each. */
type HolderEntry = 'nextShares' | 'reward' | 'workingBalance' | 'optedIn' | 'user'

/** A member of a holder. Setting it creates the holder; reading it does not. */
export function holderMember<K extends HolderEntry>(pool: PoolState, address: Address, name: K) {
  return {
    get: () => {
      const holder = pool.holders.get(address)
      return holder === undefined ? null : member(holder, name).get()
    },
    set: (...held: Parameters<ReturnType<typeof member<Holder, K>>['set']>) => member(holderOf(pool, address), name).set(...held),
  }
}

/** Sets a holder's shares and keeps their sum. */
export function setShares(pool: PoolState, address: Address, shares: LiveEntry<bigint> | null): void {
  const holder = holderOf(pool, address)
  pool.heldShares += (shares?.value ?? 0n) - (holder.shares?.value ?? 0n)
  holder.shares = shares
}

/** One name for a range, also in keys of rows. */
export function rangeName(tickLower: number, tickUpper: number): string {
  return `${tickLower}:${tickUpper}`
}

/** The holder's range between two ticks, made when it is new. */
export function rangeOf(holder: Holder, tickLower: number, tickUpper: number): Range {
  return getOrMake(holder.ranges, rangeName(tickLower, tickUpper), () => ({ tickLower, tickUpper, position: null, cost: null }))
}

/** Sets or closes a range and keeps the sum of liquidity. */
export function setRange(pool: PoolState, range: Range, position: LiveEntry<RangePosition> | null): void {
  pool.heldShares += (position?.value.liquidity ?? 0n) - (range.position?.value.liquidity ?? 0n)
  range.position = position
}

/** What a holder has in a pool: share tokens, or liquidity over all ranges. */
export function sharesOf(holder: Holder | undefined): bigint {
  if (holder === undefined) return 0n
  let shares = holder.shares?.value ?? 0n
  for (const range of holder.ranges.values()) shares += range.position?.value.liquidity ?? 0n
  return shares
}

/** Boost tokens locked by all accounts, by the network's feed; zero where there is none. Its deployments share one. */
export function totalLocked(state: AquariusState): bigint {
  for (const supply of state.boostSupplies.values()) return supply.value
  return 0n
}
