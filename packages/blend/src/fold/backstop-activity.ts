// Deposits into the backstop of a pool, the queue on the way out, and LP tokens that come or go outside of any fill.
// What is queued keeps its shares and its risk; only a withdrawal burns them.

import type { Action } from '@orrery/fold-kit'
import type { BackstopFundEvent, BackstopMoveEvent, BackstopQueueEvent } from '../chain/deployment-events.ts'
import { actionOf, BACKSTOP_SHARE, type Derivation, leg } from './action.ts'
import type { Seen } from './operation.ts'

export function backstopMoveAction(seen: Seen<BackstopMoveEvent>, { claims, movements }: Derivation): Action {
  const { event, contract, deployment, owned } = seen
  const { pool, from, shares, lpTokens } = event
  const isDeposit = event.name === 'deposit'
  const claim = claims.compounds.get(event)
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
        direction: isDeposit ? 'in' : 'out',
        // What a claim deposits again is the value that the claim told.
        volume: claim === undefined,
      }),
    ],
    {
      backstop: contract,
      ...(claim === undefined ? {} : { reason: 'auto_compound', ...(claim.from === from ? {} : { claimed_by: claim.from }) }),
    },
  )
}

export function backstopQueueAction(seen: Seen<BackstopQueueEvent>): Action {
  const { event, contract } = seen
  const { pool, from, shares, unlocksAtSeconds } = event
  return actionOf(
    seen,
    event.name === 'queue_withdrawal' ? 'unstake_request' : 'unstake_cancel',
    [leg(seen, { ...BACKSTOP_SHARE, contract: pool, address: from, counterparty: pool, shares })],
    {
      backstop: contract,
      ...(unlocksAtSeconds === null ? {} : { unlocks_at: new Date(Number(unlocksAtSeconds) * 1_000).toISOString().replace('.000', '') }),
    },
  )
}

/** A draw pays somebody out of the pool's backstop, a donation is a gift to all its depositors. */
export function backstopFundAction(seen: Seen<BackstopFundEvent>): Action {
  const { event, contract, deployment } = seen
  const { pool, account, lpTokens } = event
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
        direction: event.name === 'draw' ? 'out' : 'in',
        volume: true,
      }),
    ],
    { backstop: contract },
  )
}
