// Bad debt: it moves to the backstop and, when the backstop has too little left, it is taken from the suppliers.

import type { Action } from '@orrery/fold-kit'
import { actionOf, type Derivation, leg } from './action.ts'
import { debtLegs } from './auction-activity.ts'
import { dTokensWorth, shareDecimals } from './leg-value.ts'
import type { SeenOf } from './operation.ts'

export function badDebtAction(seen: SeenOf<'pool', 'bad_debt'>, derivation: Derivation): Action {
  const { deployment, user, asset, dTokens } = seen
  // v1 has one topic for both.
  if (user === deployment.backstop) return defaultedDebtAction(seen, derivation)
  const sides = { from: { address: user, role: 'debtor' }, to: { address: deployment.backstop, role: 'backstop' } }
  const legs = debtLegs(seen, asset, dTokens, sides, derivation)
  return actionOf(
    seen,
    'bad_debt',
    legs.map((it) => ({ ...it, volume: it.address === deployment.backstop })),
  )
}

/** The backstop owes less, and the suppliers have lost it: v2 takes it off the bRate, v1 leaves a pool that owes more than it has. */
export function defaultedDebtAction(seen: SeenOf<'pool', 'bad_debt' | 'defaulted_debt'>, { moment, movements }: Derivation): Action {
  const { contract, owned, deployment, asset, dTokens } = seen
  const amount = dTokensWorth(contract, asset, dTokens, moment)
  if (owned) {
    const key = `borrow:${asset}` as const
    movements.push({
      pool: contract,
      holder: deployment.backstop,
      key,
      direction: 'out',
      shares: dTokens,
      amount,
      confidence: 'inferred',
    })
  }
  return actionOf(
    seen,
    'bad_debt',
    [
      leg(seen, {
        address: deployment.backstop,
        counterparty: contract,
        asset,
        amount,
        shares: dTokens,
        shareType: 'd_token',
        shareDecimals: shareDecimals(contract, asset, moment),
        debtChange: -amount,
        metadata: { role: 'backstop' },
      }),
      leg(seen, {
        address: contract,
        counterparty: deployment.backstop,
        asset,
        amount,
        volume: true,
        metadata: { role: 'suppliers' },
      }),
    ],
    { reason: 'defaulted' },
  )
}
