// Who is who: which contracts of an operation are ours, and of which deployment. Identity decides, never what a contract says of itself.

import type { Address, ContractId } from '@orrery/ledger'
import type { BlendDeployment } from '@orrery/protocol-kit'
import type { BlendRole } from '../state/contracts.ts'
import type { BlendState } from '../state/state.ts'

export interface Directory {
  /** Null: none of ours. Oracles and whatever else is followed for prices are `oracle`. */
  roleOf(contract: Address): BlendRole | null
  /** The deployment of a factory, backstop or pool; of an emitter or a Comet pool the first that names it. Null: none of ours. */
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
