// Which events are parts of another: LP tokens that move for a fill, a claim, a deposit. They are part of the action of the event that they belong to.
// Claiming looks at events only, never at state, so every partition gets the same result. Events are their own keys in the maps: each is one object.
// Order of events in a transaction: docs/protocols/blend.md, "Events".

import type { Address, ContractId } from '@orrery/ledger'
import type { Operation, SeenEvent, SeenOf } from './operation.ts'

export type Part = 'part_of_fill' | 'part_of_claim' | 'part_of_backstop' | 'part_of_exit' | 'part_of_join'
type Parts = Map<SeenEvent, Part>
type Fill = SeenOf<'pool', 'fill_auction'>
type Fund = SeenOf<'backstop', 'draw' | 'donate'>
type BackstopClaim = SeenOf<'backstop', 'claim'>
type Liquidity = SeenOf<'comet', 'join_pool' | 'exit_pool' | 'deposit' | 'withdraw'>

export interface Claims {
  /** LP tokens of a fill: its `draw` (bad debt) or `donate` (interest). */
  readonly funds: ReadonlyMap<Fill, Fund>
  /** The purchase of LP tokens inside a backstop's claim. */
  readonly purchases: ReadonlyMap<BackstopClaim, Liquidity>
  /** Deposits into backstops that a claim made, with that claim. */
  readonly compounds: ReadonlyMap<SeenOf<'backstop', 'deposit' | 'withdraw'>, BackstopClaim>
  /** Events of one join or exit of the Comet pool, by the first of them. */
  readonly baskets: ReadonlyMap<Liquidity, readonly Liquidity[]>
  /** Every event that belongs to another, and the reason why it makes no action of its own. */
  readonly parts: ReadonlyMap<SeenEvent, Part>
}

export function claimEvents({ events }: Operation): Claims {
  const parts: Parts = new Map()
  const funds = claimFunds(events, parts)
  const { purchases, compounds } = claimPurchases(events, parts)
  claimLpTransfers(events, compounds, parts)
  const baskets = claimBaskets(events, parts)
  return { funds, purchases, compounds, baskets, parts }
}

/** A fill takes the latest draw or donation before it of its pool and filler that no fill has taken. */
function claimFunds(events: readonly SeenEvent[], parts: Parts): Claims['funds'] {
  const funds = new Map<Fill, Fund>()
  for (const fill of events) {
    if (fill.name !== 'fill_auction' || fill.auctionType === 0) continue
    const name = fill.auctionType === 1 ? 'draw' : 'donate'
    const fund = latestBefore(fill.index, events, (it) =>
      it.name === name && !parts.has(it) && it.pool === fill.contract && it.account === fill.filler ? it : null,
    )
    if (fund === null) continue
    parts.set(fund, 'part_of_fill')
    funds.set(fill, fund)
  }
  return funds
}

/** A claim buys LP tokens with its BLND first, then deposits them pool by pool, and emits its own event last. */
function claimPurchases(events: readonly SeenEvent[], parts: Parts): Pick<Claims, 'purchases' | 'compounds'> {
  const purchases = new Map<BackstopClaim, Liquidity>()
  const compounds = new Map<SeenOf<'backstop', 'deposit' | 'withdraw'>, BackstopClaim>()
  for (const claim of events) {
    if (claim.role !== 'backstop' || claim.name !== 'claim') continue
    const purchase = latestBefore(claim.index, events, (it) =>
      it.role === 'comet' && it.name === 'deposit' && !parts.has(it) && it.caller === claim.contract ? it : null,
    )
    if (purchase === null) continue
    parts.set(purchase, 'part_of_claim')
    purchases.set(claim, purchase)
    for (const deposit of events) {
      const isInside = deposit.contract === claim.contract && deposit.index > purchase.index && deposit.index < claim.index
      if (isInside && deposit.role === 'backstop' && deposit.name === 'deposit') compounds.set(deposit, claim)
    }
  }
  return { purchases, compounds }
}

/** A transfer of LP tokens between an account and a backstop belongs to the backstop's event; one to the Comet pool is part of a burn. */
function claimLpTransfers(events: readonly SeenEvent[], compounds: Claims['compounds'], parts: Parts): void {
  const claim = (comet: ContractId, from: Address, to: Address, amount: bigint) => {
    const isIt = (it: SeenEvent) =>
      it.contract === comet && it.name === 'transfer' && it.from === from && it.to === to && it.amount === amount
    const found = events.find((it) => isIt(it) && !parts.has(it))
    if (found !== undefined) parts.set(found, 'part_of_backstop')
  }
  for (const seen of events) {
    if (seen.role !== 'backstop') continue
    const { contract: backstop, deployment } = seen
    const comet = deployment.backstopToken
    if (seen.name === 'deposit' && !compounds.has(seen)) claim(comet, seen.from, backstop, seen.lpTokens)
    if (seen.name === 'withdraw') claim(comet, backstop, seen.from, seen.lpTokens)
    if (seen.name === 'draw') claim(comet, backstop, seen.account, seen.lpTokens)
    if (seen.name === 'donate') claim(comet, seen.account, backstop, seen.lpTokens)
  }
  for (const seen of events) {
    if (seen.role !== 'comet') continue
    if (seen.name === 'burn' || (seen.name === 'transfer' && seen.to === seen.contract)) parts.set(seen, 'part_of_exit')
  }
}

/** A join or exit emits one event for each token, one after the other, each token once. */
function claimBaskets(events: readonly SeenEvent[], parts: Parts): Claims['baskets'] {
  const baskets = new Map<Liquidity, readonly Liquidity[]>()
  const open: Liquidity[] = []
  for (const seen of events) {
    if (seen.name !== 'join_pool' && seen.name !== 'exit_pool') continue
    const goesOn = open.every((it) => it.name === seen.name && it.caller === seen.caller && it.token !== seen.token)
    if (!goesOn) open.length = 0
    if (open.length > 0) parts.set(seen, 'part_of_join')
    open.push(seen)
    baskets.set(open[0] ?? seen, [...open])
  }
  return baskets
}

/** The latest event before `index` that `pick` takes. */
function latestBefore<E>(index: number, events: readonly SeenEvent[], pick: (seen: SeenEvent) => E | null): E | null {
  for (const seen of events.toReversed()) {
    const found = seen.index < index ? pick(seen) : null
    if (found !== null) return found
  }
  return null
}
