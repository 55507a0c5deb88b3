// The protocols that this build has: the one list that ingest, the adapters, the API and `orrery up` read.
// A protocol that is not in it cannot be named by a registry.

import { aquarius } from '@orrery/aquarius'
import { blend } from '@orrery/blend'
import { fxdao } from '@orrery/fxdao'
import { deploymentsOf, type Network, type Protocol } from '@orrery/protocol-kit'
import { soroswap } from '@orrery/soroswap'

/** In the order in which they are started and named. */
export const PROTOCOLS: readonly Protocol<unknown>[] = [blend, aquarius, soroswap, fxdao]

/** Those of the list that `network` has a deployment of. */
export function protocolsOf(network: Network, protocols: readonly Protocol<unknown>[] = PROTOCOLS): readonly Protocol<unknown>[] {
  return protocols.filter(({ id }) => deploymentsOf(network, id).length > 0)
}
