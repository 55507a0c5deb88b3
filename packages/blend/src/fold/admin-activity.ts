// Settings of pools, of the emitter and of the factory. Some may be changed by any account once their time has come: then the action names the caller.
// Two calls of a pool's admin emit no event: their actions come from the call.

import type { Action } from '@orrery/fold-kit'
import type { CallRecord, ContractId } from '@orrery/ledger'
import { actionOf, type Derivation, leg } from './action.ts'
import type { SeenOf } from './operation.ts'
import { addressesIn, callerOf } from './parties.ts'

type PoolAdminName = 'set_admin' | 'update_pool' | 'queue_set_reserve' | 'cancel_set_reserve' | 'set_reserve' | 'set_status'

export function poolAdminAction(seen: SeenOf<'pool', PoolAdminName>, { operation }: Derivation): Action {
  const { contract, admin, settings } = seen
  const caller = admin === null ? callerOf(contract, operation) : null
  return actionOf(
    seen,
    'admin',
    [leg(seen, { address: admin ?? caller?.address ?? '', counterparty: contract })],
    { ...settings, ...caller?.metadata },
    caller?.confidence ?? 1,
  )
}

/** The account that deploys a pool becomes its first admin. */
export function deployAction(seen: SeenOf<'factory', 'deploy'>, { operation }: Derivation): Action {
  const { contract, pool } = seen
  const call = operation.calls.find((it) => it.contract === contract && it.function === 'deploy')
  const admin = call === undefined ? undefined : addressesIn(call)[0]
  const caller = callerOf(contract, operation)
  return actionOf(
    seen,
    'admin',
    [leg(seen, { address: admin ?? caller.address, counterparty: pool })],
    { pool, ...(admin === undefined ? caller.metadata : { attribution: 'call' }) },
    admin === undefined ? caller.confidence : 0.9,
  )
}

/** The emitter turns to another backstop: queued, cancelled, done. Any account may call it. */
export function emitterSwapAction(seen: SeenOf<'emitter', 'q_swap' | 'del_swap' | 'swap'>, { operation }: Derivation): Action {
  const { contract, newBackstop, newBackstopToken, unlocksAtSeconds } = seen
  const caller = callerOf(contract, operation)
  return actionOf(
    seen,
    'admin',
    [leg(seen, { address: caller.address, counterparty: newBackstop })],
    {
      new_backstop: newBackstop,
      new_backstop_token: newBackstopToken,
      unlocks_at_seconds: unlocksAtSeconds.toString(),
      ...caller.metadata,
    },
    caller.confidence,
  )
}

/** BLND of a new backstop's drop list: each receiver has it in its feed. */
export function emitterDropAction(seen: SeenOf<'emitter', 'drop'>, { operation }: Derivation): Action {
  const { contract, deployment } = seen
  const receivers = seen.receivers.map(([address, amount]) =>
    leg(seen, { address, counterparty: contract, asset: deployment.blnd, amount, direction: 'out', volume: true }),
  )
  if (receivers.length > 0) return actionOf(seen, 'admin', receivers)
  const caller = callerOf(contract, operation)
  return actionOf(seen, 'admin', [leg(seen, { address: caller.address, counterparty: contract })], caller.metadata, caller.confidence)
}

/** Calls of a pool that change something and emit no event. */
const WITHOUT_EVENT: readonly string[] = ['propose_admin', 'set_emissions_config']

/** An action for each such call: its event index is what follows the operation's events, in the order of the calls. */
export function actionsWithoutEvent({ operation, moment }: Derivation, ownsPool: (pool: ContractId) => boolean): Action[] {
  const done = new Set<string>()
  return operation.calls.flatMap((call) => {
    const deployment = moment.directory.roleOf(call.contract) === 'pool' ? moment.directory.deploymentOf(call.contract) : null
    if (deployment === null || !WITHOUT_EVENT.includes(call.function) || done.has(nameOf(call))) return []
    // An authorised call is in the list twice: as the operation's own, and as root of a tree.
    done.add(nameOf(call))
    const seen = {
      index: operation.eventCount + call.index,
      contract: call.contract,
      owned: ownsPool(call.contract),
      deployment,
      name: call.function,
    }
    const caller = callerOf(call.contract, operation)
    const [proposed] = call.function === 'propose_admin' ? addressesIn(call) : []
    const legs = [leg(seen, { address: caller.address, counterparty: proposed ?? call.contract })]
    const settings = proposed === undefined ? {} : { new_admin: proposed }
    return [actionOf(seen, 'admin', legs, { ...settings, ...caller.metadata }, caller.confidence)]
  })
}

function nameOf(call: CallRecord): string {
  return `${call.contract} ${call.function} ${Buffer.from(call.args).toString('base64')}`
}
