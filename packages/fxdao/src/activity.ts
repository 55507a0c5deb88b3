// What an operation did with FxDAO's contracts: steps of vaults, stakes, administration. And what it left unexplained.

import type { Action, OperationRecords, Unused } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { callsOf, type SeenCall } from './calls.ts'
import { DECIMALS } from './entries.ts'
import { type StakeMovement, stakeOfCall } from './locking-legs.ts'
import { movesOf, Unclaimed } from './money.ts'
import { netChanges } from './net-changes.ts'
import type { Setting, Step } from './step.ts'
import { tellSteps } from './steps.ts'
import { actionOf } from './vault-legs.ts'

/** Who is who among the contracts of an operation. */
export interface Directory {
  /** Null while the vaults are not set up, and where the network has none. */
  readonly setting: Setting | null
  readonly vaults: ContractId
  readonly lockingPools: ReadonlySet<ContractId>
  /** Assets that are locked or paid as rewards. */
  readonly stakedAssets: ReadonlySet<ContractId>
  rewardsOf(lockingPool: ContractId): ContractId | null
}

export interface Derived {
  readonly actions: readonly Action[]
  readonly steps: readonly Step[]
  readonly stakes: readonly StakeMovement[]
  readonly unused: readonly Unused[]
}

export function deriveActions(operation: OperationRecords, directory: Directory): Derived {
  const { setting, vaults, lockingPools } = directory
  const calls = callsOf(operation, vaults, lockingPools)
  const actions: Action[] = []
  const steps: Step[] = []
  const stakes: StakeMovement[] = []
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
    actions.push(...told.steps.map((step) => actionOf(step, setting)))
    for (const { denomination } of told.unexplained) {
      unused.push({ contract: vaults, reason: `a vault of ${denomination} changed in a way that no call or token tells`, expected: false })
    }
  }
  const unclaimed = new Unclaimed(movesOf(operation, directory.stakedAssets))
  for (const seen of calls) {
    if (seen.call.name === 'admin') actions.push(adminAction(seen, operation))
    else if (seen.call.name === 'read') unused.push({ contract: seen.contract, reason: 'read', expected: true })
    else if (seen.call.name === 'unknown') {
      unused.push({ contract: seen.contract, reason: `unknown function ${seen.function.replace(/\W/g, '?')}`, expected: false })
    } else if (seen.contract !== vaults) {
      const told = stakeOfCall(seen, unclaimed, operation, directory.rewardsOf(seen.contract))
      if (told !== null) actions.push(told.action)
      if (told?.movement) stakes.push(told.movement)
    }
  }
  return { actions: actions.sort((a, b) => a.eventIndex - b.eventIndex), steps, stakes, unused }
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
