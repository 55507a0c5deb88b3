// Shares that move without a deposit or withdraw: given to another account, or burnt for nothing.

import { type Action, type Leg, reportUnexpected } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { ShareMove } from '../chain/share-events.ts'
import { type Derivation, ignore, type Movement, pairUp, plainLeg, type TokenPaid, tokenLegs, withShares } from './action.ts'
import type { Operation, OwnEvent, PoolSeen } from './operation.ts'

export function shareAction(seen: PoolSeen<ShareMove>, derivation: Derivation): Action | null {
  const { from, to, shares, pool, contract, owned, index } = seen
  if (shares === 0n) return ignore(seen, 'empty_move', derivation)
  const move = (holder: Address, kind: Movement['kind'], paid: Movement['paid'], moved = shares) => {
    if (owned) derivation.movements.push({ pool, holder, kind, shares: moved, range: null, paid })
  }
  if (from === null) return reportUnexpected(seen, 'a mint of shares without a deposit', derivation)
  if (to === null) return burnAction(seen, from, derivation, move)
  // What an account sends to itself stays where it is, at what it cost.
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
    metadata: { event: seen.name },
  }
}

/**
 * Burnt by the holder, for nothing: the pool goes on counting these shares. Before v1.4 an imbalanced withdraw emitted no more events than this either,
 * but then the pool paid the holder in the same operation.
 */
function burnAction(
  seen: PoolSeen<ShareMove>,
  holder: Address,
  { operation, claims }: Derivation,
  move: (holder: Address, kind: Movement['kind'], paid: Movement['paid'], moved: bigint) => void,
): Action {
  const { pool, index } = seen
  const change = claims.changes.get(seen)
  const shares = seen.shares - (change?.shares ?? 0n)
  const plain = plainLeg(seen, holder, pool)
  const paid = paidBehind(change ?? seen, holder, operation)
  const isPaid = paid.length > 0
  move(holder, isPaid ? 'withdraw' : 'burn', isPaid ? paid : null, shares)
  return {
    type: 'withdraw',
    eventIndex: index,
    legs: withShares(tokenLegs(plain, paid, 'out', true), { ...plain, counterparty: isPaid ? pool : '' }, shares),
    confidence: isPaid ? 0.9 : 1,
    metadata: { event: seen.name, ...(isPaid ? { attribution: 'transfers' } : { reason: 'burnt' }) },
  }
}

/**
 * What the pool sent the holder behind a burn: until tokens are sent to it, which begins another call, or the next burn; and without
 * what its events report by themselves.
 */
function paidBehind({ index, pool }: PoolSeen<ShareMove>, holder: Address, { events, transfers }: Operation): TokenPaid[] {
  const later = events.filter((it) => it.index > index && it.pool === pool)
  const ends = [
    later.find((it) => it.name === 'burn')?.index,
    transfers.find((it) => it.index > index && it.to === pool)?.index,
    Number.POSITIVE_INFINITY,
  ].filter((it) => it !== undefined)
  const reported = later.flatMap(payments)
  return transfers.filter((it) => {
    if (it.index <= index || it.index >= Math.min(...ends) || it.from !== pool || it.to !== holder) return false
    const place = reported.findIndex(({ token, amount }) => token === it.token && amount === it.amount)
    if (place >= 0) reported.splice(place, 1)
    return place < 0
  })
}

/** What the pool paid by one of its events. */
function payments(event: OwnEvent): TokenPaid[] {
  switch (event.name) {
    case 'trade':
      return [{ token: event.tokenOut, amount: event.amountOut }]
    case 'withdraw_liquidity':
    case 'claim_fees':
      return pairUp(event.tokens, event.amounts)
    case 'claim_reward':
    case 'claim_protocol_fee':
      return [event]
    default:
      return []
  }
}
