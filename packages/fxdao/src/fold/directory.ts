// The role of each contract of an operation, as the state has them at the ledger's end.

import type { ContractId } from '@orrery/ledger'
import { type FxdaoState, stakedAssets } from '../state/state.ts'
import type { LockingPools } from './stake-actions.ts'
import type { FxdaoContracts } from './step.ts'

export interface Directory extends LockingPools {
  /** Null while the vaults are not set up, and where the network has none. */
  readonly contracts: FxdaoContracts | null
  readonly vaults: ContractId
  readonly stakedAssets: ReadonlySet<ContractId>
}

export function directoryOf(state: FxdaoState): Directory {
  const core = state.core?.value
  const vaults = state.vaultsContract
  const coins = new Map([...state.currencies].map(([denomination, { value }]) => [denomination, value.coin]))
  return {
    contracts: core === undefined ? null : { vaults, collateral: core.collateral, treasury: core.treasury, coins },
    vaults,
    lockingPools: new Set(state.locking.keys()),
    stakedAssets: stakedAssets(state),
    rewardsOf: (contract) => state.locking.get(contract)?.rewardsAsset?.value ?? null,
  }
}
