// Auctions: created, cancelled, filled. A liquidation is in the feeds of both sides with a role; the other two kinds concern the filler
// and the backstop. A fill of v1 has no amounts: they follow from the auction as it was stored before, exactly as the contract scales it.
// Source: blend-contracts-v2 pool/src/auctions/*.rs; docs/protocols/blend.md, "Events".

import { type Action, type EventPlace, type Leg, reportUnexpected } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { Auction, AuctionType } from '../chain/values.ts'
import type { CostKey } from '../math/cost.ts'
import { actionOf, amountTexts, type Derivation, leg } from './action.ts'
import { bTokensWorth, dTokensWorth, shareDecimals } from './leg-value.ts'
import type { Seen, SeenOf } from './operation.ts'

type Fill = SeenOf<'pool', 'fill_auction'>

const KINDS: Readonly<Record<AuctionType, string>> = { 0: 'user_liquidation', 1: 'bad_debt', 2: 'interest' }

/** The event does not name the account that made the auction: any account may. */
export function auctionCreatedAction(seen: SeenOf<'pool', 'new_auction' | 'new_liquidation_auction'>): Action {
  const { contract, deployment, user, auction, auctionType, percent } = seen
  return actionOf(seen, 'auction', [leg(seen, { address: user ?? deployment.backstop, counterparty: contract })], {
    reason: 'created',
    auction_type: KINDS[auctionType],
    ...(percent === null ? {} : { percent }),
    bid: amountTexts(auction.bid),
    lot: amountTexts(auction.lot),
    block: auction.block,
  })
}

export function auctionDeletedAction(seen: SeenOf<'pool', 'delete_auction' | 'delete_liquidation_auction'>): Action {
  const { contract, user, auctionType } = seen
  return actionOf(seen, 'auction', [leg(seen, { address: user, counterparty: contract })], {
    reason: 'cancelled',
    auction_type: KINDS[auctionType],
  })
}

export function auctionFilledAction(seen: Fill, derivation: Derivation): Action | null {
  const { auctionType, percent, user, filler } = seen
  const filled = derivation.auctions.of(seen)
  if (filled === null) return reportUnexpected(seen, 'a fill of an auction that nobody saw', derivation)
  const metadata = {
    auction_type: KINDS[auctionType],
    percent: Number(percent),
    user,
    filler,
    bid: amountTexts(filled.bid),
    lot: amountTexts(filled.lot),
  }
  const legs = LEGS[auctionType](seen, filled, derivation)
  return actionOf(seen, auctionType === 0 ? 'liquidation' : 'auction', legs.length > 0 ? legs : legsOfNothing(seen), metadata)
}

const LEGS: Readonly<Record<AuctionType, (seen: Fill, filled: Auction, derivation: Derivation) => Leg[]>> = {
  0: liquidationLegs,
  1: badDebtLegs,
  2: interestLegs,
}

/** A late fill takes over nothing, and an empty lot gives nothing: both sides still have the fill in their feeds. */
function legsOfNothing(seen: Fill): Leg[] {
  const { user, filler, auctionType } = seen
  if (auctionType !== 0) return [leg(seen, { address: filler, counterparty: user, metadata: { role: 'filler' } })]
  return [
    leg(seen, { address: user, counterparty: filler, metadata: { role: 'liquidated' } }),
    leg(seen, { address: filler, counterparty: user, metadata: { role: 'liquidator' } }),
  ]
}

/** Collateral goes from the user to the filler, and with it debt. */
function liquidationLegs(seen: Fill, { lot, bid }: Auction, derivation: Derivation): Leg[] {
  const { user, filler } = seen
  const roles = { from: { address: user, role: 'liquidated' }, to: { address: filler, role: 'liquidator' } }
  return [
    ...[...lot].flatMap(([asset, bTokens]) => collateralLegs(seen, asset, bTokens, roles, derivation)),
    ...[...bid].flatMap(([asset, dTokens]) => debtLegs(seen, asset, dTokens, roles, derivation)),
  ].sort(bySide(user))
}

