// The events of the contracts around the pools: factory, backstop of both versions, emitter and the Comet pool of the backstop's token.
// The same name means different things in each of them: `claim` counts BLND in the backstop of v1 and LP tokens in that of v2.
// Source: blend-contracts-v2 pool-factory/src/events.rs, backstop/src/events.rs; blend-contracts (v1) backstop/src/contract.rs,
// emitter/src/contract.rs; comet-contracts-v1 contracts/src/c_pool/{event,token_utility}.rs.

import type { Address, ContractId } from '@orrery/ledger'
import type { Unknown } from './event-reader.ts'

export interface DeployEvent {
  readonly name: 'deploy'
  readonly pool: ContractId
}

export type FactoryEvent = DeployEvent | Unknown

/** LP tokens against shares of the backstop of a pool, raw. In v1 `from` is the receiver where a claim is deposited for another account. */
export interface BackstopMoveEvent {
  readonly name: 'deposit' | 'withdraw'
  readonly pool: ContractId
  readonly from: Address
  readonly shares: bigint
  readonly lpTokens: bigint
}

export interface BackstopQueueEvent {
  readonly name: 'queue_withdrawal' | 'dequeue_withdrawal'
  readonly pool: ContractId
  readonly from: Address
  readonly shares: bigint
  /** Null for a dequeue. */
  readonly unlocksAtSeconds: bigint | null
}

export interface BackstopClaimEvent {
  readonly name: 'claim'
  readonly from: Address
  /** BLND in v1, LP tokens in v2, raw. */
  readonly amount: bigint
}

/** LP tokens that leave a pool's backstop for `account` (`draw`), or that `account` gives to all depositors (`donate`). */
export interface BackstopFundEvent {
  readonly name: 'draw' | 'donate'
  readonly pool: ContractId
  readonly account: Address
  readonly lpTokens: bigint
}

/** BLND on its way to depositors and pools. */
export interface BackstopEmissionEvent {
  readonly name: 'gulp_emissions' | 'distribute'
  /** Null: for the whole reward zone. */
  readonly pool: ContractId | null
  /** BLND, raw: for depositors and pools together. */
  readonly amount: bigint
  /** What of it is for the pool's own users. Null where the event does not have it. */
  readonly poolAmount: bigint | null
}

export interface RewardZoneEvent {
  readonly name: 'rw_zone' | 'rw_zone_add' | 'rw_zone_remove'
  readonly added: ContractId | null
  readonly removed: ContractId | null
}

export type BackstopEvent =
  | BackstopMoveEvent
  | BackstopQueueEvent
  | BackstopClaimEvent
  | BackstopFundEvent
  | BackstopEmissionEvent
  | RewardZoneEvent
  | Unknown

export interface EmitterDistributeEvent {
  readonly name: 'distribute'
  readonly backstop: ContractId
  readonly amount: bigint
}

export interface EmitterSwapEvent {
  readonly name: 'q_swap' | 'del_swap' | 'swap'
  readonly newBackstop: ContractId
  readonly newBackstopToken: ContractId
  readonly unlocksAtSeconds: bigint
}

export interface EmitterDropEvent {
  readonly name: 'drop'
  readonly receivers: readonly (readonly [Address, bigint])[]
}

export type EmitterEvent = EmitterDistributeEvent | EmitterSwapEvent | EmitterDropEvent | Unknown

/** A trade of the Comet pool, raw. */
export interface CometSwapEvent {
  readonly name: 'swap'
  readonly caller: Address
  readonly tokenIn: ContractId
  readonly amountIn: bigint
  readonly tokenOut: ContractId
  readonly amountOut: bigint
}

/** One token that goes in or out for LP tokens: of `join_pool` and `exit_pool` there is one for each token. */
export interface CometLiquidityEvent {
  readonly name: 'join_pool' | 'exit_pool' | 'deposit' | 'withdraw'
  readonly caller: Address
  readonly token: ContractId
  readonly amount: bigint
  /** LP tokens that were burnt. Null where the event does not have it; a mint never has. */
  readonly lpTokens: bigint | null
}

/** LP tokens that moved. A burn has `to` null and comes from the Comet pool itself. */
export interface CometTransferEvent {
  readonly name: 'transfer' | 'burn'
  readonly from: Address
  readonly to: Address | null
  readonly amount: bigint
}

export interface CometApproveEvent {
  readonly name: 'approve'
}

export type CometEvent = CometSwapEvent | CometLiquidityEvent | CometTransferEvent | CometApproveEvent | Unknown
