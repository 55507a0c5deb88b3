// Contracts of a protocol that are no pools: factories, routers, backstops. What they store is about all pools.

import type { Network, Protocol, ProtocolId } from '@orrery/protocol-kit'
import { protocolsOf } from './protocols.ts'

/** By protocol, the contracts that the network's registry names, without its pools. For the read model. */
export function sharedContractsOf(network: Network, protocols?: readonly Protocol<unknown>[]): (protocol: ProtocolId) => readonly string[] {
  const shared = new Map(protocolsOf(network, protocols).map((protocol) => [protocol.id, sharedContracts(protocol, network)]))
  return (protocol) => shared.get(protocol) ?? []
}

function sharedContracts({ id, routing }: Protocol<unknown>, network: Network): string[] {
  const pools = new Set(
    [...network.knownPools, ...network.pricePools].filter((pool) => pool.protocol === id).map(({ contract }) => contract),
  )
  return routing.roots(network).flatMap(({ contract }) => (pools.has(contract) ? [] : [contract]))
}
