// What an operation did with FxDAO's contracts: steps of vaults, stakes, administration. And what it left unexplained.

import type { Action, OperationRecords, Unused } from '@orrery/fold-kit'
import { callsOf, type SeenCall } from '../chain/calls.ts'
import { DECIMALS } from '../chain/entries.ts'
import type { Directory } from './directory.ts'
import { stakeAction } from './locking-legs.ts'
import { movesOf } from './money.ts'
import { netChanges } from './net-changes.ts'
import type { Step } from './step.ts'
import { tellSteps } from './steps.ts'
import { type ToldStake, tellStakes } from './tell-stakes.ts'
import { actionOf } from './vault-legs.ts'

export interface Derived {
  readonly actions: readonly Action[]
  readonly steps: readonly Step[]
  readonly stakes: readonly ToldStake[]
  readonly unused: readonly Unused[]
}

export function deriveActions(operation: OperationRecords, directory: Directory): Derived {
  const { setting, vaults, lockingPools } = directory
  const calls = callsOf(operation, vaults, lockingPools)
  const actions: Action[] = []
  const steps: Step[] = []
  const unused: Unused[] = []
  const changes = netChanges(operation, vaults)

  if (setting === null) {
    if (changes.length > 0) unused.push({ contract: vaults, reason: 'vaults changed before their settings are known', expected: false })
  } else {
    const told = tellSteps(
      calls.filter(({ contract, call }) => contract === vaults && call.name !== 'admin' && call.name !== 'read'),
      movesOf(operation, new Set([setting.collateral, ...setting.coins.values()])),
      changes,
      { events: operation.events.length, calls: operation.calls.length },
      setting,
    )
    steps.push(...told.steps)
    actions.push(...inOrder(told.steps.map((step) => actionOf(step, setting))))
    for (const { denomination } of told.unexplained) {
      unused.push({ contract: vaults, reason: `a vault of ${denomination} changed in a way that no call or token tells`, expected: false })
    }
  }
  const stakes = tellStakes(operation, calls, movesOf(operation, directory.stakedAssets), directory)
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

/** Actions as they happened, each at the place of one of them: what two accounts authorised stands in no order. */
function inOrder(actions: readonly Action[]): Action[] {
  const places = actions.map(({ eventIndex }) => eventIndex).sort((a, b) => a - b)
  return actions.map((action, n) => ({ ...action, eventIndex: places[n] ?? action.eventIndex }))
}

/** Set-up and administration: of whoever authorised it. */
function adminAction(seen: SeenCall, { transaction, events }: OperationRecords): Action {
  return {
    type: 'admin',
    eventIndex: events.length + seen.index,
    confidence: 1,
    metadata: { event: seen.function },
    legs: [
      {
        owned: true,
        contract: seen.contract,
        address: seen.authorizer ?? transaction.source,
        counterparty: seen.contract,
        asset: '',
        amount: 0n,
        shares: 0n,
        shareType: '',
        shareDecimals: DECIMALS,
        direction: '',
        volume: false,
        counts: true,
      },
    ],
  }
}
