// What the registry names of a deployment of FxDAO.

import { ContractAddress, type DeploymentOf, defineDeployment, LedgerSequence } from '@orrery/protocol-kit'
import { z } from 'zod'

export const deployment = defineDeployment({
  identity: 'vaults',
  shape: { vaults: ContractAddress, locking_pools: z.array(ContractAddress), from_ledger: LedgerSequence },
})

export interface FxdaoDeployment extends DeploymentOf<typeof deployment> {}

declare module '@orrery/protocol-kit/deployments' {
  interface Deployments {
    readonly fxdao: readonly FxdaoDeployment[]
  }
}
