// A registry that lacks an oracle and a price pool of the recording's registry, so that the complete one is a registry that has grown.

import type { Network } from '@orrery/protocol-kit'

export interface SmallerRegistry {
  readonly smaller: Network
  /** The oracle that it lacks. It stores no prices: it reads two feeds, which remain. Its instance is written once, in the first ledgers. */
  readonly aggregator: string
  /** The price pool that it lacks. */
  readonly pool: string
}

export function smallerRegistry(network: Network): SmallerRegistry {
  const aggregator = network.oracles.find(({ kind }) => kind === 'oracle_aggregator')?.contract ?? ''
  const pool = network.pricePools.find(({ protocol }) => protocol === 'soroswap')?.contract ?? ''
  const smaller = {
    ...network,
    oracles: network.oracles.filter(({ contract }) => contract !== aggregator),
    pricePools: network.pricePools.filter(({ contract }) => contract !== pool),
  }
  return { smaller, aggregator, pool }
}
