// The readers of the protocols that this build has, in the order in which the network's prices are taken from them.

import type { RouteContext } from '../route.ts'
import { aquariusReader } from './aquarius.ts'
import { blendReader } from './blend.ts'
import { fxdaoReader } from './fxdao.ts'
import type { ProtocolReader } from './protocol-reader.ts'
import { soroswapReader } from './soroswap.ts'

/** A protocol without an adapter has no reader: its endpoints answer with nothing, and partial. */
export function readersOf(context: RouteContext): readonly ProtocolReader[] {
  const built = new Set(context.protocols.map(({ id }) => id))
  return [blendReader(context), aquariusReader(context), soroswapReader(context), fxdaoReader(context)].filter(({ protocol }) =>
    built.has(protocol),
  )
}
