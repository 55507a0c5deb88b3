// A factory names its pools; a pool's records are its own partition's.

import { pricesOf } from '@orrery/pricing'
import { CONTEXT_ONLY, deploymentsOf, type Network, OWNED, OWNED_AND_SHARED, type ProtocolRouting } from '@orrery/protocol-kit'
import { readNewPool } from './chain.ts'

export function factoriesOf(network: Network): readonly string[] {
  return deploymentsOf(network, 'toyswap').map((deployment) => (deployment as typeof deployment & { readonly factory: string }).factory)
}

export const routing: ProtocolRouting = {
  protocol: 'toyswap',
  roots: (network) => [
    ...factoriesOf(network).map((contract) => tracked('factory', contract, network.firstLedger)),
    ...pricesOf(network).roots('toyswap'),
  ],
  discover(record, { role, fromLedger }) {
    const made = role === 'factory' && record.kind === 'event' ? readNewPool(record) : null
    return made === null ? [] : [tracked('pool', made.pool, fromLedger)]
  },
  // Every partition knows which pools there are.
  route(record, source, network) {
    if (source.role === 'factory') return OWNED_AND_SHARED
    return source.role === 'pool' ? OWNED : (pricesOf(network).route(record, source) ?? CONTEXT_ONLY)
  },
  bootstrap: (source, read, network) => pricesOf(network).bootstrap(source, read),
}

function tracked(role: string, contract: string, fromLedger: number) {
  return { protocol: 'toyswap', contract, role, home: contract, balances: [], fromLedger }
}
