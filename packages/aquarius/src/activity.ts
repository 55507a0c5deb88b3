// Events of one operation -> what people did. Router, pool and share token tell one movement up to three times; it is told once here.
// The rules look at events only, so every partition that an operation touches derives the same whole action.
// Source: docs/protocols/aquarius.md, "Activities".

import { type Action, reportUnexpected, type Unused } from '@orrery/fold-kit'
import { type Derivation, type Derived, ignore, type Movement } from './action.ts'
import { adminAction, callAction, choiceAction, newPoolAction, rateAction } from './admin-activity.ts'
import { feesAction, protocolFeeAction, rewardAction, routedClaimAction } from './claim-activity.ts'
import { claimEvents } from './claims.ts'
import type { Directory } from './directory.ts'
import type { AdminEvent } from './event-reader.ts'
import { liquidityAction } from './liquidity-activity.ts'
import type { Operation, OwnEvent, Seen } from './operation.ts'
import type { FeesClaim, PoolLiquidity, ProtocolFeeClaim, RewardClaim, RewardsChoice } from './pool-events.ts'
import type { RewardsRate, RoutedClaim } from './router-events.ts'
import { shareAction } from './share-activity.ts'
import type { ShareMove } from './share-events.ts'
import { swapAction } from './swap-activity.ts'

/** Everything the operation's events tell, in their order. */
export function deriveActions(operation: Operation, directory: Directory): Derived {
  const claims = claimEvents(operation)
  const movements: Movement[] = []
  const unused: Unused[] = []
  const derivation: Derivation = { operation, directory, claims, movements, unused }
  const actions: Action[] = []
  for (const seen of operation.events) {
    const action = ownAction(seen, derivation)
    if (action !== null) actions.push(action)
  }
  for (const seen of operation.routers) {
    const action = routerAction(seen, derivation)
    if (action !== null) actions.push(action)
  }
  for (const seen of operation.silent) actions.push(callAction(seen, derivation))
  actions.sort((a, b) => a.eventIndex - b.eventIndex)
  return { actions, movements, unused }
}

function ownAction(seen: Seen<OwnEvent>, derivation: Derivation): Action | null {
  const { event } = seen
  const { claims } = derivation
  switch (event.name) {
    case 'deposit_liquidity':
    case 'withdraw_liquidity':
      return liquidityAction(seen as Seen<PoolLiquidity>, derivation)
    case 'trade': {
      const path = claims.paths.get(seen)
      return path === undefined ? null : swapAction(path, derivation)
    }
    case 'claim_reward':
    case 'rewards_gauge_claim':
      return rewardAction(seen as Seen<RewardClaim>, derivation)
    case 'claim_fees':
      return feesAction(seen as Seen<FeesClaim>, derivation)
    case 'claim_protocol_fee':
      return protocolFeeAction(seen as Seen<ProtocolFeeClaim>, derivation)
    case 'mint':
    case 'burn':
    case 'transfer':
      return claims.absorbed.has(seen) ? null : shareAction(seen as Seen<ShareMove>, derivation)
    case 'position_update':
      return claims.absorbed.has(seen) ? null : reportUnexpected(seen, 'position_update without a deposit or withdraw', derivation)
    case 'set_rewards_state':
      return choiceAction(seen as Seen<RewardsChoice>)
    case 'admin':
      return event.event === 'executable_update'
        ? ignore(seen, 'executable_update', derivation)
        : adminAction(seen as Seen<AdminEvent>, derivation)
    case 'update_reserves':
    case 'reserves_sync':
    case 'pool_state':
    case 'approve':
    case 'uncounted_shares':
      return ignore(seen, event.name, derivation)
    case 'unknown':
      return reportUnexpected(seen, event.reason, derivation)
  }
}

function routerAction(seen: Operation['routers'][number], derivation: Derivation): Action | null {
  const { event } = seen
  const isNews = derivation.claims.unrepeated.has(seen)
  switch (event.name) {
    case 'add_pool':
      return newPoolAction({ ...seen, event }, derivation)
    case 'claim':
      return isNews ? routedClaimAction(seen as Seen<RoutedClaim>, derivation) : ignore(seen, 'repeated', derivation)
    case 'config_rewards':
      return isNews ? rateAction(seen as Seen<RewardsRate>, derivation) : ignore(seen, 'repeated', derivation)
    case 'deposit':
    case 'withdraw':
    case 'swap':
      return ignore(seen, 'repeated', derivation)
    case 'admin':
      return event.event === 'executable_update'
        ? ignore(seen, 'executable_update', derivation)
        : adminAction(seen as Seen<AdminEvent>, derivation)
    case 'unknown':
      return reportUnexpected(seen, event.reason, derivation)
  }
}
