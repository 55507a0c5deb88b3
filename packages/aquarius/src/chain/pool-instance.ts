// The instance of a pool: one entry with its reserves, shares, fees, switches and rewards. Names and scales as on chain, in our spelling.
// A pool is upgraded in place and keys are written lazily, so what is there is taken and what is absent has the contract's default.
// Source: soroban-amm liquidity_pool{,_stableswap,_concentrated}/src/storage.rs, rewards/src/storage.rs, liquidity_pool_reward_gauge/src/storage.rs.

import { type Address, address, bool, type ContractId, dict, i32, struct, u32, u64, u128, u256, vec } from '@orrery/ledger'
import { readStored, type Stored } from './instance-storage.ts'
import { readTokens } from './pool-contracts.ts'
import { type Release, releaseOf } from './release.ts'

/** How a pool's storage is laid out. `other`: none of the three that we can read. */
export type PoolLayout = 'constant_product' | 'stable' | 'concentrated' | 'other'

/** Rewards that the pool itself pays. Raw amounts. */
export interface PoolRewards {
  readonly token: ContractId | ''
  /** Per second, over all holders, until `expiresAt`. */
  readonly tokensPerSecond: bigint
  /** Unix seconds, 0 without a configuration. */
  readonly expiresAt: bigint
  /** Paid out or owed to holders so far. */
  readonly accumulated: bigint
  /** Number of the newest checkpoint. */
  readonly block: bigint
  readonly claimed: bigint
  /** Unix seconds of the newest checkpoint. */
  readonly lastTime: bigint
  /** Sum of the working balances; null until the first checkpoint: then it is the supply of shares. */
  readonly workingSupply: bigint | null
  /** By reward token. */
  readonly gauges: readonly (readonly [token: ContractId, gauge: ContractId])[]
}

/** Amplification as it is stored, `A · n^(n−1)`, ramping from one moment to another. Unix seconds. */
export interface Amplification {
  readonly initial: bigint
  readonly initialTime: bigint
  readonly future: bigint
  readonly futureTime: bigint
  /** Of the tokens; null until the pool wrote them down. */
  readonly decimals: readonly number[] | null
}

export interface ConcentratedCore {
  /** √(token1 / token0) in raw units, Q64.96. */
  readonly sqrtPrice: bigint
  /** Decides what is in range. May be one below the tick of `sqrtPrice`: a swap that ends on a tick and crosses it. */
  readonly tick: number
  readonly tickSpacing: number
  /** In range at the tick. */
  readonly liquidity: bigint
  /** Q128, wrapping at 2^256. */
  readonly feeGrowth: readonly [bigint, bigint]
  /** What reward shares are parts of. Stale between the checkpoints of each user. */
  readonly weightedLiquidity: bigint
  readonly initializedTicks: readonly [min: number, max: number]
}

export interface PoolInstance {
  readonly layout: PoolLayout
  /** 64 hex characters, '' where the code is named elsewhere. */
  readonly code: string
  readonly release: Release
  /** False: `release` is only what the storage proves. */
  readonly isKnownBuild: boolean
  readonly router: ContractId | ''
  /** By raw address bytes: the order of events and reserves. */
  readonly tokens: readonly ContractId[]
  /** Stored reserves, protocol fees excluded. Of a concentrated pool with the fees that are owed to positions. */
  readonly reserves: readonly bigint[]
  readonly protocolFees: readonly bigint[]
  /** Of 10,000. */
  readonly fee: number
  /** Part of the fee that the protocol keeps, of 10,000. */
  readonly protocolFee: number
  /** '' in a concentrated pool. */
  readonly shareToken: ContractId | ''
  /** That which `shareToken` is being exchanged for, in a v1.3 pool; else ''. */
  readonly nextShareToken: ContractId | ''
  /** Of a concentrated pool: liquidity over all positions. */
  readonly totalShares: bigint
  readonly killed: { readonly deposit: boolean; readonly swap: boolean; readonly claim: boolean; readonly gaugesClaim: boolean }
  /** Ledger at which stored reserves were last raised to what the pool holds; 0: never, or by code that does not. */
  readonly syncLedger: number
  readonly rewards: PoolRewards
  readonly amplification: Amplification | null
  readonly concentrated: ConcentratedCore | null
}

const Slot0 = struct({ sqrt_price_x96: u256, tick: i32 })

