// Administration: changes to how a pool, a gauge or the router works; and holders who opt in to or out of rewards.

import type { Action, Seen } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { AdminEvent } from '../chain/admin-events.ts'
import type { RewardsChoice } from '../chain/pool-events.ts'
import type { NewPool, RewardsRate } from '../chain/router-events.ts'
import { type Derivation, type PoolPlace, plainLeg } from './action.ts'
import { callerOf } from './caller.ts'
import type { PoolSeen, SilentCall } from './operation.ts'

/** By the account that called: the event names none. `pool` is the router where the event is a router's. */
export function adminAction(seen: PoolSeen<AdminEvent>, derivation: Derivation): Action {
  return byCaller(seen.pool, seen, { event: seen.event, ...seen.details }, derivation)
}

/** The router's event on what a pool pays, where the pool emits none itself: concentrated ones never do. */
export function rateAction(seen: Seen<RewardsRate>, derivation: Derivation): Action {
  const { contract, name, pool, expiresAt, tokensPerSecond } = seen
  const rate = { pool, expires_at: expiresAt.toString(), tokens_per_second: tokensPerSecond.toString() }
  return byCaller(contract, { ...seen, pool: contract }, { event: name, ...rate }, derivation)
}

/** By the account that makes the pool and pays for it. The pool's partition writes it. */
export function newPoolAction(seen: Seen<{ readonly newPool: NewPool }>, derivation: Derivation): Action {
  const { pool, kind, tokens, index } = seen.newPool
  const owned = derivation.directory.pool(pool)?.owned ?? false
  const made = { router: seen.contract, pool_type: kind, pool_index: index, tokens }
  return byCaller(seen.contract, { ...seen, pool, owned }, { event: 'add_pool', ...made }, derivation)
}

/** A call without an event: by the account that authorised it. */
export function callAction({ call, contract, index, owned }: SilentCall, { operation }: Derivation): Action {
  const { authorizer, function: name } = call
  return setting({ index, owned, pool: contract }, authorizer ?? operation.transaction.source, 1, { event: name })
}

export function choiceAction(seen: PoolSeen<RewardsChoice>): Action {
  return setting(seen, seen.user, 1, { event: seen.name, takes_rewards: seen.optsIn })
}

type Place = PoolPlace & { readonly index: number }

function byCaller(called: ContractId, at: Place, metadata: Action['metadata'], { operation }: Derivation): Action {
  const { address, confidence, rule } = callerOf(called, operation)
  return setting(at, address, confidence, { ...metadata, attribution: rule })
}

function setting(at: Place, address: Address, confidence: Action['confidence'], metadata: Action['metadata']): Action {
  return { type: 'admin', eventIndex: at.index, legs: [{ ...plainLeg(at, address, ''), counts: true }], confidence, metadata }
}
