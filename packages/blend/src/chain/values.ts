// What the contracts of both versions store, decoded, and as it stands in state rows: names in our spelling, scales as on chain.
// The versions differ in scales and in a few members; a member that a version does not have is null.

import {
  flag,
  integer,
  list,
  mapOf,
  named,
  nullable,
  number,
  object,
  only,
  type Scalar,
  stored,
  text,
  tuple,
  type ValueOf,
} from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'

export type BlendVersion = 'v1' | 'v2'

/** Storage of a pool's instance. */
export const poolInstance = object({
  /** As its admin typed it. */
  name: text,
  admin: text,
  backstop: text,
  blnd: text,
  oracle: text,
  /** Share of interest that goes to the backstop, 7 decimals. */
  backstopTakeRate: named('bstop_rate', integer),
  maxPositions: number,
  /** 0 to 6: see `poolStatus`. */
  status: number,
  /** Least effective collateral of a borrower, in the oracle's base and decimals. v2 only. */
  minCollateral: nullable(integer),
  /** First 8 hex characters of the code's hash. */
  code: text,
})
export type PoolInstance = ValueOf<typeof poolInstance>

/** `ResConfig`. Fractions have 7 decimals. */
export const reserveConfig = object({
  index: number,
  decimals: number,
  cFactor: integer,
  lFactor: integer,
  util: integer,
  maxUtil: integer,
  rBase: integer,
  rOne: integer,
  rTwo: integer,
  rThree: integer,
  reactivity: integer,
  /** Underlying, raw. v2 only. */
  supplyCap: nullable(integer),
  /** v2 only: false blocks supply and borrow. */
  enabled: nullable(flag),
})
export type ReserveConfig = ValueOf<typeof reserveConfig>

/** `ResData`: as of its last touch. Rates have 9 decimals in v1 and 12 in v2, the rate modifier 9 and 7. */
export const reserveData = object({
  bRate: integer,
  dRate: integer,
  bSupply: integer,
  dSupply: integer,
  /** Underlying that belongs to the backstop: part of the pool's cash, not of its supply. */
  backstopCredit: integer,
  rateModifier: named('ir_mod', integer),
  /** Unix seconds. */
  lastTime: integer,
})
export type ReserveData = ValueOf<typeof reserveData>

/** `ResInit`: a config that is not active before its unlock time (unix seconds). */
export const queuedConfig = object({ config: reserveConfig, unlockTime: integer })
export type QueuedConfig = ValueOf<typeof queuedConfig>

/** `eps`: BLND per second, 7 decimals in v1, 14 in v2. `expiration`: unix seconds. */
export const emissionConfig = object({ eps: integer, expiration: integer })
export type EmissionConfig = ValueOf<typeof emissionConfig>

/** `EmisData`, `BEmisData`. */
export const emissionData = object({
  index: integer,
  /** Unix seconds. */
  lastTime: integer,
  /** v2 only: v1 stores it as an entry of its own, `emissionConfig`. */
  config: nullable(emissionConfig),
})
export type EmissionData = ValueOf<typeof emissionData>

/** `UserEmis`, `UEmisData`. `accrued`: BLND, raw. */
export const userEmission = object({ index: integer, accrued: integer })
export type UserEmission = ValueOf<typeof userEmission>

/** Shares by reserve index: the pool's reserve list maps an index to its asset. */
export type SharesByReserve = ReadonlyMap<number, bigint>

export const NO_SHARES: SharesByReserve = new Map()

/** JSON orders small integers among the keys of an object, as the contract's maps are ordered. */
const sharesByReserve: Scalar<SharesByReserve> = stored(mapOf(integer), {
  toStored: (shares) => new Map([...shares].map(([index, amount]) => [index.toString(), amount])),
  // Most maps of most accounts are empty: they share one.
  fromStored: (shares) => (shares.size === 0 ? NO_SHARES : new Map([...shares].map(([index, amount]) => [Number(index), amount]))),
})

/** `Positions` of an account in a pool. bTokens of plain supply and of collateral, dTokens owed. */
export const positions = object({ supply: sharesByReserve, collateral: sharesByReserve, liabilities: sharesByReserve })
export type Positions = ValueOf<typeof positions>