/** Whatever it is: a layout that we cannot read is `other`. @throws OrreryError `corrupt`/`unexpected_shape` when the value is no instance. */
export function readPoolInstance(value: Uint8Array, pool: ContractId): PoolInstance {
  const stored = readStored(value, pool, 'pool instance')
  const tokens = readTokens(stored)
  const reserves =
    stored.get('Reserves', vec(u128)) ?? stored.pair('ReserveA', 'ReserveB', u128) ?? stored.pair('Reserve0', 'Reserve1', u128)
  const layout = layoutOf(stored, tokens, reserves)
  const code = stored.code
  const { release, isKnown } = releaseOf(code, {
    isConcentrated: layout === 'concentrated',
    hasSyncLedger: stored.has('ReservesSyncLedger'),
    hasExcludedShares: stored.has('ExcludedShares'),
    hasGauges: stored.has('RewardGaugesMap'),
    hasProtocolFee: stored.has('ProtocolFeeFraction'),
  })
  return {
    layout,
    code,
    release,
    isKnownBuild: isKnown,
    router: stored.get('Router', address) ?? '',
    tokens: tokens ?? [],
    reserves: reserves ?? [],
    protocolFees: protocolFees(stored, layout, tokens ?? []),
    fee: stored.get('FeeFraction', u32) ?? stored.get('Fee', u32) ?? 0,
    // Absent in a pool that was made before protocol fees and upgraded: then it takes none. Only the concentrated kind begins with half.
    protocolFee: stored.get('ProtocolFeeFraction', u32) ?? (layout === 'concentrated' ? 5_000 : 0),
    shareToken: stored.get('TokenShare', address) ?? '',
    nextShareToken: stored.get('FutureTokenShare', address) ?? '',
    totalShares: stored.get(layout === 'concentrated' ? 'TotalRawLiquidity' : 'TotalShares', u128) ?? 0n,
    killed: {
      deposit: stored.get('IsKilledDeposit', bool) ?? false,
      swap: stored.get('IsKilledSwap', bool) ?? false,
      claim: stored.get(layout === 'concentrated' ? 'ClaimKilled' : 'IsKilledClaim', bool) ?? false,
      gaugesClaim: stored.get('IsKilledGaugesClaim', bool) ?? false,
    },
    syncLedger: stored.get('ReservesSyncLedger', u32) ?? 0,
    rewards: readRewards(stored),
    amplification: layout === 'stable' ? readAmplification(stored) : null,
    concentrated: layout === 'concentrated' ? readConcentrated(stored) : null,
  }
}

/** By what must be there and readable: without it no formula can go on. */
function layoutOf(stored: Stored, tokens: readonly Address[] | null, reserves: readonly bigint[] | null): PoolLayout {
  if (tokens === null || reserves === null || tokens.length !== reserves.length) return 'other'
  if (stored.has('TokenA') && stored.get('FeeFraction', u32) !== null) return 'constant_product'
  if (stored.has('Tokens') && stored.get('FutureA', u128) !== null && stored.get('Fee', u32) !== null) return 'stable'
  if (stored.has('Token0') && stored.get('Slot0', Slot0) !== null && stored.get('TickSpacing', i32) !== null) return 'concentrated'
  return 'other'
}

const FeePair = struct({ token0: u128, token1: u128 })

function protocolFees(stored: Stored, layout: PoolLayout, tokens: readonly Address[]): readonly bigint[] {
  switch (layout) {
    case 'constant_product':
      return [stored.get('ProtocolFeeA', u128) ?? 0n, stored.get('ProtocolFeeB', u128) ?? 0n]
    case 'stable':
      return stored.get('ProtocolFees', vec(u128)) ?? tokens.map(() => 0n)
    case 'concentrated': {
      const fees = stored.get('ProtocolFees', FeePair)
      return [fees?.token0 ?? 0n, fees?.token1 ?? 0n]
    }
    case 'other':
      return tokens.map(() => 0n)
  }
}

const RewardConfig = struct({ expired_at: u64, tps: u128 })
const RewardData = struct({ accumulated: u128, block: u64, claimed: u128, last_time: u64 })

function readRewards(stored: Stored): PoolRewards {
  const config = stored.get('PoolRewardConfig', RewardConfig)
  const data = stored.get('PoolRewardData', RewardData)
  return {
    token: stored.get('RewardToken', address) ?? '',
    tokensPerSecond: config?.tps ?? 0n,
    expiresAt: config?.expired_at ?? 0n,
    accumulated: data?.accumulated ?? 0n,
    block: data?.block ?? 0n,
    claimed: data?.claimed ?? 0n,
    lastTime: data?.last_time ?? 0n,
    workingSupply: stored.get('WorkingSupply', u128),
    gauges: stored.get('RewardGaugesMap', dict(address, address)) ?? [],
  }
}

function readAmplification(stored: Stored): Amplification {
  return {
    initial: stored.get('InitialA', u128) ?? 0n,
    initialTime: stored.get('InitialATime', u64) ?? 0n,
    future: stored.get('FutureA', u128) ?? 0n,
    futureTime: stored.get('FutureATime', u64) ?? 0n,
    decimals: stored.get('Decimals', vec(u32)),
  }
}

function readConcentrated(stored: Stored): ConcentratedCore {
  const slot = stored.get('Slot0', Slot0)
  return {
    sqrtPrice: slot?.sqrt_price_x96 ?? 0n,
    tick: slot?.tick ?? 0,
    tickSpacing: stored.get('TickSpacing', i32) ?? 0,
    liquidity: stored.get('Liquidity', u128) ?? 0n,
    feeGrowth: [stored.get('FeeGrowthGlobal0X128', u256) ?? 0n, stored.get('FeeGrowthGlobal1X128', u256) ?? 0n],
    weightedLiquidity: stored.get('TotalWeightedLiquidity', u128) ?? 0n,
    initializedTicks: [stored.get('MinInitTick', i32) ?? 0, stored.get('MaxInitTick', i32) ?? 0],
  }
}
