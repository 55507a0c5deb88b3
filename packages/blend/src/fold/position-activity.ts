// Requests to a pool: each changes one side of a position by an amount of one asset. A submit of many requests is as many actions.

import type { Action, Leg } from '@orrery/fold-kit'
import type { ActivityType, ShareType } from '@orrery/protocol-kit'
import type { Movement } from '../math/cost.ts'
import { actionOf, type Derivation, leg } from './action.ts'
import { shareDecimals } from './leg-value.ts'
import type { SeenOf } from './operation.ts'
import { type Parties, submitParties } from './parties.ts'

interface Change {
  readonly type: ActivityType
  readonly shareType: ShareType
  readonly side: 'supply' | 'borrow'
  /** What the account does with the tokens. */
  readonly leg: Leg['direction']
  /** What its balance does: a debt grows when tokens come out. */
  readonly balance: Movement['direction']
}

const CHANGES = {
  supply: { type: 'deposit', shareType: 'b_token', side: 'supply', leg: 'in', balance: 'in' },
  supply_collateral: { type: 'deposit', shareType: 'b_token_collateral', side: 'supply', leg: 'in', balance: 'in' },
  withdraw: { type: 'withdraw', shareType: 'b_token', side: 'supply', leg: 'out', balance: 'out' },
  withdraw_collateral: { type: 'withdraw', shareType: 'b_token_collateral', side: 'supply', leg: 'out', balance: 'out' },
  borrow: { type: 'borrow', shareType: 'd_token', side: 'borrow', leg: 'out', balance: 'in' },
  flash_loan: { type: 'borrow', shareType: 'd_token', side: 'borrow', leg: 'out', balance: 'in' },
  repay: { type: 'repay', shareType: 'd_token', side: 'borrow', leg: 'in', balance: 'out' },
} as const satisfies Readonly<Record<string, Change>>

type PositionName = keyof typeof CHANGES

export function positionAction(seen: SeenOf<'pool', PositionName>, derivation: Derivation): Action {
  const { contract, owned, from, asset, amount, shares } = seen
  const change: Change = CHANGES[seen.name]
  if (owned) {
    const key = `${change.side}:${asset}` as const
    derivation.movements.push({ pool: contract, holder: from, key, direction: change.balance, shares, amount, confidence: 'exact' })
  }
  const parties = partiesOf(seen, derivation)
  const paidTo = change.leg === 'out' && parties.receiver !== from ? parties.receiver : null
  const paidBy = change.leg === 'in' && parties.payer !== from ? parties.payer : null
  return actionOf(
    seen,
    change.type,
    [
      leg(seen, {
        address: from,
        counterparty: paidTo ?? contract,
        asset,
        amount,
        shares,
        shareType: change.shareType,
        shareDecimals: shareDecimals(contract, asset, derivation.moment),
        // Tokens that another account pays or gets do not move the account's own.
        direction: paidTo === null && paidBy === null ? change.leg : '',
        volume: true,
      }),
    ],
    {
      ...(paidTo === null ? {} : { receiver: paidTo }),
      ...(paidBy === null ? {} : { payer: paidBy }),
    },
  )
}

function partiesOf(seen: SeenOf<'pool', PositionName>, { operation }: Derivation): Parties {
  return seen.name === 'flash_loan' ? { payer: seen.from, receiver: seen.receiver } : submitParties(seen, operation)
}
