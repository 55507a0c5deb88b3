// The protocols that this build has, and which of them a network deploys. A protocol without a package is `missing` to the API.

import type { Network, Protocol } from '@orrery/protocol-kit'
import { soroswap } from '@orrery/soroswap'

const REGISTERED: readonly Protocol<unknown>[] = [soroswap]

export function protocolsOf(network: Network): readonly Protocol<unknown>[] {
  return REGISTERED.filter(({ id }) => network.deployments[id].length > 0)
}
