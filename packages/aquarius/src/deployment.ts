// What the registry names of a deployment of Aquarius.

import { ContractAddress, type DeploymentOf, defineDeployment, LedgerSequence } from '@orrery/protocol-kit'

const optional = ContractAddress.nullable().default(null)

export const deployment = defineDeployment({
  identity: 'router',
  shape: {
    router: ContractAddress,
    /** AQUA, which rewards are paid in. Null where it is not known: the pools' own state names it then. */
    reward_token: optional,
    /** Locked by accounts to boost their rewards. */
    boost_token: optional,
    boost_feed: optional,
    from_ledger: LedgerSequence,
  },
})

export interface AquariusDeployment extends DeploymentOf<typeof deployment> {}

declare module '@orrery/protocol-kit/deployments' {
  interface Deployments {
    readonly aquarius: readonly AquariusDeployment[]
  }
}
