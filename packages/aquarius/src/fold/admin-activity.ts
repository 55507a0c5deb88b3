// Settings: who changed how a pool, a gauge or the router works; and holders who opt in to or out of rewards.

import type { Action } from '@orrery/fold-kit'
import type { Address, CallRecord } from '@orrery/ledger'
import type { AdminEvent } from '../chain/event-reader.ts'
import type { RewardsChoice } from '../chain/pool-events.ts'
import type { NewPool, RewardsRate } from '../chain/router-events.ts'
import { type Derivation, plainLeg } from './action.ts'
import { callerOf } from './caller.ts'
import type { Seen } from './operation.ts'

/** By whoever called: the event names nobody. */
export function adminAction(seen: Seen<AdminEvent>, derivation: Derivation): Action {
  const { event } = seen
  const { address, confidence, rule } = callerOf(seen.pool, derivation.operation)
  return setting(seen, address, confidence, { event: event.event, ...event.details, attribution: rule })
}

/** The router's word on what a pool pays, where the pool says nothing itself: concentrated ones never do. */
export function rateAction(seen: Seen<RewardsRate>, derivation: Derivation): Action {
  const { event, contract } = seen
  const { address, confidence, rule } = callerOf(contract, derivation.operation)
  return setting(seen, address, confidence, {
    event: event.name,
    pool: event.pool,
    expires_at: event.expiresAt.toString(),
    tokens_per_second: event.tokensPerSecond.toString(),
    attribution: rule,
  })
}

/** Whoever makes a pool pays for it. The pool's partition writes it. */
export function newPoolAction(seen: Seen<{ readonly newPool: NewPool }>, derivation: Derivation): Action {
  const { pool, kind, tokens, index } = seen.event.newPool
  const { address, confidence, rule } = callerOf(seen.contract, derivation.operation)
  return setting({ ...seen, pool, owned: derivation.directory.pool(pool)?.owned ?? false }, address, confidence, {
    event: 'add_pool',
    router: seen.contract,
    pool_type: kind,
    pool_index: index,
    tokens,
    attribution: rule,
  })
}

/** What only a call tells: by whoever authorised it. */
export function callAction(seen: Seen<CallRecord>, { operation }: Derivation): Action {
  const { authorizer, function: name } = seen.event
  return setting(seen, authorizer ?? operation.transaction.source, 1, { event: name })
}

export function choiceAction(seen: Seen<RewardsChoice>): Action {
  const { name, user, takes } = seen.event
  return setting(seen, user, 1, { event: name, takes_rewards: takes })
}

function setting(seen: Seen<unknown>, address: Address, confidence: Action['confidence'], metadata: Action['metadata']): Action {
  return { type: 'admin', eventIndex: seen.index, legs: [{ ...plainLeg(seen, address, ''), counts: true }], confidence, metadata }
}