export const NO_POSITIONS: Positions = { supply: NO_SHARES, collateral: NO_SHARES, liabilities: NO_SHARES }

/** Share of the pool's emissions by reserve token id, 7 decimals. */
export const emissionShares = only('shares', sharesByReserve)

/** 0: liquidation of a user (bid dTokens, lot bTokens), 1: bad debt (bid dTokens, lot LP), 2: interest (bid LP, lot underlying). */
export type AuctionType = 0 | 1 | 2

/** `Auction`: what remains, unscaled. Bid and lot by asset, raw. `block`: the ledger after the one that made it. */
export const auction = object({ bid: mapOf(integer), lot: mapOf(integer), block: number })
export type Auction = ValueOf<typeof auction>

/** `PoolBalance` of a backstop. `shares` include those that are queued; `tokens` are LP tokens. */
export const backstopBalance = object({ shares: integer, queuedShares: integer, tokens: integer })
export type BackstopBalance = ValueOf<typeof backstopBalance>

export const NO_BACKSTOP_BALANCE: BackstopBalance = { shares: 0n, queuedShares: 0n, tokens: 0n }

export interface QueuedWithdrawal {
  readonly shares: bigint
  /** Unix seconds. */
  readonly unlocksAt: bigint
}

export const NO_QUEUE: readonly QueuedWithdrawal[] = []

const withdrawalQueue: Scalar<readonly QueuedWithdrawal[]> = stored(list(tuple(integer, integer)), {
  toStored: (queue) => queue.map(({ shares, unlocksAt }) => [shares, unlocksAt] as const),
  fromStored: (queue) => (queue.length === 0 ? NO_QUEUE : queue.map(([shares, unlocksAt]) => ({ shares, unlocksAt }))),
})

/** `UserBalance` of a backstop. `shares` exclude those that are queued; the queue is oldest first. */
export const backstopUser = object({ shares: integer, queue: withdrawalQueue })
export type BackstopUser = ValueOf<typeof backstopUser>

export const NO_BACKSTOP_SHARES: BackstopUser = { shares: 0n, queue: NO_QUEUE }

/** v1 `PoolEmis`: the amount only. v2 `RzEmis`: with the time of the last gulp. BLND raw. */
export const waitingEmission = object({ accrued: integer, lastTime: nullable(integer) })
export type WaitingEmission = ValueOf<typeof waitingEmission>

/** Storage of a backstop's instance. */
export const backstopInstance = object({ emitter: text, backstopToken: text, poolFactory: text, blnd: text, usdc: text })
export type BackstopInstance = ValueOf<typeof backstopInstance>

/** Contracts in an order that means something: assets by reserve index, the reward zone. */
export const contractList = only('contracts', list(text))

/** v1 `LPTknVal`: the contract's own value of an LP token, 7 decimals. Refreshed by `update_tkn_val` only. */
export const lpTokenValue = object({ blndPerLp: integer, usdcPerLp: integer })
export type LpTokenValue = ValueOf<typeof lpTokenValue>

export interface CometRecord {
  readonly balance: bigint
  /** 7 decimals. */
  readonly weight: bigint
}

/** `AllRecordData` of a Comet pool. */
export type CometRecords = ReadonlyMap<ContractId, CometRecord>

export const cometRecords = only(
  'records',
  stored(list(tuple(text, integer, integer)), {
    toStored: (records: CometRecords) => [...records].map(([token, { balance, weight }]) => [token, balance, weight] as const),
    fromStored: (records) => new Map(records.map(([token, balance, weight]) => [token, { balance, weight }])),
  }),
)

/** `backstop`: the one that emissions go to now. */
export const emitterInstance = object({ backstop: text, backstopToken: text, blnd: text })
export type EmitterInstance = ValueOf<typeof emitterInstance>

/** `unlockTime`: unix seconds. */
export const queuedSwap = object({ backstop: text, backstopToken: text, unlockTime: integer })
export type QueuedSwap = ValueOf<typeof queuedSwap>

/** A yes or no that a contract stores. */
export const flagValue = only('flag', flag)
