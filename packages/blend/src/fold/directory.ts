// Who is who: which contracts of an operation are ours, and of which deployment. Identity decides, never what a contract says of itself.

import type { Address, ContractId } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import type { BlendDeployment, Network } from '@orrery/protocol-kit'
import type { BlendState } from '../state/state.ts'

export type BlendRole = 'factory' | 'backstop' | 'emitter' | 'comet' | 'pool' | 'oracle'

export interface Directory {
  /** Null: none of ours. Oracles and whatever else is followed for prices are `oracle`. */
  roleOf(contract: Address): BlendRole | null
  /** The deployment of a factory, backstop or pool; of an emitter or a Comet pool the first that names it. Null: none of ours. */
  deploymentOf(contract: Address): BlendDeployment | null
  /** Assets of a pool in the order of their reserve index, as of the ledger's end. */
  assetsOf(pool: ContractId): readonly ContractId[]
}

export type DirectoryOf = (state: BlendState) => Directory

/** The directory of a network: everything but pools stands in its registry, pools in the state. */
export function directoryFor(network: Network): DirectoryOf {
  const fixed = new Map<string, { readonly role: BlendRole; readonly deployment: BlendDeployment | null }>()
  const add = (contract: ContractId, role: BlendRole, deployment: BlendDeployment | null) => {
    if (!fixed.has(contract)) fixed.set(contract, { role, deployment })
  }
  for (const deployment of network.deployments.blend) {
    add(deployment.factory, 'factory', deployment)
    add(deployment.backstop, 'backstop', deployment)
    add(deployment.emitter, 'emitter', deployment)
    add(deployment.backstopToken, 'comet', deployment)
  }
  for (const { contract } of pricesOf(network).roots('blend')) add(contract, 'oracle', null)
  return (state) => ({
    roleOf: (contract) => fixed.get(contract)?.role ?? (state.pools.has(contract) ? 'pool' : null),
    deploymentOf: (contract) => fixed.get(contract)?.deployment ?? state.pools.get(contract)?.deployment ?? null,
    assetsOf: (pool) => state.pools.get(pool)?.reserveList?.value ?? [],
  })
}
