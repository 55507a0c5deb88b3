// Which contracts of an operation belong to Blend, and to which deployment. Identity decides, never a contract's own data.

import type { Address, ContractId } from '@orrery/ledger'
import type { BlendDeployment } from '@orrery/protocol-kit'
import type { BlendRole } from '../state/contracts.ts'
import type { BlendState } from '../state/state.ts'

export interface Directory {
  /** Null of a contract that is not followed. `oracle`: an oracle, or another contract that is followed for prices. */
  roleOf(contract: Address): BlendRole | null
  /** The deployment of a factory, backstop or pool; of an emitter or a Comet pool the first that names it. Null of every other contract. */
  deploymentOf(contract: Address): BlendDeployment | null
  /** Assets of a pool in the order of their reserve index, as of the ledger's end. */
  assetsOf(pool: ContractId): readonly ContractId[]
}

/** Looks into the state whenever it is asked. */
export function directoryOf({ contracts, pools }: BlendState): Directory {
  return {
    roleOf: (contract) => contracts.get(contract)?.role ?? (pools.has(contract) ? 'pool' : null),
    deploymentOf: (contract) => contracts.get(contract)?.deployment ?? pools.get(contract)?.deployment ?? null,
    assetsOf: (pool) => pools.get(pool)?.reserveList?.value ?? [],
  }
}
