// Entries of a pool beside its instance, one reader a key: what users have in rewards, ranges of concentrated pools, and their ticks.
// Source: soroban-amm rewards/src/storage.rs, liquidity_pool_concentrated/src/{storage,types}.rs.

import { integer, isInstanceKey, list, type Members, nullable, number, object, only, stored, tuple, type ValueOf } from '@orrery/fold-kit'
import {
  type Address,
  address,
  any,
  bool,
  dict,
  i32,
  i128,
  matches,
  oneOf,
  tuple as scvTuple,
  struct,
  u32,
  u64,
  u128,
  u256,
  variant,
  vec,
} from '@orrery/ledger'

export type PoolKey =
  | { readonly kind: 'instance' }
  | { readonly kind: 'user_reward' | 'working_balance' | 'rewards_state' | 'user'; readonly user: Address }
  | { readonly kind: 'range'; readonly user: Address; readonly tickLower: number; readonly tickUpper: number }
  | { readonly kind: 'ticks'; readonly chunk: number }
  /** `power` 0: increments of single checkpoints, 100 a page. Higher powers hold sums, which follow from them. */
  | { readonly kind: 'reward_page'; readonly power: number; readonly page: bigint }
  /** Search aids: they hold nothing that ticks do not hold. */
  | { readonly kind: 'bitmap' }
  | { readonly kind: 'unknown' }

const PoolEntryKey = variant({
  UserRewardData: [address],
  WorkingBalance: [address],
  UserRewardsState: [address],
  RewardInvDataV2: [u32, u64],
  RewardInvData: [u32, u64],
  Position: [address, i32, i32],
  User: [address],
  TickChunk: [i32],
  ChunkBitmap: [any],
  WordBitmap: [any],
})

export function readPoolKey(key: Uint8Array): PoolKey {
  if (isInstanceKey(key)) return { kind: 'instance' }
  const read = matches(PoolEntryKey, key)
  switch (read?.name) {
    case 'UserRewardData':
      return { kind: 'user_reward', user: read.values[0] }
    case 'WorkingBalance':
      return { kind: 'working_balance', user: read.values[0] }
    case 'UserRewardsState':
      return { kind: 'rewards_state', user: read.values[0] }
    case 'RewardInvDataV2':
    case 'RewardInvData':
      return { kind: 'reward_page', power: read.values[0], page: read.values[1] }
    case 'Position':
      return { kind: 'range', user: read.values[0], tickLower: read.values[1], tickUpper: read.values[2] }
    case 'User':
      return { kind: 'user', user: read.values[0] }
    case 'TickChunk':
      return { kind: 'ticks', chunk: read.values[0] }
    case 'ChunkBitmap':
    case 'WordBitmap':
      return { kind: 'bitmap' }
    default:
      return { kind: 'unknown' }
  }
}

/** A user's rewards as of the last checkpoint. Raw amounts. */
export const userReward = object({
  lastBlock: integer,
  /** The pool's `accumulated` at that checkpoint. */
  poolAccumulated: integer,
  toClaim: integer,
  /** `RewardIndex.total` at `lastBlock`, which no entry has. Null: that checkpoint predates the index, and its sum is unknown. */
  index: nullable(integer),
})
export type UserReward = ValueOf<typeof userReward>

const UserRewardValue = struct({ last_block: u64, pool_accumulated: u128, to_claim: u128 })

export function readUserRewardEntry(value: Uint8Array): Omit<UserReward, 'index'> | null {
  const read = matches(UserRewardValue, value)
  return read === null ? null : { lastBlock: read.last_block, poolAccumulated: read.pool_accumulated, toClaim: read.to_claim }
}

export function readWorkingBalance(value: Uint8Array): bigint | null {
  return matches(u128, value)
}

export function readRewardsState(value: Uint8Array): boolean | null {
  return matches(bool, value)
}

const RewardPage = oneOf([vec(u128), dict(u64, u128)])

