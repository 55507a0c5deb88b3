// The readers of protocol state, bound to one network: what the API computes current and as-of positions with.
// A protocol that is not in here is shown as `missing`.

import type { Network } from '@orrery/protocol-kit'
import { soroswapView } from '@orrery/soroswap'

export interface Views {
  readonly soroswap: ReturnType<typeof soroswapView>
}

export function openViews(network: Network): Views {
  return { soroswap: soroswapView(network) }
}
