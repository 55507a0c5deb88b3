// Events of one operation -> activities. Router, pool and share token report one movement up to three times; here it is one action.
// The rules look at events only, so every partition that an operation touches derives the same whole action.
// Source: docs/protocols/aquarius.md, "Activities".

import { type Action, reportUnexpected, type Unused } from '@orrery/fold-kit'
import { type Derivation, type Derived, ignore, type Movement } from './action.ts'
import { adminAction, callAction, choiceAction, newPoolAction, rateAction } from './admin-activity.ts'
import { feesAction, protocolFeeAction, rewardAction, routedClaimAction } from './claim-activity.ts'
import { claimEvents } from './claims.ts'
import type { Directory } from './directory.ts'
import { liquidityAction } from './liquidity-activity.ts'
import type { Operation, OwnEvent } from './operation.ts'
import { shareAction } from './share-activity.ts'
import { swapAction } from './swap-activity.ts'

/** The actions of an operation, in the order of their events. */
export function deriveActions(operation: Operation, directory: Directory): Derived {
  const claims = claimEvents(operation)
  const movements: Movement[] = []
  const unused: Unused[] = []
  const derivation: Derivation = { operation, directory, claims, movements, unused }
  const actions = [
    ...operation.events.map((seen) => ownAction(seen, derivation)),
    ...operation.routers.map((seen) => routerAction(seen, derivation)),
    ...operation.silent.map((seen) => callAction(seen, derivation)),
  ]
    .filter((action) => action !== null)
    .sort((a, b) => a.eventIndex - b.eventIndex)
  return { actions, movements, unused }
}

function ownAction(seen: OwnEvent, derivation: Derivation): Action | null {
  const { claims } = derivation
  switch (seen.name) {
    case 'deposit_liquidity':
    case 'withdraw_liquidity':
      return liquidityAction(seen, derivation)
    case 'trade': {
      const path = claims.paths.get(seen)
      return path === undefined ? null : swapAction(path, derivation)
    }
    case 'claim_reward':
    case 'rewards_gauge_claim':
      return rewardAction(seen, derivation)
    case 'claim_fees':
      return feesAction(seen, derivation)
    case 'claim_protocol_fee':
      return protocolFeeAction(seen, derivation)
    case 'mint':
    case 'burn':
    case 'transfer':
      return claims.absorbed.has(seen) ? null : shareAction(seen, derivation)
    case 'position_update':
      return claims.absorbed.has(seen) ? null : reportUnexpected(seen, 'position_update without a deposit or withdraw', derivation)
    case 'set_rewards_state':
      return choiceAction(seen)
    case 'admin':
      return seen.event === 'executable_update' ? ignore(seen, 'executable_update', derivation) : adminAction(seen, derivation)
    case 'update_reserves':
    case 'reserves_sync':
    case 'pool_state':
    case 'approve':
    case 'uncounted_shares':
      return ignore(seen, seen.name, derivation)
    case 'unknown':
      return reportUnexpected(seen, seen.reason, derivation)
  }
}

function routerAction(seen: Operation['routers'][number], derivation: Derivation): Action | null {
  const isRepeated = !derivation.claims.unrepeated.has(seen)
  switch (seen.name) {
    case 'add_pool':
      return newPoolAction(seen, derivation)
    case 'claim':
      return isRepeated ? ignore(seen, 'repeated', derivation) : routedClaimAction(seen, derivation)
    case 'config_rewards':
      return isRepeated ? ignore(seen, 'repeated', derivation) : rateAction(seen, derivation)
    case 'deposit':
    case 'withdraw':
    case 'swap':
      return ignore(seen, 'repeated', derivation)
    case 'admin':
      return seen.event === 'executable_update'
        ? ignore(seen, 'executable_update', derivation)
        : adminAction({ ...seen, pool: seen.contract }, derivation)
    case 'unknown':
      return reportUnexpected(seen, seen.reason, derivation)
  }
}