/** Increments of a page by their place in it: a list, or up to v1.3 a map by number of checkpoint. Null when it is neither. */
export function readRewardPage(value: Uint8Array): readonly bigint[] | null {
  const read = matches(RewardPage, value)
  if (read === null) return null
  const cells: bigint[] = []
  for (const cell of read) {
    if (typeof cell === 'bigint') cells.push(cell)
    else cells[Number(cell[0] % 100n)] = cell[1]
  }
  return Array.from(cells, (cell) => cell ?? 0n)
}

/** Liquidity of one owner between two ticks, with the fees owed when it was last touched. */
export const rangePosition = object({
  liquidity: integer,
  /** Q128, wrapping at 2^256. */
  feeGrowthInside: tuple(integer, integer),
  owed: tuple(integer, integer),
})
export type RangePosition = ValueOf<typeof rangePosition>

const RangeValue = struct({
  fee_growth_inside_0_last_x128: u256,
  fee_growth_inside_1_last_x128: u256,
  liquidity: u128,
  tokens_owed_0: u128,
  tokens_owed_1: u128,
})

export function readRangePosition(value: Uint8Array): RangePosition | null {
  const read = matches(RangeValue, value)
  if (read === null) return null
  return {
    liquidity: read.liquidity,
    feeGrowthInside: [read.fee_growth_inside_0_last_x128, read.fee_growth_inside_1_last_x128],
    owed: [read.tokens_owed_0, read.tokens_owed_1],
  }
}

/** What a user has in a concentrated pool. Kept after the last range is closed. */
export const concentratedUser = object({
  rawLiquidity: integer,
  /** Liquidity by its distance from the price, as of the last checkpoint. */
  weightedLiquidity: integer,
  /** Lower and upper ticks. */
  ranges: list(tuple(number, number)),
})
export type ConcentratedUser = ValueOf<typeof concentratedUser>

const UserValue = struct({
  positions: vec(struct({ tick_lower: i32, tick_upper: i32 })),
  raw_liquidity: u128,
  weighted_liquidity: u128,
})

export function readConcentratedUser(value: Uint8Array): ConcentratedUser | null {
  const read = matches(UserValue, value)
  if (read === null) return null
  return {
    rawLiquidity: read.raw_liquidity,
    weightedLiquidity: read.weighted_liquidity,
    ranges: read.positions.map((range) => [range.tick_lower, range.tick_upper]),
  }
}

export interface Tick {
  /** Fees earned on the other side of the tick, seen from the price. Q128, wrapping. */
  readonly feeGrowthOutside: readonly [bigint, bigint]
  /** Liquidity of all ranges that begin or end here. */
  readonly liquidityGross: bigint
  /** What the pool's liquidity gains when the price rises over it. */
  readonly liquidityNet: bigint
}

/** The initialised ticks among 16 neighbours, by place. */
export type TickChunk = ReadonlyMap<number, Tick>

const storedTick = stored(tuple(number, integer, integer, integer, integer), {
  toStored: ([place, { feeGrowthOutside, liquidityGross, liquidityNet }]: readonly [place: number, tick: Tick]) =>
    [place, ...feeGrowthOutside, liquidityGross, liquidityNet] as const,
  fromStored: ([place, outside0, outside1, liquidityGross, liquidityNet]) =>
    [place, { feeGrowthOutside: [outside0, outside1], liquidityGross, liquidityNet }] as const,
})

export const tickChunk: Members<TickChunk> = only(
  'ticks',
  stored(list(storedTick), { toStored: (chunk: TickChunk) => [...chunk], fromStored: (ticks) => new Map(ticks) }),
)

const TickCells = vec(scvTuple(u256, u256, u128, i128))

export function readTickChunk(value: Uint8Array): TickChunk | null {
  const cells = matches(TickCells, value)
  if (cells === null) return null
  const chunk = new Map<number, Tick>()
  for (const [place, [outside0, outside1, liquidityGross, liquidityNet]] of cells.entries()) {
    if (liquidityGross > 0n) chunk.set(place, { feeGrowthOutside: [outside0, outside1], liquidityGross, liquidityNet })
  }
  return chunk
}
