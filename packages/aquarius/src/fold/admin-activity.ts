// Administration: changes to how a pool, a gauge or the router works; and holders who opt in to or out of rewards.

import type { Action, Seen } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { AdminEvent } from '../chain/admin-events.ts'
import type { RewardsChoice } from '../chain/pool-events.ts'
import type { NewPool, RewardsRate } from '../chain/router-events.ts'
import { type Derivation, type PoolPlace, plainLeg } from './action.ts'
import { callerOf } from './caller.ts'
import type { PoolSeen, SilentCall } from './operation.ts'

/** By the account that called: the event names none. `pool` is the router where the event is a router's. */
export function adminAction(seen: PoolSeen<AdminEvent>, derivation: Derivation): Action {
  const { address, confidence, rule } = callerOf(seen.pool, derivation.operation)
  return setting(seen, address, confidence, { event: seen.event, ...seen.details, attribution: rule })
}

/** The router's event on what a pool pays, where the pool emits none itself: concentrated ones never do. */
export function rateAction(seen: Seen<RewardsRate>, derivation: Derivation): Action {
  const { contract, name, pool, expiresAt, tokensPerSecond } = seen
  const { address, confidence, rule } = callerOf(contract, derivation.operation)
  return setting({ ...seen, pool: contract }, address, confidence, {
    event: name,
    pool,
    expires_at: expiresAt.toString(),
    tokens_per_second: tokensPerSecond.toString(),
    attribution: rule,
  })
}

/** By the account that makes the pool and pays for it. The pool's partition writes it. */
export function newPoolAction(seen: Seen<{ readonly newPool: NewPool }>, derivation: Derivation): Action {
  const { pool, kind, tokens, index } = seen.newPool
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

/** A call without an event: by the account that authorised it. */
export function callAction({ call, contract, index, owned }: SilentCall, { operation }: Derivation): Action {
  const { authorizer, function: name } = call
  return setting({ index, owned, pool: contract }, authorizer ?? operation.transaction.source, 1, { event: name })
}

export function choiceAction(seen: PoolSeen<RewardsChoice>): Action {
  return setting(seen, seen.user, 1, { event: seen.name, takes_rewards: seen.optsIn })
}

function setting(
  at: PoolPlace & { readonly index: number },
  address: Address,
  confidence: Action['confidence'],
  metadata: Action['metadata'],
): Action {
  return { type: 'admin', eventIndex: at.index, legs: [{ ...plainLeg(at, address, ''), counts: true }], confidence, metadata }
}
