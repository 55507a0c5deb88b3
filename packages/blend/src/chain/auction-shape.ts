// `AuctionData`, as it stands in entries and in events alike.
// Source: blend-contracts(-v2) pool/src/auctions/auction.rs.

import { address, dict, i128, type Of, struct, u32 } from '@orrery/ledger'
import type { Auction, AuctionType } from './values.ts'

const Legs = dict(address, i128)
export const AuctionShape = struct({ bid: Legs, block: u32, lot: Legs })

export function auctionFrom({ bid, lot, block }: Of<typeof AuctionShape>): Auction {
  return { bid: new Map(bid), lot: new Map(lot), block }
}

/** There are no others. */
export function isAuctionType(type: number): type is AuctionType {
  return type === 0 || type === 1 || type === 2
}
