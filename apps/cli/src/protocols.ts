// The protocols that this build has, and which of them a network deploys. A protocol without a package is `missing` to the API.

import type { Network, Protocol, ProtocolId } from '@orrery/protocol-kit'
import { soroswap } from '@orrery/soroswap'

type AnyProtocol = Protocol<unknown>

const REGISTERED: readonly AnyProtocol[] = [soroswap as AnyProtocol]

export const registeredProtocols = (): readonly ProtocolId[] => REGISTERED.map(({ id }) => id)

export function protocolsOf(network: Network): readonly AnyProtocol[] {
  return REGISTERED.filter(({ id }) => network.deployments[id].length > 0)
}
