// The events of a lending pool, of both versions. `read-pool-event.ts` reads them.
// `from` is the owner of the position that changes: payer and receiver are in the call or in the tokens' transfers.
// Source: blend-contracts-v2 pool/src/events.rs; blend-contracts (v1) pool/src/{contract,pool/*,auctions/*,emissions/manager}.rs.

import type { Address, ContractId } from '@orrery/ledger'
import type { Unknown } from './event-reader.ts'
import type { Auction, AuctionType } from './values.ts'

/** A change of one side of a position. `amount` is underlying, `shares` bTokens or dTokens, both raw. */
export interface PositionEvent {
  readonly name: 'supply' | 'withdraw' | 'supply_collateral' | 'withdraw_collateral' | 'borrow' | 'repay'
  readonly asset: ContractId
  readonly from: Address
  readonly amount: bigint
  readonly shares: bigint
}

/** A borrow whose tokens go to `receiver`, a contract that is called with them. */
export interface FlashLoanEvent {
  readonly name: 'flash_loan'
  readonly asset: ContractId
  readonly from: Address
  readonly receiver: Address
  readonly amount: bigint
  readonly shares: bigint
}

/** BLND paid out of the backstop, also when it is nothing. */
export interface PoolClaimEvent {
  readonly name: 'claim'
  readonly from: Address
  readonly reserveTokenIds: readonly number[]
  readonly blnd: bigint
}

export interface AuctionCreated {
  readonly name: 'new_auction' | 'new_liquidation_auction'
  readonly auctionType: AuctionType
  /** Null: the backstop, which v1 does not name. */
  readonly user: Address | null
  /** Of the user's positions, as asked for. Null in v1. */
  readonly percent: number | null
  readonly auction: Auction
}

export interface AuctionFilled {
  readonly name: 'fill_auction'
  readonly auctionType: AuctionType
  readonly user: Address
  readonly filler: Address
  /** Of what was left of the auction, 1 to 100. */
  readonly percent: bigint
  /** What was taken over and given, as scaled by the contract. Null in v1, whose event does not have it. */
  readonly filled: Auction | null
}

export interface AuctionDeleted {
  readonly name: 'delete_auction' | 'delete_liquidation_auction'
  readonly auctionType: AuctionType
  readonly user: Address
}

/** dTokens that moved from the user to the backstop; in v1 with the backstop as user: that were given up. */
export interface BadDebtEvent {
  readonly name: 'bad_debt'
  readonly user: Address
  readonly asset: ContractId
  readonly dTokens: bigint
}

/** dTokens of the backstop that were given up: v2 lowers the bRate for it. */
export interface DefaultedDebtEvent {
  readonly name: 'defaulted_debt'
  readonly asset: ContractId
  readonly dTokens: bigint
}

/** BLND that became emissions of the pool, or tokens that became credit of the backstop (`gulp`). */
export interface PoolEmissionEvent {
  readonly name: 'update_emissions' | 'gulp_emissions' | 'gulp'
  /** Null: BLND. */
  readonly asset: ContractId | null
  readonly amount: bigint
}

export interface ReserveEmissionEvent {
  readonly name: 'reserve_emission_update'
  /** Reserve index · 2 for dTokens, + 1 for bTokens. */
  readonly reserveTokenId: number
  /** BLND a second, 7 decimals in v1, 14 in v2. */
  readonly eps: bigint
  readonly expirationSeconds: bigint
}

export interface PoolAdminEvent {
  readonly name: 'set_admin' | 'update_pool' | 'queue_set_reserve' | 'cancel_set_reserve' | 'set_reserve' | 'set_status'
  /** Null where the event names no account: any account may call it. */
  readonly admin: Address | null
  /** The reserve that it is about, '' where it is about the pool. */
  readonly asset: ContractId | ''
  /** What was set, for readers; snake_case. */
  readonly settings: Readonly<Record<string, unknown>>
}

export type PoolEvent =
  | PositionEvent
  | FlashLoanEvent
  | PoolClaimEvent
  | AuctionCreated
  | AuctionFilled
  | AuctionDeleted
  | BadDebtEvent
  | DefaultedDebtEvent
  | PoolEmissionEvent
  | ReserveEmissionEvent
  | PoolAdminEvent
  | Unknown
