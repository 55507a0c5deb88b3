// What the fold remembers of Aquarius, and how a reader holds it: entries as the ledgers left them, and facts that no entry tells.
// Rows are the only way in and out (`state-rows.ts`), so a restart and an as-of reader see what the fold saw.
// A persistent entry keeps its value when it is archived: quiet pools are worth what they hold.

import type { Cost, Counters, LiveEntry, SmallPositions, TokenMetadata } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { PricingState } from '@orrery/pricing'
import type { GaugeInstance, GaugeUser } from './gauge-entries.ts'
import type { ConcentratedUser, RangePosition, TickChunk } from './pool-entries.ts'
import type { PoolInstance } from './pool-instance.ts'
import type { RewardIndex, UserReward } from './reward-index.ts'
import type { RouterInstance, RouterRewards } from './router-entries.ts'
import type { WorkingBalance } from './working-balance.ts'

/** How a pool stands in its router's list. */
export interface Listing {
  readonly router: ContractId
  /** `constant`, `stable`, `concentrated`, or a later word. */
  readonly kind: string
  /** 64 hex characters: what router calls name the pool by. Pools of the same fee share it. */
  readonly index: string
  /** As announced; empty where only the list tells of the pool: then its instance says. */
  readonly tokens: readonly ContractId[]
  /** By `add_pool` within the index: every holder is known then. */
  readonly isAnnounced: boolean
}

/** Whose shares a token counts. A pool that exchanged its share token has had two, of which one counts. */
export interface ShareToken {
  readonly pool: ContractId
  readonly counts: boolean
}

/** A router's settings, and the rate that it shares out in the running round. */
export interface RouterState {
  readonly instance?: LiveEntry<RouterInstance>
  readonly rewards?: LiveEntry<RouterRewards>
}

export interface Holder {
  /** Balance of the share token. Null: only other things are known. */
  shares: LiveEntry<bigint> | null
  /** Balance of the token that the pool is exchanging its share token for. */
  nextShares: LiveEntry<bigint> | null
  reward: LiveEntry<UserReward> | null
  /** What rewards are shared by: shares with their boost, as of the holder's last checkpoint. */
  workingBalance: LiveEntry<WorkingBalance> | null
  /** Null on chain means yes. */
  takesRewards: LiveEntry<boolean> | null
  /** Of concentrated pools. */
  user: LiveEntry<ConcentratedUser> | null
  /** By `rangeName`. */
  readonly ranges: Map<string, Range>
  /** By gauge. */
  readonly gauges: Map<ContractId, LiveEntry<GaugeUser>>
  /** Of share tokens; ranges have their own. */
  cost: Cost | null
}

export interface Range {
  readonly tickLower: number
  readonly tickUpper: number
  /** Null after it was closed. */
  position: LiveEntry<RangePosition> | null
  cost: Cost | null
}

export interface PoolState {
  readonly pool: ContractId
  listing: Listing | null
  /** In the pool's own order: by raw bytes, not by strkey. Empty until something tells. */
  tokens: readonly ContractId[]
  /** False once the router took it off its list. It goes on working for who calls it directly. */
  isRegistered: boolean
  /** This partition owns it. For a reader: something of it is known beyond its address. */
  owned: boolean
  instance: LiveEntry<PoolInstance> | null
  /** Ledger of the newest row of the instance. */
  changedLedger: number
  /** What the pool holds, reward token included. */
  readonly balances: Map<ContractId, LiveEntry<bigint>>
  readonly gauges: Map<ContractId, LiveEntry<GaugeInstance>>
  /** What gauges hold of their reward tokens. */
  readonly gaugeBalances: Map<ContractId, LiveEntry<bigint>>
  /** Ticks of a concentrated pool, by number of their chunk. */
  readonly chunks: Map<number, LiveEntry<TickChunk>>
  rewardIndex: RewardIndex | null
  readonly holders: Map<Address, Holder>
  /** Sum of the holders' shares, or of the liquidity of their ranges. */
  heldShares: bigint
  /** Shares that holders burnt by themselves: the pool counts them still. */
  burntShares: bigint
  counters: Counters | null
  /** Holders whose newest snapshot is small. */
  readonly small: SmallPositions
}

export interface AquariusState {
  /** The newest ledger in it. */
  ledger: number
  readonly routers: Map<ContractId, RouterState>
  readonly pools: Map<ContractId, PoolState>
  readonly shareTokens: Map<ContractId, ShareToken>
  /** Gauge -> its pool. Those of this partition. */
  readonly gaugePools: Map<ContractId, ContractId>
  /** Boost tokens locked by everybody, by boost feed. */
  readonly boostSupplies: Map<ContractId, LiveEntry<bigint>>
  /** What tokens say of themselves, where their instance was seen. */
  readonly assets: Map<ContractId, TokenMetadata>
  readonly pricing: PricingState
}

export function emptyPool(pool: ContractId): PoolState {
  return {
    pool,
    listing: null,
    tokens: [],
    isRegistered: true,
    owned: false,
    instance: null,
    changedLedger: 0,
    balances: new Map(),
    gauges: new Map(),
    gaugeBalances: new Map(),
    chunks: new Map(),
    rewardIndex: null,
    holders: new Map(),
    heldShares: 0n,
    burntShares: 0n,
    counters: null,
    small: new Set(),
  }
}

/** The pool's state, made when it is new. */
export function poolOf(state: AquariusState, pool: ContractId): PoolState {
  const known = state.pools.get(pool)
  if (known !== undefined) return known
  const made = emptyPool(pool)
  state.pools.set(pool, made)
  return made
}

/** Sets a pool's instance, and what follows from it. `ledger` is that of its row. */
export function setInstance(state: AquariusState, pool: PoolState, instance: LiveEntry<PoolInstance>, ledger: number): void {
  pool.instance = instance
  pool.changedLedger = ledger
  const { tokens, rewards } = instance.value
  if (tokens.length > 0) pool.tokens = tokens
  for (const [, gauge] of rewards.gauges) state.gaugePools.set(gauge, pool.pool)
}

export function holderOf(pool: PoolState, address: Address): Holder {
  const known = pool.holders.get(address)
  if (known !== undefined) return known
  const made: Holder = {
    shares: null,
    nextShares: null,
    reward: null,
    workingBalance: null,
    takesRewards: null,
    user: null,
    ranges: new Map(),
    gauges: new Map(),
    cost: null,
  }
  pool.holders.set(address, made)
  return made
}

/** Sets a holder's shares and keeps their sum. */
export function setShares(pool: PoolState, address: Address, shares: LiveEntry<bigint>): void {
  const holder = holderOf(pool, address)
  pool.heldShares += shares.value - (holder.shares?.value ?? 0n)
  holder.shares = shares
}

/** One name for a range, also in keys of rows. */
export function rangeName(tickLower: number, tickUpper: number): string {
  return `${tickLower}:${tickUpper}`
}

export function rangeOf(holder: Holder, tickLower: number, tickUpper: number): Range {
  const name = rangeName(tickLower, tickUpper)
  const known = holder.ranges.get(name)
  if (known !== undefined) return known
  const made: Range = { tickLower, tickUpper, position: null, cost: null }
  holder.ranges.set(name, made)
  return made
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

/** Boost tokens locked by everybody, as the network's feed says; zero where there is none. Its deployments share one. */
export function totalLocked(state: AquariusState): bigint {
  for (const supply of state.boostSupplies.values()) return supply.value
  return 0n
}
