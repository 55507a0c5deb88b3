// What the registry names of a deployment of Blend.

import { ContractAddress, type DeploymentOf, defineDeployment, LedgerSequence } from '@orrery/protocol-kit'
import { z } from 'zod'

const blendDeployment = defineDeployment({
  identity: 'factory',
  shape: {
    version: z.enum(['v1', 'v2']),
    factory: ContractAddress,
    backstop: ContractAddress,
    emitter: ContractAddress,
    blnd: ContractAddress,
    usdc: ContractAddress,
    /** The Comet pool whose LP tokens the backstop holds; it is its own token. */
    backstop_token: ContractAddress,
    from_ledger: LedgerSequence,
  },
})

export { blendDeployment as deployment }

declare module '@orrery/protocol-kit/deployments' {
  interface BlendDeployment extends DeploymentOf<typeof blendDeployment> {}

  interface Deployments {
    readonly blend: readonly BlendDeployment[]
  }
}
