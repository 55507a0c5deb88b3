// Events of one operation -> actions of accounts. The rules look at events and calls only, so every partition that an operation touches
// derives the same whole action; only what amounts are worth comes from the state, for the partition that writes them.
// Source: docs/protocols/blend.md, "Events".

import { type Action, reportUnexpected, type Unused } from '@orrery/fold-kit'
import type { Movement } from '../math/cost.ts'
import { type Derivation, type Derived, ignore } from './action.ts'
import { actionsWithoutEvent, deployAction, emitterDropAction, emitterSwapAction, poolAdminAction } from './admin-activity.ts'
import { auctionCreatedAction, auctionDeletedAction, auctionFilledAction } from './auction-activity.ts'
import { backstopFundAction, backstopMoveAction, backstopQueueAction } from './backstop-activity.ts'
import { backstopClaimAction, poolClaimAction } from './claim-activity.ts'
import { claimEvents } from './claims.ts'
import { cometLiquidityAction, cometSwapAction, cometTransferAction } from './comet-activity.ts'
import { badDebtAction, defaultedDebtAction } from './debt-activity.ts'
import {
  backstopEmissionAction,
  emitterDistributeAction,
  poolEmissionAction,
  reserveEmissionAction,
  rewardZoneAction,
} from './emission-activity.ts'
import { FilledAuctions } from './filled-auctions.ts'
import type { Moment } from './ledger-end.ts'
import type { Operation, SeenEvent } from './operation.ts'
import { positionAction } from './position-activity.ts'

/** The actions of the operation's events, in their order. */
export function deriveActions(operation: Operation, moment: Moment): Derived {
  const movements: Movement[] = []
  const unused: Unused[] = []
  const derivation: Derivation = { operation, moment, claims: claimEvents(operation), movements, unused }
  for (const { contract, owned } of operation.unplaced) {
    if (owned) unused.push({ contract, reason: 'a pool of a deployment that is not known', expected: false })
  }
  const auctions = new FilledAuctions(operation, moment.slice.ledger)
  const actions = operation.events.flatMap((seen) => eventAction(seen, auctions, derivation) ?? [])
  actions.push(...actionsWithoutEvent(derivation, (pool) => moment.state.pools.get(pool)?.owned === true))
  return { actions, movements, unused }
}

function eventAction(seen: SeenEvent, auctions: FilledAuctions, derivation: Derivation): Action | null {
  const part = derivation.claims.parts.get(seen)
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
    case 'factory':
      return seen.name === 'deploy' ? deployAction(seen, derivation) : reportUnexpected(seen, seen.reason, derivation)
  }
}

function poolAction(seen: SeenEvent & { readonly role: 'pool' }, auctions: FilledAuctions, derivation: Derivation): Action | null {
  switch (seen.name) {
    case 'supply':
    case 'supply_collateral':
    case 'withdraw':
    case 'withdraw_collateral':
    case 'borrow':
    case 'repay':
    case 'flash_loan':
      return positionAction(seen, derivation)
    case 'claim':
      return poolClaimAction(seen, derivation)
    case 'new_auction':
    case 'new_liquidation_auction':
      return auctionCreatedAction(seen)
    case 'delete_auction':
    case 'delete_liquidation_auction':
      return auctionDeletedAction(seen)
    case 'fill_auction':
      return auctionFilledAction(seen, auctions.of(seen), derivation)
    case 'bad_debt':
      return badDebtAction(seen, derivation)
    case 'defaulted_debt':
      return defaultedDebtAction(seen, derivation)
    case 'update_emissions':
    case 'gulp_emissions':
    case 'gulp':
      return poolEmissionAction(seen)
    case 'reserve_emission_update':
      return reserveEmissionAction(seen)
    case 'set_admin':
    case 'update_pool':
    case 'queue_set_reserve':
    case 'cancel_set_reserve':
    case 'set_reserve':
    case 'set_status':
      return poolAdminAction(seen, derivation)
    case 'unknown':
      return reportUnexpected(seen, seen.reason, derivation)
  }
}

function backstopAction(seen: SeenEvent & { readonly role: 'backstop' }, derivation: Derivation): Action | null {
  switch (seen.name) {
    case 'deposit':
    case 'withdraw':
      return backstopMoveAction(seen, derivation)
    case 'queue_withdrawal':
    case 'dequeue_withdrawal':
      return backstopQueueAction(seen)
    case 'claim':
      return backstopClaimAction(seen, derivation)
    case 'draw':
    case 'donate':
      return backstopFundAction(seen)
    case 'gulp_emissions':
    case 'distribute':
      return backstopEmissionAction(seen)
    case 'rw_zone':
    case 'rw_zone_add':
    case 'rw_zone_remove':
      return rewardZoneAction(seen)
    case 'unknown':
      return reportUnexpected(seen, seen.reason, derivation)
  }
}

function cometAction(seen: SeenEvent & { readonly role: 'comet' }, derivation: Derivation): Action | null {
  switch (seen.name) {
    case 'swap':
      return cometSwapAction(seen)
    case 'join_pool':
    case 'exit_pool':
    case 'deposit':
    case 'withdraw':
      return cometLiquidityAction(seen, derivation)
    case 'transfer':
    case 'burn':
      return cometTransferAction(seen, derivation)
    case 'approve':
      return ignore(seen, seen.name, derivation)
    case 'unknown':
      return reportUnexpected(seen, seen.reason, derivation)
  }
}

function emitterAction(seen: SeenEvent & { readonly role: 'emitter' }, derivation: Derivation): Action | null {
  switch (seen.name) {
    case 'distribute':
      return emitterDistributeAction(seen)
    case 'q_swap':
    case 'del_swap':
    case 'swap':
      return emitterSwapAction(seen, derivation)
    case 'drop':
      return emitterDropAction(seen, derivation)
    case 'unknown':
      return reportUnexpected(seen, seen.reason, derivation)
  }
}
