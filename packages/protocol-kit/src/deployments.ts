// Deployments by protocol. A module of its own, so that each protocol's package can declare its member of it
// (`declare module '@orrery/protocol-kit/deployments'`) and read it with its type.

import type { Deployment } from './deployment.ts'
import type { ProtocolId } from './protocol-id.ts'

/** A network has the members of the protocols that its registry was read with; without a deployment the member is empty. */
export interface Deployments {
  readonly [protocol: ProtocolId]: readonly object[]
}

/** The deployments of a protocol that is not known by its type. None where the registry was read without the protocol. */
export function deploymentsOf({ deployments }: { readonly deployments: Deployments }, protocol: ProtocolId): readonly Deployment[] {
  return (deployments[protocol] ?? []) as readonly Deployment[]
}
