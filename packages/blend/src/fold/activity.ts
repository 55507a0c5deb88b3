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
import type { Operation, SeenEvent, SeenOf } from './operation.ts'
import { positionAction } from './position-activity.ts'

/** The actions of the operation's events, in their order. */
export function deriveActions(operation: Operation, moment: Moment): Derived {
  const movements: Movement[] = []
  const unused: Unused[] = []
  const auctions = new FilledAuctions(operation, moment.slice.ledger)
  const derivation: Derivation = { operation, moment, claims: claimEvents(operation), auctions, movements, unused }
  for (const { contract, owned } of operation.unplaced) {
    if (owned) unused.push({ contract, reason: 'a pool of a deployment that is not known', expected: false })
  }
  const actions = operation.events.flatMap((seen) => eventAction(seen, derivation) ?? [])
  actions.push(...actionsWithoutEvent(derivation, (pool) => moment.state.pools.get(pool)?.owned === true))
  return { actions, movements, unused }
}

function eventAction(seen: SeenEvent, derivation: Derivation): Action | null {
  const part = derivation.claims.parts.get(seen)
  if (part !== undefined) return ignore(seen, part, derivation)
  if (seen.name === 'unknown') return reportUnexpected(seen, seen.reason, derivation)
  // The table has each event's function under its role and name; the compiler does not relate the two look-ups to one member of the union.
  const derive = ACTIONS[seen.role][seen.name as never] as (seen: SeenEvent, derivation: Derivation) => Action | null
  return derive(seen, derivation)
}

type Role = SeenEvent['role']
type NameOf<R extends Role> = Exclude<Extract<SeenEvent, { readonly role: R }>['name'], 'unknown'>

/** The function of every event of every contract: an event without one does not compile. */
const ACTIONS: {
  readonly [R in Role]: { readonly [N in NameOf<R>]: (seen: SeenOf<R, N>, derivation: Derivation) => Action | null }
} = {
  pool: {
    supply: positionAction,
    supply_collateral: positionAction,
    withdraw: positionAction,
    withdraw_collateral: positionAction,
    borrow: positionAction,
    repay: positionAction,
    flash_loan: positionAction,
    claim: poolClaimAction,
    new_auction: auctionCreatedAction,
    new_liquidation_auction: auctionCreatedAction,
    delete_auction: auctionDeletedAction,
    delete_liquidation_auction: auctionDeletedAction,
    fill_auction: auctionFilledAction,
    bad_debt: badDebtAction,
    defaulted_debt: defaultedDebtAction,
    update_emissions: poolEmissionAction,
    gulp_emissions: poolEmissionAction,
    gulp: poolEmissionAction,
    reserve_emission_update: reserveEmissionAction,
    set_admin: poolAdminAction,
    update_pool: poolAdminAction,
    queue_set_reserve: poolAdminAction,
    cancel_set_reserve: poolAdminAction,
    set_reserve: poolAdminAction,
    set_status: poolAdminAction,
  },
  backstop: {
    deposit: backstopMoveAction,
    withdraw: backstopMoveAction,
    queue_withdrawal: backstopQueueAction,
    dequeue_withdrawal: backstopQueueAction,
    claim: backstopClaimAction,
    draw: backstopFundAction,
    donate: backstopFundAction,
    gulp_emissions: backstopEmissionAction,
    distribute: backstopEmissionAction,
    rw_zone: rewardZoneAction,
    rw_zone_add: rewardZoneAction,
    rw_zone_remove: rewardZoneAction,
  },
  comet: {
    swap: cometSwapAction,
    join_pool: cometLiquidityAction,
    exit_pool: cometLiquidityAction,
    deposit: cometLiquidityAction,
    withdraw: cometLiquidityAction,
    transfer: cometTransferAction,
    burn: cometTransferAction,
    approve: (seen, derivation) => ignore(seen, 'approve', derivation),
  },
  emitter: {
    distribute: emitterDistributeAction,
    q_swap: emitterSwapAction,
    del_swap: emitterSwapAction,
    swap: emitterSwapAction,
    drop: emitterDropAction,
  },
  factory: { deploy: deployAction },
}
