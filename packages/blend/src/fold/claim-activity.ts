// BLND that an account earned: a pool pays it out, a backstop turns it into LP tokens and deposits them again.

import type { Action } from '@orrery/fold-kit'
import { actionOf, type Derivation, leg } from './action.ts'
import type { SeenOf } from './operation.ts'
import { receiverBefore } from './parties.ts'

/** The backstop pays for its pools, before the pool's event. A claim of nothing has an event too, and moves nothing. */
export function poolClaimAction(seen: SeenOf<'pool', 'claim'>, { operation }: Derivation): Action {
  const { contract, deployment, from, blnd, reserveTokenIds } = seen
  const receiver = receiverBefore(seen, { token: deployment.blnd, payer: deployment.backstop, amount: blnd }, operation)
  const paidTo = blnd > 0n && receiver !== null && receiver !== from ? receiver : null
  return actionOf(
    seen,
    'claim',
    [
      leg(seen, {
        address: from,
        counterparty: paidTo ?? contract,
        asset: deployment.blnd,
        amount: blnd,
        direction: paidTo === null ? 'out' : '',
        volume: true,
      }),
    ],
    { reserve_token_ids: reserveTokenIds, ...(paidTo === null ? {} : { receiver: paidTo }) },
  )
}

/** The event has BLND in v1, the LP tokens that it became in v2. Both versions deposit them again: see the stakes of the same transaction. */
export function backstopClaimAction(seen: SeenOf<'backstop', 'claim'>, { claims }: Derivation): Action {
  const { contract, deployment } = seen
  const isV1 = deployment.version === 'v1'
  const purchase = claims.purchases.get(seen)
  const compounds = [...claims.compounds].flatMap(([deposit, claim]) => (claim === seen ? [deposit] : []))
  return actionOf(
    seen,
    'claim',
    [
      leg(seen, {
        address: seen.from,
        counterparty: contract,
        asset: isV1 ? deployment.blnd : deployment.backstopToken,
        amount: seen.amount,
        volume: true,
      }),
    ],
    {
      ...(purchase === undefined ? {} : { blnd_amount: purchase.amount.toString() }),
      lp_tokens: compounds.reduce((sum, it) => sum + it.lpTokens, 0n).toString(),
      pools: compounds.map((it) => it.pool),
    },
  )
}
