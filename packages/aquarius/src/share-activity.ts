// Shares that move without a deposit or withdraw: given to somebody, or burnt for nothing.

import type { Action, Leg } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import { type Derivation, ignore, type Movement, plainLeg, type TokenPaid, tokenLegs, withShares, wonder } from './action.ts'
import type { Seen } from './operation.ts'
import type { ShareMove } from './share-events.ts'

export function shareAction(seen: Seen<ShareMove>, derivation: Derivation): Action | null {
  const { event, pool, contract, owned, index } = seen
  const { from, to, shares } = event
  if (shares === 0n) return ignore(seen, 'empty_move', derivation)
  const move = (holder: Address, kind: Movement['kind'], paid: Movement['paid']) => {
    if (owned) derivation.movements.push({ pool, holder, kind, shares, range: null, paid })
  }
  if (from === null) return wonder(seen, 'a mint of shares without a deposit', derivation)
  if (to === null) return burnAction(seen as Seen<ShareMove & { from: Address }>, derivation, move)
  // What somebody sends to himself stays where it is, at what it cost.
  if (to !== from) {
    move(from, 'transfer_out', null)
    move(to, 'transfer_in', null)
  }
  const leg = (address: Address, other: Address, direction: Leg['direction'], volume: boolean): Leg => ({
    ...plainLeg(seen, address, other),
    asset: contract,
    amount: shares,
    shares,
    direction,
    volume,
    counts: true,
  })
  return {
    type: 'transfer',
    eventIndex: index,
    legs: [leg(from, to, 'in', true), { ...leg(to, from, 'out', false), counts: to !== from }],
    confidence: 1,
    metadata: { event: event.name },
  }
}

/**
 * Burnt by the holder, for nothing: the pool goes on counting these shares. Before v1.4 an imbalanced withdraw told no more than this either,
 * but then the pool paid the holder in the same operation.
 */
function burnAction(
  seen: Seen<ShareMove & { from: Address }>,
  { operation }: Derivation,
  move: (holder: Address, kind: Movement['kind'], paid: Movement['paid']) => void,
): Action {
  const { event, pool, index } = seen
  const { from, shares } = event
  const plain = plainLeg(seen, from, pool)
  const next = operation.events.find((it) => it.index > index && it.pool === pool)?.index ?? Number.POSITIVE_INFINITY
  const paid: TokenPaid[] = operation.transfers
    .filter((it) => it.index > index && it.index < next && it.from === pool && it.to === from)
    .map(({ token, amount }) => ({ token, amount }))
  const isPaid = paid.length > 0
  move(from, isPaid ? 'withdraw' : 'burn', isPaid ? paid : null)
  return {
    type: 'withdraw',
    eventIndex: index,
    legs: withShares(tokenLegs(plain, paid, 'out', true), { ...plain, counterparty: isPaid ? pool : '' }, shares),
    confidence: isPaid ? 0.9 : 1,
    metadata: { event: event.name, ...(isPaid ? { attribution: 'transfers' } : { reason: 'burnt' }) },
  }
}
