// The readers of protocol state, bound to one network: what the API computes current and as-of positions with.
// A protocol that is not in here is shown as `missing`.

import { type AquariusView, aquariusView } from '@orrery/aquarius'
import { type BlendView, blendView } from '@orrery/blend'
import { type FxdaoView, fxdaoView } from '@orrery/fxdao'
import type { Network } from '@orrery/protocol-kit'
import { type SoroswapView, soroswapView } from '@orrery/soroswap'

export interface Views {
  readonly blend: BlendView
  readonly aquarius: AquariusView
  readonly soroswap: SoroswapView
  readonly fxdao: FxdaoView
}

export function openViews(network: Network): Views {
  return { blend: blendView(network), aquarius: aquariusView(network), soroswap: soroswapView(network), fxdao: fxdaoView(network) }
}
