// The instance of a pool: one entry with its reserves, shares, fees, switches and rewards. Names and scales as on chain, in camel case.
// A pool is upgraded in place and keys are written lazily, so a key that is absent has the contract's default.
// Source: soroban-amm liquidity_pool{,_stableswap,_concentrated}/src/storage.rs, rewards/src/storage.rs, liquidity_pool_reward_gauge/src/storage.rs.

import {
  choice,
  flag,
  integer,
  list,
  named,
  nullable,
  number,
  object,
  optional,
  optionalObject,
  stored,
  text,
  tuple,
  type ValueOf,
} from '@orrery/fold-kit'
import { type Address, address, bool, type ContractId, dict, i32, struct, u32, u64, u128, u256, vec } from '@orrery/ledger'
import { type InstanceStorage, readInstanceStorage } from './instance-storage.ts'
import { readTokens } from './pool-contracts.ts'
import { releaseOf, storedRelease } from './release.ts'

/** Rewards that the pool itself pays. Raw amounts. */
const poolRewards = object({
  token: named('reward_token', text),
  /** Per second, over all holders, until `expiresAt`. */
  tokensPerSecond: named('reward_tps', integer),
  /** Unix seconds, 0 without a configuration. */
  expiresAt: named('reward_expires_at', integer),
  /** Paid out or owed to holders so far. */
  accumulated: named('reward_accumulated', integer),
  /** Number of the newest checkpoint. */
  block: named('reward_block', integer),
  claimed: named('reward_claimed', integer),
  /** Unix seconds of the newest checkpoint. */
  lastTime: named('reward_last_time', integer),
  /** Sum of the working balances; null until the first checkpoint: then it is the supply of shares. */
  workingSupply: nullable(integer),
  /** Pairs of a reward token and its gauge. */
  gauges: list(tuple(text, text)),
})
export type PoolRewards = ValueOf<typeof poolRewards>

/** Amplification as it is stored, `A · n^(n−1)`, ramping from one time to another. Unix seconds. */
const amplification = object({
  initial: named('a_initial', integer),
  initialTime: named('a_initial_time', integer),
  future: named('a_future', integer),
  futureTime: named('a_future_time', integer),
  /** Of the tokens; null until the pool wrote them down. */
  decimals: nullable(list(number)),
})
export type Amplification = ValueOf<typeof amplification>

const concentratedCore = object({
  /** √(token1 / token0) in raw units, Q64.96. */
  sqrtPrice: integer,
  /** Decides what is in range. May be one below the tick of `sqrtPrice`: a swap that ends on a tick and crosses it. */
  tick: number,
  tickSpacing: number,
  /** In range at the tick. */
  liquidity: integer,
  /** Q128, wrapping at 2^256. */
  feeGrowth: tuple(integer, integer),
  /** What reward shares are parts of. Stale between the checkpoints of each user. */
  weightedLiquidity: integer,
  /** The lowest and the highest. */
  initializedTicks: tuple(number, number),
})
export type ConcentratedCore = ValueOf<typeof concentratedCore>

/** Which of its switches are off. */
interface Killed {
  readonly deposit: boolean
  readonly swap: boolean
  readonly claim: boolean
  readonly gaugesClaim: boolean
}

const killed = stored(tuple(flag, flag, flag, flag), {
  toStored: ({ deposit, swap, claim, gaugesClaim }: Killed) => [deposit, swap, claim, gaugesClaim] as const,
  fromStored: ([deposit, swap, claim, gaugesClaim]) => ({ deposit, swap, claim, gaugesClaim }),
})

export const poolInstance = object({
  /** How its storage is laid out. `other`: none of the three that this package can read. */
  layout: choice('constant_product', 'stable', 'concentrated', 'other'),
  /** 64 hex characters, '' where the code is named elsewhere. */
  code: text,
  release: storedRelease,
  /** False: `release` is only what the storage proves. */
  isKnownBuild: named('known_build', flag),
  /** '' where the instance does not name it. */
  router: text,
  /** By raw address bytes: the order of events and reserves. */
  tokens: list(text),
  /** Stored reserves, protocol fees excluded. Of a concentrated pool with the fees that are owed to positions. */
  reserves: list(integer),
  protocolFees: list(integer),
  /** Of 10,000. */
  fee: number,
  /** Part of the fee that the protocol keeps, of 10,000. */
  protocolFee: number,
  /** '' in a concentrated pool. */
  shareToken: text,
  /** That which `shareToken` is being exchanged for, in a v1.3 pool; else ''. */
  nextShareToken: optional(text, ''),
  /** Of a concentrated pool: liquidity over all positions. */
  totalShares: integer,
  killed,
  /** Ledger at which stored reserves were last raised to what the pool holds; 0: never, or by code that does not. */
  syncLedger: number,
  rewards: poolRewards,
  /** Of stable pools. */
  amplification: optionalObject(amplification),
  /** Of concentrated pools. */
  concentrated: optionalObject(concentratedCore),
})
export type PoolInstance = ValueOf<typeof poolInstance>
export type PoolLayout = PoolInstance['layout']

const Slot0 = struct({ sqrt_price_x96: u256, tick: i32 })

