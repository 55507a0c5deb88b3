// Deposits into the backstop of a pool, the queue on the way out, and LP tokens that come or go outside of any fill.
// What is queued keeps its shares and its risk; only a withdrawal burns them.

import type { Action } from '@orrery/fold-kit'
import { actionOf, BACKSTOP_SHARE, type Derivation, leg } from './action.ts'
import type { SeenOf } from './operation.ts'

export function backstopMoveAction(seen: SeenOf<'backstop', 'deposit' | 'withdraw'>, { claims, movements }: Derivation): Action {
  const { contract, deployment, owned, pool, from, shares, lpTokens } = seen
  const isDeposit = seen.name === 'deposit'
  const claim = claims.compounds.get(seen)
  if (owned) {
    const direction = isDeposit ? 'in' : 'out'
    movements.push({ pool, holder: from, key: 'backstop', direction, shares, amount: lpTokens, confidence: 'exact' })
  }
  return actionOf(
    seen,
    isDeposit ? 'stake' : 'unstake',
    [
      leg(seen, {
        ...BACKSTOP_SHARE,
        contract: pool,
        address: from,
        counterparty: pool,
        asset: deployment.backstopToken,
        amount: lpTokens,
        shares,
        // What a claim deposits again never was the account's, and its value is what the claim counts.
        ...(claim === undefined ? { direction: isDeposit ? 'in' : 'out', volume: true } : {}),
      }),
    ],
    {
      backstop: contract,
      ...(claim === undefined ? {} : { reason: 'auto_compound', ...(claim.from === from ? {} : { claimed_by: claim.from }) }),
    },
  )
}

export function backstopQueueAction(seen: SeenOf<'backstop', 'queue_withdrawal' | 'dequeue_withdrawal'>): Action {
  const { contract, pool, from, shares, unlocksAtSeconds } = seen
  return actionOf(
    seen,
    seen.name === 'queue_withdrawal' ? 'unstake_request' : 'unstake_cancel',
    [leg(seen, { ...BACKSTOP_SHARE, contract: pool, address: from, counterparty: pool, shares })],
    {
      backstop: contract,
      ...(unlocksAtSeconds === null ? {} : { unlocks_at: new Date(Number(unlocksAtSeconds) * 1_000).toISOString().replace('.000', '') }),
    },
  )
}

/** A draw pays an account out of the pool's backstop, a donation is a gift to all its depositors. */
export function backstopFundAction(seen: SeenOf<'backstop', 'draw' | 'donate'>): Action {
  const { contract, deployment, pool, account, lpTokens } = seen
  return actionOf(
    seen,
    'auction',
    [
      leg(seen, {
        contract: pool,
        address: account,
        counterparty: contract,
        asset: deployment.backstopToken,
        amount: lpTokens,
        direction: seen.name === 'draw' ? 'out' : 'in',
        volume: true,
      }),
    ],
    { backstop: contract },
  )
}
