// Which events are parts of another: LP tokens that move for a fill, a claim, a deposit. They are told once, by the event that they belong to.
// Claiming looks at events only, never at state, so every partition claims alike. Events stand for themselves in the maps: each was read once.
// Order of events in a transaction: docs/protocols/blend.md, "Events".

import type { Address, ContractId } from '@orrery/ledger'
import type { BackstopClaimEvent, BackstopFundEvent, BackstopMoveEvent, CometLiquidityEvent } from '../chain/deployment-events.ts'
import type { AuctionFilled } from '../chain/pool-events.ts'
import type { Operation, SeenEvent } from './operation.ts'

export type Part = 'part_of_fill' | 'part_of_claim' | 'part_of_backstop' | 'part_of_exit' | 'part_of_join'
type Parts = Map<SeenEvent['event'], Part>

export interface Claims {
  /** LP tokens of a fill: its `draw` (bad debt) or `donate` (interest). */
  readonly funds: ReadonlyMap<AuctionFilled, BackstopFundEvent>
  /** The purchase of LP tokens inside a backstop's claim. */
  readonly purchases: ReadonlyMap<BackstopClaimEvent, CometLiquidityEvent>
  /** Deposits into backstops that a claim made, with that claim. */
  readonly compounds: ReadonlyMap<BackstopMoveEvent, BackstopClaimEvent>
  /** Events of one join or exit of the Comet pool, by the first of them. */
  readonly baskets: ReadonlyMap<CometLiquidityEvent, readonly CometLiquidityEvent[]>
  /** Everything that belongs to another event, and why it is told there. */
  readonly parts: ReadonlyMap<SeenEvent['event'], Part>
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
  const funds = new Map<AuctionFilled, BackstopFundEvent>()
  for (const { event, contract, index } of events) {
    if (event.name !== 'fill_auction' || event.auctionType === 0) continue
    const name = event.auctionType === 1 ? 'draw' : 'donate'
    const fund = latestBefore(index, events, ({ event: it }) =>
      it.name === name && !parts.has(it) && it.pool === contract && it.account === event.filler ? it : null,
    )
    if (fund === null) continue
    parts.set(fund.event, 'part_of_fill')
    funds.set(event, fund.event)
  }
  return funds
}

/** A claim buys LP tokens with its BLND first, then deposits them pool by pool, and tells itself last. */
function claimPurchases(events: readonly SeenEvent[], parts: Parts): Pick<Claims, 'purchases' | 'compounds'> {
  const purchases = new Map<BackstopClaimEvent, CometLiquidityEvent>()
  const compounds = new Map<BackstopMoveEvent, BackstopClaimEvent>()
  for (const { role, event, contract, index } of events) {
    if (role !== 'backstop' || event.name !== 'claim') continue
    const purchase = latestBefore(index, events, ({ role: by, event: it }) =>
      by === 'comet' && it.name === 'deposit' && !parts.has(it) && it.caller === contract ? it : null,
    )
    if (purchase === null) continue
    parts.set(purchase.event, 'part_of_claim')
    purchases.set(event, purchase.event)
    for (const deposit of events) {
      const isInside = deposit.contract === contract && deposit.index > purchase.index && deposit.index < index
      if (isInside && deposit.role === 'backstop' && deposit.event.name === 'deposit') compounds.set(deposit.event, event)
    }
  }
  return { purchases, compounds }
}

/** LP tokens between an account and a backstop belong to the backstop's event; those that go back to the Comet pool are burnt. */
function claimLpTransfers(events: readonly SeenEvent[], compounds: Claims['compounds'], parts: Parts): void {
  const claim = (comet: ContractId, from: Address, to: Address, amount: bigint) => {
    const isIt = ({ contract, event }: SeenEvent) =>
      contract === comet && event.name === 'transfer' && event.from === from && event.to === to && event.amount === amount
    const found = events.find((it) => isIt(it) && !parts.has(it.event))
    if (found !== undefined) parts.set(found.event, 'part_of_backstop')
  }
  for (const { role, event, contract, deployment } of events) {
    if (role !== 'backstop') continue
    const comet = deployment.backstopToken
    if (event.name === 'deposit' && !compounds.has(event)) claim(comet, event.from, contract, event.lpTokens)
    if (event.name === 'withdraw') claim(comet, contract, event.from, event.lpTokens)
    if (event.name === 'draw') claim(comet, contract, event.account, event.lpTokens)
    if (event.name === 'donate') claim(comet, event.account, contract, event.lpTokens)
  }
  for (const { role, event, contract } of events) {
    if (role !== 'comet') continue
    if (event.name === 'burn' || (event.name === 'transfer' && event.to === contract)) parts.set(event, 'part_of_exit')
  }
}

/** A join or exit tells each token by itself, one after the other, each token once. */
function claimBaskets(events: readonly SeenEvent[], parts: Parts): Claims['baskets'] {
  const baskets = new Map<CometLiquidityEvent, readonly CometLiquidityEvent[]>()
  const open: CometLiquidityEvent[] = []
  for (const { event } of events) {
    if (event.name !== 'join_pool' && event.name !== 'exit_pool') continue
    const goesOn = open.every((it) => it.name === event.name && it.caller === event.caller && it.token !== event.token)
    if (!goesOn) open.length = 0
    if (open.length > 0) parts.set(event, 'part_of_join')
    open.push(event)
    baskets.set(open[0] ?? event, [...open])
  }
  return baskets
}

/** The latest event before `index` that `pick` takes. */
function latestBefore<E>(
  index: number,
  events: readonly SeenEvent[],
  pick: (seen: SeenEvent) => E | null,
): { readonly index: number; readonly event: E } | null {
  for (const seen of events.toReversed()) {
    const event = seen.index < index ? pick(seen) : null
    if (event !== null) return { index: seen.index, event }
  }
  return null
}
