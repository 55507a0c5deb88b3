// The readers that this build has, in the order in which the network's prices are taken from them.

import type { RouteContext } from '../route.ts'
import type { ProtocolReader } from './protocol-reader.ts'
import { soroswapReader } from './soroswap.ts'

/** A protocol without a reader is `missing`: its endpoints answer with nothing, and partial. */
export function readersOf(context: RouteContext): readonly ProtocolReader[] {
  return [soroswapReader(context)]
}