/** A layout that this package cannot read is `other`. @throws OrreryError `corrupt`/`unexpected_shape` when the value is no instance. */
export function readPoolInstance(value: Uint8Array, pool: ContractId): PoolInstance {
  const storage = readInstanceStorage(value, pool, 'pool instance')
  const tokens = readTokens(storage)
  const reserves =
    storage.get('Reserves', vec(u128)) ?? storage.pair('ReserveA', 'ReserveB', u128) ?? storage.pair('Reserve0', 'Reserve1', u128)
  const layout = layoutOf(storage, tokens, reserves)
  return {
    layout,
    code: storage.code,
    ...releaseOf(storage.code, layout === 'concentrated', storage.has),
    router: storage.get('Router', address) ?? '',
    tokens: tokens ?? [],
    reserves: reserves ?? [],
    protocolFees: protocolFees(storage, layout, tokens ?? []),
    fee: storage.get('FeeFraction', u32) ?? storage.get('Fee', u32) ?? 0,
    // Absent in a pool that was made before protocol fees and upgraded: then it takes none. Only the concentrated kind begins with half.
    protocolFee: storage.get('ProtocolFeeFraction', u32) ?? (layout === 'concentrated' ? 5_000 : 0),
    shareToken: storage.get('TokenShare', address) ?? '',
    nextShareToken: storage.get('FutureTokenShare', address) ?? '',
    totalShares: storage.get(layout === 'concentrated' ? 'TotalRawLiquidity' : 'TotalShares', u128) ?? 0n,
    killed: {
      deposit: storage.get('IsKilledDeposit', bool) ?? false,
      swap: storage.get('IsKilledSwap', bool) ?? false,
      claim: storage.get(layout === 'concentrated' ? 'ClaimKilled' : 'IsKilledClaim', bool) ?? false,
      gaugesClaim: storage.get('IsKilledGaugesClaim', bool) ?? false,
    },
    syncLedger: storage.get('ReservesSyncLedger', u32) ?? 0,
    rewards: readRewards(storage),
    amplification: layout === 'stable' ? readAmplification(storage) : null,
    concentrated: layout === 'concentrated' ? readConcentrated(storage) : null,
  }
}

/** By what must be there and readable: without it no formula can go on. */
function layoutOf(storage: InstanceStorage, tokens: readonly Address[] | null, reserves: readonly bigint[] | null): PoolLayout {
  if (tokens === null || reserves === null || tokens.length !== reserves.length) return 'other'
  if (storage.has('TokenA') && storage.get('FeeFraction', u32) !== null) return 'constant_product'
  if (storage.has('Tokens') && storage.get('FutureA', u128) !== null && storage.get('Fee', u32) !== null) return 'stable'
  if (storage.has('Token0') && storage.get('Slot0', Slot0) !== null && storage.get('TickSpacing', i32) !== null) return 'concentrated'
  return 'other'
}

const FeePair = struct({ token0: u128, token1: u128 })

function protocolFees(storage: InstanceStorage, layout: PoolLayout, tokens: readonly Address[]): readonly bigint[] {
  switch (layout) {
    case 'constant_product':
      return [storage.get('ProtocolFeeA', u128) ?? 0n, storage.get('ProtocolFeeB', u128) ?? 0n]
    case 'stable':
      return storage.get('ProtocolFees', vec(u128)) ?? tokens.map(() => 0n)
    case 'concentrated': {
      const fees = storage.get('ProtocolFees', FeePair)
      return [fees?.token0 ?? 0n, fees?.token1 ?? 0n]
    }
    case 'other':
      return tokens.map(() => 0n)
  }
}

const RewardConfig = struct({ expired_at: u64, tps: u128 })
const RewardData = struct({ accumulated: u128, block: u64, claimed: u128, last_time: u64 })

function readRewards(storage: InstanceStorage): PoolRewards {
  const config = storage.get('PoolRewardConfig', RewardConfig)
  const data = storage.get('PoolRewardData', RewardData)
  return {
    token: storage.get('RewardToken', address) ?? '',
    tokensPerSecond: config?.tps ?? 0n,
    expiresAt: config?.expired_at ?? 0n,
    accumulated: data?.accumulated ?? 0n,
    block: data?.block ?? 0n,
    claimed: data?.claimed ?? 0n,
    lastTime: data?.last_time ?? 0n,
    workingSupply: storage.get('WorkingSupply', u128),
    gauges: storage.get('RewardGaugesMap', dict(address, address)) ?? [],
  }
}

function readAmplification(storage: InstanceStorage): Amplification {
  return {
    initial: storage.get('InitialA', u128) ?? 0n,
    initialTime: storage.get('InitialATime', u64) ?? 0n,
    future: storage.get('FutureA', u128) ?? 0n,
    futureTime: storage.get('FutureATime', u64) ?? 0n,
    decimals: storage.get('Decimals', vec(u32)),
  }
}

function readConcentrated(storage: InstanceStorage): ConcentratedCore {
  const slot = storage.get('Slot0', Slot0)
  return {
    sqrtPrice: slot?.sqrt_price_x96 ?? 0n,
    tick: slot?.tick ?? 0,
    tickSpacing: storage.get('TickSpacing', i32) ?? 0,
    liquidity: storage.get('Liquidity', u128) ?? 0n,
    feeGrowth: [storage.get('FeeGrowthGlobal0X128', u256) ?? 0n, storage.get('FeeGrowthGlobal1X128', u256) ?? 0n],
    weightedLiquidity: storage.get('TotalWeightedLiquidity', u128) ?? 0n,
    initializedTicks: [storage.get('MinInitTick', i32) ?? 0, storage.get('MaxInitTick', i32) ?? 0],
  }
}
