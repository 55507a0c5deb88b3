// The role of each contract: the price sources of the network, and the contracts and tokens that the state names.

import type { ContractId } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import type { FxdaoState } from '../state/state.ts'
import type { LockingPools } from './stake-actions.ts'
import type { FxdaoContracts } from './step.ts'

export interface PriceSources {
  /** Followed for prices only: an oracle or a price pool. */
  isPriceSource(contract: ContractId): boolean
}

/** The contracts and tokens of an operation, as the state has them at the ledger's end. */
export interface Directory extends LockingPools {
  /** Null while the vaults are not set up, and where the network has none. */
  readonly contracts: FxdaoContracts | null
  readonly vaults: ContractId
  /** Assets that are locked or paid as rewards. */
  readonly stakedAssets: ReadonlySet<ContractId>
}

export function priceSourcesOf(network: Network): PriceSources {
  const pricing = pricesOf(network)
  return { isPriceSource: (contract) => network.oracles.some((oracle) => oracle.contract === contract) || pricing.isPricePool(contract) }
}

export function directoryOf(state: FxdaoState): Directory {
  const lockings = [...state.locking.values()]
  const rewardsOf = (contract: ContractId) => state.locking.get(contract)?.rewardsAsset?.value ?? null
  return {
    contracts: contractsOf(state),
    vaults: state.vaultsContract,
    lockingPools: new Set(state.locking.keys()),
    stakedAssets: new Set(lockings.flatMap(({ contract, pools }) => [...pools.keys(), ...[rewardsOf(contract) ?? []].flat()])),
    rewardsOf,
  }
}

/** Tokens and addresses of the vaults, null while they are not set up. */
function contractsOf(state: FxdaoState): FxdaoContracts | null {
  const core = state.core?.value
  if (core === undefined) return null
  return {
    vaults: state.vaultsContract,
    collateral: core.collateral,
    treasury: core.treasury,
    coins: new Map([...state.currencies].map(([denomination, { value }]) => [denomination, value.coin])),
  }
}
