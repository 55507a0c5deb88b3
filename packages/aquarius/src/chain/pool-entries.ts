// Entries of a pool beside its instance, one reader a key: what users have in rewards, ranges of concentrated pools, and their ticks.
// Source: soroban-amm rewards/src/storage.rs, liquidity_pool_concentrated/src/{storage,types}.rs.

import { integer, list, type Members, nullable, number, object, only, stored, tuple, type ValueOf } from '@orrery/fold-kit'
import {
  address,
  any,
  bool,
  dict,
  i32,
  i128,
  matches,
  type Of,
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
import { entryReader } from './entry-reader.ts'

const PoolKey = variant({
  UserRewardData: [address],
  WorkingBalance: [address],
  UserRewardsState: [address],
  /** Power and page. */
  RewardInvDataV2: [u32, u64],
  RewardInvData: [u32, u64],
  /** Of a user, with the lower and the upper tick. */
  Position: [address, i32, i32],
  User: [address],
  TickChunk: [i32],
  /** Search aids: they hold nothing that ticks do not hold. */
  ChunkBitmap: [any],
  WordBitmap: [any],
})

/** Null: the key of something else, such as the instance. */
export const readPoolKey = (key: Uint8Array): Of<typeof PoolKey> | null => matches(PoolKey, key)

/** Number of a page of rewards: increments of 100 checkpoints. Null: another key, or a higher power, whose sums follow from these. */
export function rewardPageOf(key: Uint8Array): bigint | null {
  const read = readPoolKey(key)
  if (read?.name !== 'RewardInvDataV2' && read?.name !== 'RewardInvData') return null
  const [power, page] = read.values
  return power === 0 ? page : null
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

export const readUserReward = entryReader(
  struct({ last_block: u64, pool_accumulated: u128, to_claim: u128 }),
  (read): Omit<UserReward, 'index'> => ({ lastBlock: read.last_block, poolAccumulated: read.pool_accumulated, toClaim: read.to_claim }),
)

export const readWorkingBalance = (value: Uint8Array): bigint | null => matches(u128, value)

/** Whether the user takes part in rewards. */
export const readRewardsState = (value: Uint8Array): boolean | null => matches(bool, value)

/** Increments of a page by their place in it: a list, or up to v1.3 a map by number of checkpoint. Null when it is neither. */
export const readRewardPage = entryReader(oneOf([vec(u128), dict(u64, u128)]), (page): readonly bigint[] => {
  const cells: bigint[] = []
  for (const cell of page) {
    if (typeof cell === 'bigint') cells.push(cell)
    else cells[Number(cell[0] % 100n)] = cell[1]
  }
  return Array.from(cells, (cell) => cell ?? 0n)
})

/** Liquidity of one owner between two ticks, with the fees owed when it was last touched. */
export const rangePosition = object({
  liquidity: integer,
  /** Q128, wrapping at 2^256. */
  feeGrowthInside: tuple(integer, integer),
  owed: tuple(integer, integer),
})
export type RangePosition = ValueOf<typeof rangePosition>

export const readRangePosition = entryReader(
  struct({
    fee_growth_inside_0_last_x128: u256,
    fee_growth_inside_1_last_x128: u256,
    liquidity: u128,
    tokens_owed_0: u128,
    tokens_owed_1: u128,
  }),
  (read): RangePosition => ({
    liquidity: read.liquidity,
    feeGrowthInside: [read.fee_growth_inside_0_last_x128, read.fee_growth_inside_1_last_x128],
    owed: [read.tokens_owed_0, read.tokens_owed_1],
  }),
)

/** What a user has in a concentrated pool. Kept after the last range is closed. */
export const concentratedUser = object({
  rawLiquidity: integer,
  /** Liquidity by its distance from the price, as of the last checkpoint. */
  weightedLiquidity: integer,
  /** Lower and upper ticks. */
  ranges: list(tuple(number, number)),
})
export type ConcentratedUser = ValueOf<typeof concentratedUser>

export const readConcentratedUser = entryReader(
  struct({ positions: vec(struct({ tick_lower: i32, tick_upper: i32 })), raw_liquidity: u128, weighted_liquidity: u128 }),
  (read): ConcentratedUser => ({
    rawLiquidity: read.raw_liquidity,
    weightedLiquidity: read.weighted_liquidity,
    ranges: read.positions.map((range) => [range.tick_lower, range.tick_upper]),
  }),
)

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

export const readTickChunk = entryReader(vec(scvTuple(u256, u256, u128, i128)), (cells): TickChunk => {
  const chunk = new Map<number, Tick>()
  for (const [place, [outside0, outside1, liquidityGross, liquidityNet]] of cells.entries()) {
    if (liquidityGross > 0n) chunk.set(place, { feeGrowthOutside: [outside0, outside1], liquidityGross, liquidityNet })
  }
  return chunk
})
