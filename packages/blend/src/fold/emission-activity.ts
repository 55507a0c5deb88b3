// BLND on its way from the emitter to backstops and pools, and the settings that it follows. Accounts get it by claims only.

import type { Action } from '@orrery/fold-kit'
import { actionOf, leg } from './action.ts'
import type { SeenOf } from './operation.ts'

/** BLND that a pool splits among its reserves, or tokens above its books that become credit of the backstop (`gulp`). Nothing is paid. */
export function poolEmissionAction(seen: SeenOf<'pool', 'update_emissions' | 'gulp_emissions' | 'gulp'>): Action {
  const { contract, deployment } = seen
  const asset = seen.asset ?? deployment.blnd
  return actionOf(seen, 'emission', [leg(seen, { address: contract, counterparty: deployment.backstop, asset, amount: seen.amount })])
}

export function reserveEmissionAction(seen: SeenOf<'pool', 'reserve_emission_update'>): Action {
  const { contract } = seen
  return actionOf(seen, 'emission', [leg(seen, { address: contract })], {
    reserve_token_id: seen.reserveTokenId,
    eps: seen.eps.toString(),
    expires_at_seconds: seen.expirationSeconds.toString(),
  })
}

export function backstopEmissionAction(seen: SeenOf<'backstop', 'gulp_emissions' | 'distribute'>): Action {
  const { contract, deployment, pool, amount, poolAmount } = seen
  return actionOf(
    seen,
    'emission',
    [leg(seen, { contract: pool ?? contract, address: contract, counterparty: pool ?? '', asset: deployment.blnd, amount })],
    poolAmount === null ? {} : { pool_amount: poolAmount.toString(), backstop_amount: (amount - poolAmount).toString() },
  )
}

/** Which pools get emissions. */
export function rewardZoneAction(seen: SeenOf<'backstop', 'rw_zone' | 'rw_zone_add' | 'rw_zone_remove'>): Action {
  const { contract, added, removed } = seen
  return actionOf(seen, 'emission', [leg(seen, { address: contract, counterparty: added ?? removed ?? '' })], { added, removed })
}

/** New BLND, minted for the backstop: the emitter itself has none. */
export function emitterDistributeAction(seen: SeenOf<'emitter', 'distribute'>): Action {
  const { contract, deployment } = seen
  return actionOf(seen, 'emission', [
    leg(seen, {
      address: contract,
      counterparty: seen.backstop,
      asset: deployment.blnd,
      amount: seen.amount,
      volume: true,
    }),
  ])
}
