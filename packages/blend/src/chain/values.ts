// What the contracts of both versions keep in their entries, decoded: names in our spelling, scales as on chain.
// The versions differ in scales and in a few members; a member that a version does not have is null.

import type { Address, ContractId } from '@orrery/ledger'

export type BlendVersion = 'v1' | 'v2'

/** Storage of a pool's instance. */
export interface PoolInstance {
  /** As its admin typed it. */
  readonly name: string
  readonly admin: Address
  readonly backstop: ContractId
  readonly blnd: ContractId
  readonly oracle: ContractId
  /** Share of interest that goes to the backstop, 7 decimals. */
  readonly backstopTakeRate: bigint
  readonly maxPositions: number
  /** 0 to 6: see `poolStatus`. */
  readonly status: number
  /** Least effective collateral of a borrower, in the oracle's base and decimals. v2 only. */
  readonly minCollateral: bigint | null
  /** First 8 hex characters of the code's hash. */
  readonly code: string
}

/** `ResConfig`. Fractions have 7 decimals. */
export interface ReserveConfig {
  readonly index: number
  readonly decimals: number
  readonly cFactor: bigint
  readonly lFactor: bigint
  readonly util: bigint
  readonly maxUtil: bigint
  readonly rBase: bigint
  readonly rOne: bigint
  readonly rTwo: bigint
  readonly rThree: bigint
  readonly reactivity: bigint
  /** Underlying, raw. v2 only. */
  readonly supplyCap: bigint | null
  /** v2 only: false blocks supply and borrow. */
  readonly enabled: boolean | null
}

/** `ResData`: as of its last touch. Rates have 9 decimals in v1 and 12 in v2, the rate modifier 9 and 7. */
export interface ReserveData {
  readonly bRate: bigint
  readonly dRate: bigint
  readonly bSupply: bigint
  readonly dSupply: bigint
  /** Underlying that belongs to the backstop: part of the pool's cash, not of its supply. */
  readonly backstopCredit: bigint
  readonly rateModifier: bigint
  /** Unix seconds. */
  readonly lastTime: bigint
}

/** `ResInit`: a config that waits for its time. */
export interface QueuedConfig {
  readonly config: ReserveConfig
  readonly unlockTime: bigint
}

/** `EmisData`, `BEmisData`, with the config that v1 keeps apart. `eps` per second: 7 decimals in v1, 14 in v2. */
export interface EmissionData {
  readonly index: bigint
  readonly lastTime: bigint
  /** v2 only: v1 has them in `EmissionConfig`. */
  readonly config: EmissionConfig | null
}

export interface EmissionConfig {
  readonly eps: bigint
  /** Unix seconds. */
  readonly expiration: bigint
}

/** `UserEmis`, `UEmisData`. */
export interface UserEmission {
  readonly index: bigint
  /** BLND, raw. */
  readonly accrued: bigint
}

/** Shares by reserve index: only the pool's reserve list says what an index means. */
export type SharesByReserve = ReadonlyMap<number, bigint>

/** `Positions` of an account in a pool. bTokens of plain supply and of collateral, dTokens owed. */
export interface Positions {
  readonly supply: SharesByReserve
  readonly collateral: SharesByReserve
  readonly liabilities: SharesByReserve
}

export const NO_SHARES: SharesByReserve = new Map()
export const NO_POSITIONS: Positions = { supply: NO_SHARES, collateral: NO_SHARES, liabilities: NO_SHARES }

/** 0: liquidation of a user (bid dTokens, lot bTokens), 1: bad debt (bid dTokens, lot LP), 2: interest (bid LP, lot underlying). */
export type AuctionType = 0 | 1 | 2

/** `Auction`: what remains, unscaled. Legs by asset, raw. */
export interface Auction {
  readonly bid: ReadonlyMap<ContractId, bigint>
  readonly lot: ReadonlyMap<ContractId, bigint>
  /** Ledger after the one that made it. */
  readonly block: number
}

/** `PoolBalance` of a backstop. `shares` include those that are queued. */
export interface BackstopBalance {
  readonly shares: bigint
  readonly queuedShares: bigint
  /** LP tokens. */
  readonly tokens: bigint
}

export const NO_BACKSTOP_BALANCE: BackstopBalance = { shares: 0n, queuedShares: 0n, tokens: 0n }

export interface QueuedWithdrawal {
  readonly shares: bigint
  /** Unix seconds. */
  readonly unlocksAt: bigint
}

/** `UserBalance` of a backstop. `shares` exclude those that are queued; the queue is oldest first. */
export interface BackstopUser {
  readonly shares: bigint
  readonly queue: readonly QueuedWithdrawal[]
}

export const NO_BACKSTOP_SHARES: BackstopUser = { shares: 0n, queue: [] }

/** v1 `PoolEmis`: waiting only. v2 `RzEmis`: with the time of the last gulp. BLND raw. */
export interface WaitingEmission {
  readonly accrued: bigint
  readonly lastTime: bigint | null
}

/** Storage of a backstop's instance. */
export interface BackstopInstance {
  readonly emitter: ContractId
  readonly backstopToken: ContractId
  readonly poolFactory: ContractId
  readonly blnd: ContractId
  readonly usdc: ContractId
}

/** v1 `LPTknVal`: what the contract believes an LP token to be worth, 7 decimals. Refreshed by `update_tkn_val` only. */
export interface LpTokenValue {
  readonly blndPerLp: bigint
  readonly usdcPerLp: bigint
}

export interface CometRecord {
  readonly balance: bigint
  /** 7 decimals. */
  readonly weight: bigint
}

/** `AllRecordData` of a Comet pool. */
export type CometRecords = ReadonlyMap<ContractId, CometRecord>

export interface EmitterInstance {
  /** The backstop that emissions go to now. */
  readonly backstop: ContractId
  readonly backstopToken: ContractId
  readonly blnd: ContractId
}

export interface QueuedSwap {
  readonly backstop: ContractId
  readonly backstopToken: ContractId
  readonly unlockTime: bigint
}
