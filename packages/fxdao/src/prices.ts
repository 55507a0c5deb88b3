// The prices of a network as FxDAO sees them: its own feed first, then whatever the registry names.

import { type Pricing, pricing } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'

const known = new WeakMap<Network, Pricing>()

/** Made once for a network: routing asks for every record. */
export function pricesOf(network: Network): Pricing {
  const made = known.get(network) ?? pricing(network)
  known.set(network, made)
  return made
}
