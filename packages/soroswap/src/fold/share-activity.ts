// Shares that move without a deposit or withdraw, and tokens that are skimmed from a pair.

import { type Action, type Leg, reportUnexpected, type Seen } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { PairSkim, ShareMove } from '../chain/events.ts'
import { type Derivation, ignore, LP_SHARE, type Movement, tokenLegs } from './action.ts'

/** Only the pair's transfers just before have the receiver of a skim. */
export function skimAction(seen: Seen<PairSkim>, derivation: Derivation): Action | null {
  const { contract, index } = seen
  const receiver = derivation.operation.transfers.findLast((it) => it.index < index && it.from === contract)?.to
  const legs = tokenLegs(seen, seen.amounts, 'out', derivation, {
    address: receiver ?? derivation.operation.transaction.source,
    counterparty: contract,
    volume: true,
  })
  if (legs.length === 0) return ignore(seen, 'skim_of_nothing', derivation)
  return {
    type: 'transfer',
    eventIndex: index,
    legs: legs.map((leg, n) => ({ ...leg, counts: n === 0 })),
    confidence: receiver === undefined ? 0.5 : 0.9,
    metadata: { event: 'SoroswapPair/skim', attribution: receiver === undefined ? 'transaction_source' : 'receiver' },
  }
}

/** Shares that moved by a plain transfer. The pair has no feed: shares sent to it are in the sender's row only. */
export function shareAction(seen: Seen<ShareMove>, derivation: Derivation): Action | null {
  const { contract, owned, index, from, to, shares } = seen
  const metadata = { event: seen.name }
  const move = (holder: Address, kind: Movement['kind']) => {
    if (owned) derivation.movements.push({ pair: contract, holder, kind, shares, amounts: null })
  }
  const leg = (address: Address, counterparty: Address | '', direction: Leg['direction'], volume: boolean): Leg => ({
    owned,
    contract,
    address,
    counterparty,
    asset: contract,
    amount: shares,
    ...LP_SHARE,
    shares,
    direction,
    volume,
    counts: true,
  })
  if (from === contract) return reportUnexpected(seen, `${seen.name} of the pair's own shares without a withdraw`, derivation)
  if (from !== null && to !== null) {
    // Shares that an account sends to itself keep their cost.
    if (to !== from) move(from, 'transfer_out')
    if (to !== from && to !== contract) move(to, 'transfer_in')
    const legs = [leg(from, to, 'in', true)]
    if (to !== contract) legs.push({ ...leg(to, from, 'out', false), counts: to !== from })
    return { type: 'transfer', eventIndex: index, legs, confidence: 1, metadata }
  }
  if (from !== null) {
    move(from, 'burn')
    const burnt: Leg = { ...leg(from, '', '', false), asset: '', amount: 0n }
    return { type: 'withdraw', eventIndex: index, legs: [burnt], confidence: 1, metadata: { ...metadata, reason: 'burnt' } }
  }
  if (to === null) return null
  move(to, 'fee_mint')
  return {
    type: 'emission',
    eventIndex: index,
    legs: [leg(to, contract, 'out', true)],
    confidence: 1,
    metadata: { ...metadata, reason: 'protocol_fee' },
  }
}
