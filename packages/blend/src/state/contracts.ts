// Which contracts the registry names, and what they are. Identity decides, never a contract's own data.

import type { ContractId } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import type { BlendDeployment, Network } from '@orrery/protocol-kit'

export type BlendRole = 'factory' | 'backstop' | 'emitter' | 'comet' | 'pool' | 'oracle'

/** A contract of the registry. Pools are in the state instead. */
export interface RegisteredContract {
  /** `oracle`: an oracle, or another contract that is followed for prices. */
  readonly role: Exclude<BlendRole, 'pool'>
  /** Of an emitter or a Comet pool the first that names it. Null of an oracle. */
  readonly deployment: BlendDeployment | null
}

export function registeredContracts(network: Network): ReadonlyMap<ContractId, RegisteredContract> {
  const contracts = new Map<ContractId, RegisteredContract>()
  const add = (contract: ContractId, registered: RegisteredContract) => {
    if (!contracts.has(contract)) contracts.set(contract, registered)
  }
  for (const deployment of network.deployments.blend) {
    add(deployment.factory, { role: 'factory', deployment })
    add(deployment.backstop, { role: 'backstop', deployment })
    add(deployment.emitter, { role: 'emitter', deployment })
    add(deployment.backstopToken, { role: 'comet', deployment })
  }
  for (const { contract } of pricesOf(network).roots('blend')) add(contract, { role: 'oracle', deployment: null })
  return contracts
}
