// What the registry names of a deployment of Soroswap.

import { ContractAddress, type DeploymentOf, defineDeployment, LedgerSequence } from '@orrery/protocol-kit'
import { z } from 'zod'

export const deployment = defineDeployment({
  identity: 'factory',
  shape: { factory: ContractAddress, routers: z.array(ContractAddress), from_ledger: LedgerSequence },
})

export interface SoroswapDeployment extends DeploymentOf<typeof deployment> {}

declare module '@orrery/protocol-kit/deployments' {
  interface Deployments {
    readonly soroswap: readonly SoroswapDeployment[]
  }
}
