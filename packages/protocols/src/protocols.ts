// The protocols that this build has: the one list that ingest, the adapters, the API and `orrery up` read.
// A protocol that is not in it is `missing` to the API.

import { aquarius } from '@orrery/aquarius'
import { blend } from '@orrery/blend'
import { fxdao } from '@orrery/fxdao'
import type { Network, Protocol } from '@orrery/protocol-kit'
import { soroswap } from '@orrery/soroswap'

/** In the order in which they are started and named. */
export const PROTOCOLS: readonly Protocol<unknown>[] = [blend, aquarius, soroswap, fxdao]

/** Those that `network` has a deployment of. */
export function protocolsOf(network: Network): readonly Protocol<unknown>[] {
  return PROTOCOLS.filter(({ id }) => network.deployments[id].length > 0)
}
