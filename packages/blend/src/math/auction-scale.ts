// How a fill scales an auction: what of it is taken over and given at that ledger, and what stays for the next fill.

import { mulDivCeil, mulDivFloor } from '@orrery/protocol-kit'
import type { Auction } from '../chain/values.ts'
import { SCALE_7 } from './scale.ts'

/** 0.5 % a ledger, 7 decimals. */
const STEP = 50_000n

export interface ScaledAuction {
  readonly filled: Auction
  /** Unscaled, as it is stored. Null when nothing is left: the contract then removes the entry. */
  readonly remaining: Auction | null
}

/**
 * A fill of `percent` (1 to 100) of what is stored, at `ledger`:
 *
 *   dif    = ledger − block
 *   lotMod = dif ≤ 200 ? dif · 0.005 : 1                                     the lot grows for 200 ledgers
 *   bidMod = dif ≤ 200 ? 1 : dif < 400 ? 1 − (dif − 200) · 0.005 : 0         then the bid shrinks for 200
 *   bid    = ⌈⌈amount · percent · 1e5 / 1e7⌉ · bidMod / 1e7⌉                 up: the filler never takes over too little
 *   lot    = ⌊⌊amount · percent · 1e5 / 1e7⌋ · lotMod / 1e7⌋                 down: nor gets too much
 *   left   = amount − amount before the modifier
 *
 * Legs of zero are dropped. Both versions. Source: blend-contracts-v2 pool/src/auctions/auction.rs (`scale_auction`).
 * Checked by: every fill of v2 in the recording against its own event, and the positions after every fill of v1.
 */
export function scaleAuction(auction: Auction, percent: bigint, ledger: number): ScaledAuction {
  const elapsed = BigInt(ledger - auction.block)
  const lotMod = elapsed <= 0n ? 0n : elapsed <= 200n ? elapsed * STEP : SCALE_7
  const bidMod = elapsed <= 200n ? SCALE_7 : elapsed < 400n ? SCALE_7 - (elapsed - 200n) * STEP : 0n
  const bid = scaleLegs(auction.bid, (amount) => mulDivCeil(amount, percent * 100_000n, SCALE_7))
  const lot = scaleLegs(auction.lot, (amount) => mulDivFloor(amount, percent * 100_000n, SCALE_7))
  const remaining = { bid: less(auction.bid, bid), lot: less(auction.lot, lot), block: auction.block }
  return {
    filled: {
      bid: scaleLegs(bid, (amount) => mulDivCeil(amount, bidMod, SCALE_7)),
      lot: scaleLegs(lot, (amount) => mulDivFloor(amount, lotMod, SCALE_7)),
      block: ledger,
    },
    remaining: remaining.bid.size === 0 && remaining.lot.size === 0 ? null : remaining,
  }
}

type Legs = Auction['bid']

function scaleLegs(legs: Legs, scale: (amount: bigint) => bigint): Legs {
  return withoutZeros([...legs].map(([asset, amount]) => [asset, scale(amount)]))
}

function less(legs: Legs, taken: Legs): Legs {
  return withoutZeros([...legs].map(([asset, amount]) => [asset, amount - (taken.get(asset) ?? 0n)]))
}

function withoutZeros(legs: readonly (readonly [string, bigint])[]): Legs {
  return new Map(legs.filter(([, amount]) => amount > 0n))
}
