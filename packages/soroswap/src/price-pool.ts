// A Soroswap pair as a source of prices: the ratio of its stored reserves.
// Pricing keeps these facts by itself and alike in every partition, so a pair that serves as price pool is told to all.

import { isInstanceKey } from '@orrery/fold-kit'
import type { EntryRecord } from '@orrery/ledger'
import { constantProductQuote, type PricePoolReader, type Pricing, pricing } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import { readPairInstance } from './entries.ts'

interface Facts {
  readonly tokens: readonly [string, string]
  readonly reserves: readonly [string, string]
}

const pairPriceReader: PricePoolReader = {
  protocol: 'soroswap',

  read(entry: EntryRecord, before) {
    if (!isInstanceKey(entry.key) || entry.value === null) return before
    const instance = readPairInstance(entry.value, entry.contract)
    if (instance === null) return before
    return {
      tokens: [instance.token0, instance.token1],
      reserves: [instance.reserve0.toString(), instance.reserve1.toString()],
    }
  },

  quote(pool, facts) {
    const { tokens, reserves } = facts as unknown as Facts
    return constantProductQuote(pool, tokens, reserves.map(BigInt))
  },
}

const known = new WeakMap<Network, Pricing>()

/** The prices of a network as this protocol sees them. Made once: routing asks for every record. */
export function pricesOf(network: Network): Pricing {
  const made = known.get(network) ?? pricing(network, { readers: [pairPriceReader] })
  known.set(network, made)
  return made
}
