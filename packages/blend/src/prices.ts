// The prices of a network as Blend sees them. Made once: routing asks for every record.

import { type Pricing, pricing } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'

const known = new WeakMap<Network, Pricing>()

export function pricesOf(network: Network): Pricing {
  const made = known.get(network) ?? pricing(network)
  known.set(network, made)
  return made
}
