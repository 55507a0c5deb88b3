// The events of a lending pool, a table for each version: an event that is not in the table is unknown to that version.
// `from` is the owner of the position that changes: payer and receiver are in the call or in the tokens' transfers.
// Source: blend-contracts-v2 pool/src/events.rs; blend-contracts (v1) pool/src/{contract,pool/*,auctions/*,emissions/manager}.rs.

import { type EventBytes, either, eventReader, on } from '@orrery/fold-kit'
import { type Address, address, any, type ContractId, i128, type Of, tuple, u32, u64, vec } from '@orrery/ledger'
import { AuctionShape, auctionFrom, isAuctionType } from './auction-shape.ts'
import type { Auction, AuctionType, BlendVersion } from './values.ts'

export type PoolEvent = ReturnType<typeof readV1 | typeof readV2>

/** An event of a pool of that version. */
export function readPoolEvent(record: EventBytes, version: BlendVersion): PoolEvent {
  return version === 'v1' ? readV1(record) : readV2(record)
}

/** A change of one side of a position. `amount` is underlying, `shares` bTokens or dTokens, both raw. */
const position = on([address, address], tuple(i128, i128), ([asset, from], [amount, shares]) => ({ asset, from, amount, shares }))

interface Setting {
  /** Null where the event names no account: any account may call it. */
  readonly admin: Address | null
  /** What was set, for readers; snake_case. */
  readonly settings: Readonly<Record<string, unknown>>
}

const BOTH = {
  supply: position,
  withdraw: position,
  supply_collateral: position,
  withdraw_collateral: position,
  borrow: position,
  repay: position,
  /** BLND paid out of the backstop, also when it is nothing. */
  claim: on([address], tuple(vec(u32), i128), ([from], [reserveTokenIds, blnd]) => ({ from, reserveTokenIds, blnd })),
  set_admin: on([address], address, ([admin], now): Setting => ({ admin, settings: { new_admin: now } })),
  // The configuration has other members in each version; readers see it in the entry, once it is active.
  queue_set_reserve: on([address], tuple(address, any), ([admin], [asset]): Setting => ({ admin, settings: { asset } })),
  cancel_set_reserve: on([address], address, ([admin], asset): Setting => ({ admin, settings: { asset } })),
  set_reserve: on([], tuple(address, u32), (_, [asset, index]): Setting => ({ admin: null, settings: { asset, reserve_index: index } })),
  /** By its admin or, without a further topic, by any account through `update_status`. */
  set_status: either(
    on([address], u32, ([admin], status): Setting => ({ admin, settings: { status } })),
    on([], u32, (_, status): Setting => ({ admin: null, settings: { status } })),
  ),
  /** `reserveTokenId`: reserve index · 2 for dTokens, + 1 for bTokens. `eps`: BLND a second, 7 decimals in v1, 14 in v2. */
  reserve_emission_update: on([], tuple(u32, u64, u64), (_, [reserveTokenId, eps, expirationSeconds]) => ({
    reserveTokenId,
    eps,
    expirationSeconds,
  })),
}

/** An event of an auction: null for a type that no contract has. */
function ofAuction<E extends object>(type: number, members: E): (E & { readonly auctionType: AuctionType }) | null {
  return isAuctionType(type) ? { auctionType: type, ...members } : null
}

interface Created {
  /** Null: the backstop, which v1 does not name. */
  readonly user: Address | null
  /** Of the user's positions, as asked for. Null in v1. */
  readonly percent: number | null
  readonly auction: Auction
}

function created(type: number, data: Of<typeof AuctionShape>, of: Omit<Created, 'auction'>) {
  return ofAuction<Created>(type, { ...of, auction: auctionFrom(data) })
}

interface Filled {
  readonly user: Address
  readonly filler: Address
  /** Of what was left of the auction, 1 to 100. */
  readonly percent: bigint
  /** What was taken over and given, as scaled by the contract. Null in v1, whose event does not have it. */
  readonly filled: Auction | null
}

/** BLND that became emissions of the pool. */
const blndGulped = on([], i128, (_, amount) => ({ asset: null, amount }))

const readV1 = eventReader({
  ...BOTH,
  update_pool: on(
    [address],
    tuple(u32, u32),
    ([admin], [rate, positions]): Setting => ({ admin, settings: { backstop_take_rate: rate, max_positions: positions } }),
  ),
  update_emissions: blndGulped,
  new_liquidation_auction: on([address], AuctionShape, ([user], data) => created(0, data, { user, percent: null })),
  new_auction: on([u32], AuctionShape, ([type], data) => created(type, data, { user: null, percent: null })),
  fill_auction: on([address, u32], tuple(address, i128), ([user, type], [filler, percent]) =>
    ofAuction<Filled>(type, { user, filler, percent, filled: null }),
  ),
  delete_liquidation_auction: on([address], any, ([user]) => ofAuction(0, { user })),
  /** dTokens that moved from the user to the backstop; with the backstop as user: that were given up. */
  bad_debt: on([address], tuple(address, i128), ([user], [asset, dTokens]) => ({ user, asset, dTokens })),
})

const readV2 = eventReader({
  ...BOTH,
  update_pool: on(
    [address],
    tuple(u32, u32, i128),
    ([admin], [rate, positions, minCollateral]): Setting => ({
      admin,
      settings: { backstop_take_rate: rate, max_positions: positions, min_collateral: minCollateral.toString() },
    }),
  ),
  gulp_emissions: blndGulped,
  /** Tokens that became credit of the backstop. */
  gulp: on([address], i128, ([asset], amount): { readonly asset: ContractId; readonly amount: bigint } => ({ asset, amount })),
  /** A borrow whose tokens go to `receiver`, a contract that is called with them. */
  flash_loan: on([address, address, address], tuple(i128, i128), ([asset, from, receiver], [amount, shares]) => ({
    asset,
    from,
    receiver,
    amount,
    shares,
  })),
  new_auction: on([u32, address], tuple(u32, AuctionShape), ([type, user], [percent, data]) => created(type, data, { user, percent })),
  fill_auction: on([u32, address], tuple(address, i128, AuctionShape), ([type, user], [filler, percent, data]) =>
    ofAuction<Filled>(type, { user, filler, percent, filled: auctionFrom(data) }),
  ),
  delete_auction: on([u32, address], any, ([type, user]) => ofAuction(type, { user })),
  /** dTokens that moved from the user to the backstop. */
  bad_debt: on([address, address], i128, ([user, asset], dTokens) => ({ user, asset, dTokens })),
  /** dTokens of the backstop that were given up: the bRate falls for it. */
  defaulted_debt: on([address], i128, ([asset], dTokens) => ({ asset, dTokens })),
})
