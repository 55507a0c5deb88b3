// The actions of an operation on FxDAO's contracts: steps of vaults, stakes, administration; and changes that stay unexplained.

import type { Action, OperationRecords, Unused } from '@orrery/fold-kit'
import { callsOf, type SeenCall } from '../chain/calls.ts'
import type { Directory } from './directory.ts'
import { stakeAction } from './locking-legs.ts'
import { movesOf } from './money.ts'
import { ownLeg } from './own-leg.ts'
import { netChanges } from './running-vaults.ts'
import { inferStakeActions, type StakeAction } from './stake-actions.ts'
import type { Step } from './step.ts'
import { inferSteps } from './steps.ts'
import { actionOf } from './vault-legs.ts'

export interface Derived {
  readonly actions: readonly Action[]
  readonly steps: readonly Step[]
  readonly stakes: readonly StakeAction[]
  readonly unused: readonly Unused[]
}

export function deriveActions(operation: OperationRecords, directory: Directory): Derived {
  const { contracts, vaults, lockingPools } = directory
  const calls = callsOf(operation, vaults, lockingPools)
  const actions: Action[] = []
  const steps: Step[] = []
  const unused: Unused[] = []
  const changes = netChanges(operation, vaults)

  if (contracts === null) {
    if (changes.length > 0) unused.push({ contract: vaults, reason: 'vaults changed before their settings are known', expected: false })
  } else {
    const inferred = inferSteps(
      calls.filter(({ contract, call }) => contract === vaults && call.name !== 'admin' && call.name !== 'read'),
      movesOf(operation, new Set([contracts.collateral, ...contracts.coins.values()])),
      changes,
      { events: operation.events.length, calls: operation.calls.length },
      contracts,
    )
    steps.push(...inferred.steps)
    actions.push(...inOrder(inferred.steps.map((step) => actionOf(step, contracts))))
    for (const { denomination } of inferred.unexplained) {
      unused.push({ contract: vaults, reason: `a vault of ${denomination} changed in a way that no call or token tells`, expected: false })
    }
  }
  const stakes = inferStakeActions(operation, calls, movesOf(operation, directory.stakedAssets), directory)
  actions.push(...inOrder(stakes.map((stake) => stakeAction(stake, operation.events.length))))
  for (const seen of calls) {
    if (seen.call.name === 'admin') actions.push(adminAction(seen, operation))
    else if (seen.call.name === 'read') unused.push({ contract: seen.contract, reason: 'read', expected: true })
    else if (seen.call.name === 'unknown') {
      unused.push({ contract: seen.contract, reason: `unknown function ${seen.function.replace(/\W/g, '?')}`, expected: false })
    }
  }
  return { actions: actions.sort((a, b) => a.eventIndex - b.eventIndex), steps, stakes, unused }
}

/** Actions in the order in which they happened, at the event indexes that they have together: two authorisations have no order of their own. */
function inOrder(actions: readonly Action[]): Action[] {
  const places = actions.map(({ eventIndex }) => eventIndex).sort((a, b) => a - b)
  return actions.map((action, n) => ({ ...action, eventIndex: places[n] ?? action.eventIndex }))
}

/** Set-up and administration, attributed to the authoriser. */
function adminAction({ contract, authorizer, function: name, index }: SeenCall, { transaction, events }: OperationRecords): Action {
  const address = authorizer ?? transaction.source
  return {
    type: 'admin',
    eventIndex: events.length + index,
    confidence: 1,
    metadata: { event: name },
    legs: [ownLeg({ contract, address, counterparty: contract, asset: '', amount: 0n, direction: '', volume: false })],
  }
}
