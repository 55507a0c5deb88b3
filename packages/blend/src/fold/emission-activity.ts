// BLND on its way from the emitter to backstops and pools, and the settings that it follows. Accounts get it by claims only.

import type { Action } from '@orrery/fold-kit'
import type { BackstopEmissionEvent, EmitterDistributeEvent, RewardZoneEvent } from '../chain/deployment-events.ts'
import type { PoolEmissionEvent, ReserveEmissionEvent } from '../chain/pool-events.ts'
import { actionOf, leg } from './action.ts'
import type { Seen } from './operation.ts'

/** BLND that a pool splits among its reserves, or tokens above its books that become credit of the backstop (`gulp`). Nothing is paid. */
export function poolEmissionAction(seen: Seen<PoolEmissionEvent>): Action {
  const { event, contract, deployment } = seen
  const asset = event.asset ?? deployment.blnd
  return actionOf(seen, 'emission', [leg(seen, { address: contract, counterparty: deployment.backstop, asset, amount: event.amount })])
}

export function reserveEmissionAction(seen: Seen<ReserveEmissionEvent>): Action {
  const { event, contract } = seen
  return actionOf(seen, 'emission', [leg(seen, { address: contract })], {
    reserve_token_id: event.reserveTokenId,
    eps: event.eps.toString(),
    expires_at_seconds: event.expirationSeconds.toString(),
  })
}

export function backstopEmissionAction(seen: Seen<BackstopEmissionEvent>): Action {
  const { event, contract, deployment } = seen
  const { pool, amount, poolAmount } = event
  return actionOf(
    seen,
    'emission',
    [leg(seen, { contract: pool ?? contract, address: contract, counterparty: pool ?? '', asset: deployment.blnd, amount })],
    poolAmount === null ? {} : { pool_amount: poolAmount.toString(), backstop_amount: (amount - poolAmount).toString() },
  )
}

/** Which pools get emissions. */
export function rewardZoneAction(seen: Seen<RewardZoneEvent>): Action {
  const { event, contract } = seen
  const { added, removed } = event
  return actionOf(seen, 'emission', [leg(seen, { address: contract, counterparty: added ?? removed ?? '' })], { added, removed })
}

/** New BLND for the backstop. */
export function emitterDistributeAction(seen: Seen<EmitterDistributeEvent>): Action {
  const { event, contract, deployment } = seen
  return actionOf(seen, 'emission', [
    leg(seen, {
      address: contract,
      counterparty: event.backstop,
      asset: deployment.blnd,
      amount: event.amount,
      direction: 'in',
      volume: true,
    }),
  ])
}