/** The filler takes over debt of the backstop and is paid LP tokens of it. */
function badDebtLegs(seen: Fill, { lot, bid }: Auction, derivation: Derivation): Leg[] {
  const { user, filler } = seen
  const { backstopToken } = seen.deployment
  const fund = derivation.claims.funds.get(seen)
  const lpTokens = fund?.lpTokens ?? lot.get(backstopToken) ?? 0n
  const lp = { asset: backstopToken, amount: lpTokens }
  const roles = { from: { address: user, role: 'backstop' }, to: { address: filler, role: 'filler' } }
  const paid = [
    leg(seen, { ...lp, address: filler, counterparty: user, direction: 'out', metadata: { role: 'filler' } }),
    leg(seen, { ...lp, address: user, counterparty: filler, direction: 'in', volume: true, metadata: { role: 'backstop' } }),
  ]
  return [
    ...(lpTokens > 0n ? paid : []),
    ...[...bid].flatMap(([asset, dTokens]) => debtLegs(seen, asset, dTokens, roles, derivation)),
  ].sort(bySide(filler))
}

/** The filler buys what borrowers paid to the backstop, and pays in LP tokens that all depositors gain. */
function interestLegs(seen: Fill, { lot, bid }: Auction, { claims }: Derivation): Leg[] {
  const { user, filler } = seen
  const { backstopToken } = seen.deployment
  const lpTokens = claims.funds.get(seen)?.lpTokens ?? bid.get(backstopToken) ?? 0n
  const of = { address: filler, counterparty: user, metadata: { role: 'filler' } }
  return [
    ...[...lot].map(([asset, amount]) => leg(seen, { ...of, asset, amount, direction: 'out', volume: lpTokens === 0n })),
    ...(lpTokens > 0n ? [leg(seen, { ...of, asset: backstopToken, amount: lpTokens, direction: 'in', volume: true })] : []),
  ]
}

interface Sides {
  readonly from: { readonly address: Address; readonly role: string }
  readonly to: { readonly address: Address; readonly role: string }
}

function collateralLegs(seen: Fill, asset: ContractId, bTokens: bigint, sides: Sides, derivation: Derivation): Leg[] {
  const amount = bTokensWorth(seen.contract, asset, bTokens, derivation.moment)
  const passed = { asset, amount, shares: bTokens, shareType: 'b_token_collateral' } as const
  const legs = { ofGiver: { direction: 'in', volume: true }, ofTaker: { direction: 'out' } } as const
  return passedLegs(seen, { ...passed, key: `supply:${asset}`, ...legs }, sides, derivation)
}

/** dTokens that change their debtor: also bad debt on its way to the backstop. */
export function debtLegs(seen: Seen, asset: ContractId, dTokens: bigint, sides: Sides, derivation: Derivation): Leg[] {
  const amount = dTokensWorth(seen.contract, asset, dTokens, derivation.moment)
  const passed = { asset, amount, shares: dTokens, shareType: 'd_token' } as const
  const legs = { ofGiver: { debtChange: -amount }, ofTaker: { debtChange: amount } }
  return passedLegs(seen, { ...passed, key: `borrow:${asset}`, ...legs }, sides, derivation)
}

/** Shares that pass from one account to another. */
interface Passed extends Pick<Leg, 'asset' | 'amount' | 'shares' | 'shareType'> {
  readonly asset: ContractId
  readonly key: CostKey
  /** The account whose shares they were, and the one whose they are now: collateral is given and got, of a debt only what is owed changes. */
  readonly ofGiver: Partial<Leg>
  readonly ofTaker: Partial<Leg>
}

function passedLegs(
  seen: EventPlace,
  { key, ofGiver, ofTaker, ...passed }: Passed,
  { from, to }: Sides,
  { moment, movements }: Derivation,
): Leg[] {
  const { contract, owned } = seen
  if (owned) {
    const moved = { pool: contract, key, shares: passed.shares, amount: passed.amount, confidence: 'inferred' } as const
    movements.push({ ...moved, holder: from.address, direction: 'out' }, { ...moved, holder: to.address, direction: 'in' })
  }
  const of = { ...passed, shareDecimals: shareDecimals(contract, passed.asset, moment) }
  return [
    leg(seen, { ...of, ...ofGiver, address: from.address, counterparty: to.address, metadata: { role: from.role } }),
    leg(seen, { ...of, ...ofTaker, address: to.address, counterparty: from.address, metadata: { role: to.role } }),
  ]
}

/** One side after the other: that of `first` leads. */
function bySide(first: Address): (a: Leg, b: Leg) => number {
  return (a, b) => Number(b.address === first) - Number(a.address === first)
}
