// Events of one operation -> what people did. The rules look at events and calls only, so every partition that an operation touches
// derives the same whole action; only what amounts are worth comes from the state, for the partition that writes them.
// Source: docs/protocols/blend.md, "Events".

import { type Action, reportUnexpected, type Unused } from '@orrery/fold-kit'
import { type Derivation, type Derived, ignore } from './action.ts'
import { deployAction, emitterDropAction, emitterSwapAction, poolAdminAction, silentActions } from './admin-activity.ts'
import { auctionCreatedAction, auctionDeletedAction, auctionFilledAction } from './auction-activity.ts'
import { backstopFundAction, backstopMoveAction, backstopQueueAction } from './backstop-activity.ts'
import { backstopClaimAction, poolClaimAction } from './claim-activity.ts'
import { claimEvents } from './claims.ts'
import { cometLiquidityAction, cometSwapAction, cometTransferAction } from './comet-activity.ts'
import type { Movement } from './cost.ts'
import { badDebtAction, defaultedDebtAction } from './debt-activity.ts'
import {
  backstopEmissionAction,
  emitterDistributeAction,
  poolEmissionAction,
  reserveEmissionAction,
  rewardZoneAction,
} from './emission-activity.ts'
import { FilledAuctions } from './filled-auctions.ts'
import type { Moment } from './moment.ts'
import type { Operation, SeenEvent } from './operation.ts'
import { positionAction } from './position-activity.ts'

/** Everything the operation's events tell, in their order. */
export function deriveActions(operation: Operation, moment: Moment): Derived {
  const movements: Movement[] = []
  const unused: Unused[] = []
  const derivation: Derivation = { operation, moment, claims: claimEvents(operation), movements, unused }
  for (const { contract, owned } of operation.unplaced) {
    if (owned) unused.push({ contract, reason: 'a pool of a deployment that is not known', expected: false })
  }
  const auctions = new FilledAuctions(operation, moment.slice.ledger)
  const actions = operation.events.flatMap((seen) => eventAction(seen, auctions, derivation) ?? [])
  actions.push(...silentActions(derivation, (pool) => moment.state.pools.get(pool)?.owned === true))
  return { actions, movements, unused }
}

function eventAction(seen: SeenEvent, auctions: FilledAuctions, derivation: Derivation): Action | null {
  const part = derivation.claims.parts.get(seen.event)
  if (part !== undefined) return ignore(seen, part, derivation)
  switch (seen.role) {
    case 'pool':
      return poolAction(seen, auctions, derivation)
    case 'backstop':
      return backstopAction(seen, derivation)
    case 'comet':
      return cometAction(seen, derivation)
    case 'emitter':
      return emitterAction(seen, derivation)
    case 'factory': {
      const { event } = seen
      return event.name === 'deploy' ? deployAction({ ...seen, event }, derivation) : reportUnexpected(seen, event.reason, derivation)
    }
  }
}

function poolAction(seen: SeenEvent & { readonly role: 'pool' }, auctions: FilledAuctions, derivation: Derivation): Action | null {
  const { event } = seen
  switch (event.name) {
    case 'supply':
    case 'supply_collateral':
    case 'withdraw':
    case 'withdraw_collateral':
    case 'borrow':
    case 'repay':
    case 'flash_loan':
      return positionAction({ ...seen, event }, derivation)
    case 'claim':
      return poolClaimAction({ ...seen, event }, derivation)
    case 'new_auction':
    case 'new_liquidation_auction':
      return auctionCreatedAction({ ...seen, event })
    case 'delete_auction':
    case 'delete_liquidation_auction':
      return auctionDeletedAction({ ...seen, event })
    case 'fill_auction':
      return auctionFilledAction({ ...seen, event }, auctions.of(event), derivation)
    case 'bad_debt':
      return badDebtAction({ ...seen, event }, derivation)
    case 'defaulted_debt':
      return defaultedDebtAction({ ...seen, event }, derivation)
    case 'update_emissions':
    case 'gulp_emissions':
    case 'gulp':
      return poolEmissionAction({ ...seen, event })
    case 'reserve_emission_update':
      return reserveEmissionAction({ ...seen, event })
    case 'set_admin':
    case 'update_pool':
    case 'queue_set_reserve':
    case 'cancel_set_reserve':
    case 'set_reserve':
    case 'set_status':
      return poolAdminAction({ ...seen, event }, derivation)
    case 'unknown':
      return reportUnexpected(seen, event.reason, derivation)
  }
}

function backstopAction(seen: SeenEvent & { readonly role: 'backstop' }, derivation: Derivation): Action | null {
  const { event } = seen
  switch (event.name) {
    case 'deposit':
    case 'withdraw':
      return backstopMoveAction({ ...seen, event }, derivation)
    case 'queue_withdrawal':
    case 'dequeue_withdrawal':
      return backstopQueueAction({ ...seen, event })
    case 'claim':
      return backstopClaimAction({ ...seen, event }, derivation)
    case 'draw':
    case 'donate':
      return backstopFundAction({ ...seen, event })
    case 'gulp_emissions':
    case 'distribute':
      return backstopEmissionAction({ ...seen, event })
    case 'rw_zone':
    case 'rw_zone_add':
    case 'rw_zone_remove':
      return rewardZoneAction({ ...seen, event })
    case 'unknown':
      return reportUnexpected(seen, event.reason, derivation)
  }
}

function cometAction(seen: SeenEvent & { readonly role: 'comet' }, derivation: Derivation): Action | null {
  const { event } = seen
  switch (event.name) {
    case 'swap':
      return cometSwapAction({ ...seen, event })
    case 'join_pool':
    case 'exit_pool':
    case 'deposit':
    case 'withdraw':
      return cometLiquidityAction({ ...seen, event }, derivation)
    case 'transfer':
    case 'burn':
      return cometTransferAction({ ...seen, event }, derivation)
    case 'approve':
      return ignore(seen, event.name, derivation)
    case 'unknown':
      return reportUnexpected(seen, event.reason, derivation)
  }
}

function emitterAction(seen: SeenEvent & { readonly role: 'emitter' }, derivation: Derivation): Action | null {
  const { event } = seen
  switch (event.name) {
    case 'distribute':
      return emitterDistributeAction({ ...seen, event })
    case 'q_swap':
    case 'del_swap':
    case 'swap':
      return emitterSwapAction({ ...seen, event }, derivation)
    case 'drop':
      return emitterDropAction({ ...seen, event }, derivation)
    case 'unknown':
      return reportUnexpected(seen, event.reason, derivation)
  }
}
