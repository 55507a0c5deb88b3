// What the fold remembers of Blend, and how a reader holds it: entries as the ledgers left them, and facts that no entry tells.
// Rows are the only way in and out (`state-rows.ts`), so a restart and an as-of reader see what the fold saw.
// Stored reserves are as of their last touch: whatever is shown or valued goes through `accrue` first.

import type { Live, TokenMetadata } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { PricingState } from '@orrery/pricing'
import type { BlendDeployment } from '@orrery/protocol-kit'
import type {
  Auction,
  AuctionType,
  BackstopBalance,
  BackstopInstance,
  BackstopUser,
  CometRecords,
  EmissionConfig,
  EmissionData,
  EmitterInstance,
  LpTokenValue,
  PoolInstance,
  Positions,
  QueuedConfig,
  QueuedSwap,
  ReserveConfig,
  ReserveData,
  UserEmission,
  WaitingEmission,
} from './chain.ts'
import type { BalanceCost, CostKey } from './cost.ts'

/** One asset of a pool. */
export interface ReserveState {
  readonly asset: ContractId
  config: Live<ReserveConfig> | null
  data: Live<ReserveData> | null
  /** Temporary: gone when its life is over. */
  queued: Live<QueuedConfig> | null
}

/** Emissions of one reserve token: index · 2 = dTokens, index · 2 + 1 = bTokens. */
export interface TokenEmission {
  data: Live<EmissionData> | null
  /** v1 keeps it apart. */
  config: Live<EmissionConfig> | null
}

/** What belongs to one account in one pool, the pool's backstop included. */
export interface AccountState {
  positions: Live<Positions> | null
  /** By reserve token id. */
  emissions: Map<number, Live<UserEmission>> | null
  backstop: Live<BackstopUser> | null
  backstopEmission: Live<UserEmission> | null
  /** Temporary entries: ask `auctionOf`, which knows when one is over. */
  auctions: Map<AuctionType, Live<Auction>> | null
  costs: Map<CostKey, BalanceCost> | null
}

/** The backstop of one pool. */
export interface PoolBackstop {
  balance: Live<BackstopBalance> | null
  emission: Live<EmissionData> | null
  emissionConfig: Live<EmissionConfig> | null
  waiting: Live<WaitingEmission> | null
}

/** Sums over `accounts`, kept as positions change: they must equal what the reserves and the backstop say. */
export interface PoolSums {
  /** By reserve index. */
  readonly bTokens: Map<number, bigint>
  readonly dTokens: Map<number, bigint>
  /** Backstop shares, queued ones included. */
  backstopShares: bigint
}

export interface PoolState {
  readonly pool: ContractId
  /** The deployment whose factory made it. */
  readonly deployment: BlendDeployment
  /** Announced by its factory within the index: every account of it is known then. */
  listed: boolean
  /** This partition owns it. For a reader: something of it is known beyond its address. */
  owned: boolean
  instance: Live<PoolInstance> | null
  /** Assets; the place is the reserve index. */
  reserveList: Live<readonly ContractId[]> | null
  readonly reserves: Map<ContractId, ReserveState>
  /** Share of the pool's emissions by reserve token id, 7 decimals. */
  emissionShares: Live<ReadonlyMap<number, bigint>> | null
  /** By reserve token id. */
  readonly emissions: Map<number, TokenEmission>
  readonly backstop: PoolBackstop
  /** Tokens that the pool holds. */
  readonly balances: Map<ContractId, Live<bigint>>
  readonly accounts: Map<Address, AccountState>
  readonly sums: PoolSums
  /** Ledger of the newest row of the pool that is nobody's. */
  changedLedger: number
}

/** A backstop as a whole; what it keeps by pool stands with the pools. */
export interface BackstopState {
  readonly backstop: ContractId
  readonly deployment: BlendDeployment
  instance: Live<BackstopInstance> | null
  rewardZone: Live<readonly ContractId[]> | null
  lastDistribution: Live<bigint> | null
  /** v1. */
  lpTokenValue: Live<LpTokenValue> | null
  /** v2. */
  backfillEmissions: Live<bigint> | null
  backfilled: Live<boolean> | null
  /** BLND and LP tokens that it holds. */
  readonly balances: Map<ContractId, Live<bigint>>
}

/** The Comet pool of BLND and USDC: its LP tokens are what backstops hold. */
export interface CometState {
  readonly comet: ContractId
  records: Live<CometRecords> | null
  totalShares: Live<bigint> | null
  /** 7 decimals. */
  swapFee: Live<bigint> | null
  /** Only in the partition that owns them. */
  readonly balances: Map<ContractId, Live<bigint>>
  readonly holders: Map<Address, Live<bigint>>
  /** Sum over `holders`. */
  heldShares: bigint
}

export interface EmitterState {
  readonly emitter: ContractId
  instance: Live<EmitterInstance> | null
  queuedSwap: Live<QueuedSwap> | null
  /** Unix seconds, by backstop. */
  readonly lastDistribution: Map<ContractId, Live<bigint>>
  readonly dropped: Map<ContractId, Live<boolean>>
}

export interface BlendState {
  /** The newest ledger in it. */
  ledger: number
  readonly pools: Map<ContractId, PoolState>
  readonly backstops: Map<ContractId, BackstopState>
  readonly comets: Map<ContractId, CometState>
  readonly emitters: Map<ContractId, EmitterState>
  /** What tokens say of themselves, where their instance was seen. */
  readonly assets: Map<ContractId, TokenMetadata>
  readonly pricing: PricingState
}

export function emptyPool(pool: ContractId, deployment: BlendDeployment): PoolState {
  return {
    pool,
    deployment,
    listed: false,
    owned: false,
    instance: null,
    reserveList: null,
    reserves: new Map(),
    emissionShares: null,
    emissions: new Map(),
    backstop: { balance: null, emission: null, emissionConfig: null, waiting: null },
    balances: new Map(),
    accounts: new Map(),
    sums: { bTokens: new Map(), dTokens: new Map(), backstopShares: 0n },
    changedLedger: 0,
  }
}

/** The pool's state, made when it is new. */
export function poolOf(state: BlendState, pool: ContractId, deployment: BlendDeployment): PoolState {
  return madeOf(state.pools, pool, () => emptyPool(pool, deployment))
}

export function reserveOf(pool: PoolState, asset: ContractId): ReserveState {
  return madeOf(pool.reserves, asset, () => ({ asset, config: null, data: null, queued: null }))
}

export function emissionOf(pool: PoolState, tokenId: number): TokenEmission {
  return madeOf(pool.emissions, tokenId, () => ({ data: null, config: null }))
}

export function accountOf(pool: PoolState, address: Address): AccountState {
  return madeOf(pool.accounts, address, () => ({
    positions: null,
    emissions: null,
    backstop: null,
    backstopEmission: null,
    auctions: null,
    costs: null,
  }))
}

/** The auction of that type, null when there is none or its entry's life is over: expiry tells nobody. */
export function auctionOf(pool: PoolState, user: Address, type: AuctionType, ledger: number): Auction | null {
  const auction = pool.accounts.get(user)?.auctions?.get(type)
  return auction === undefined || (auction.liveUntil !== 0 && auction.liveUntil < ledger) ? null : auction.value
}

/** Assets of the pool's reserves in their order. */
export function assetsOf(pool: PoolState): readonly ContractId[] {
  return pool.reserveList?.value ?? []
}

function madeOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
