// The readers of the protocols, one for each kind of view, in the order in which the network's prices are taken from them.

import type { Protocol, ProtocolView } from '@orrery/protocol-kit'
import type { RouteContext } from '../route.ts'
import type { ProtocolOf } from '../views.ts'
import { ammReader } from './amm.ts'
import { lendingReader } from './lending.ts'
import type { ProtocolReader } from './protocol-reader.ts'
import { vaultReader } from './vault.ts'

/** A protocol without an adapter has no reader: its endpoints answer with nothing, and partial. */
export function readersOf(context: RouteContext): readonly ProtocolReader[] {
  const built = new Set(context.protocols.map(({ id }) => id))
  return context.shipped.filter(({ id }) => built.has(id)).map((protocol) => readerOf(protocol, context))
}

type Readers = { readonly [Kind in ProtocolView['kind']]: (protocol: ProtocolOf<Kind>, context: RouteContext) => ProtocolReader }

/** A kind without a reader does not compile. */
const READERS: Readers = { amm: ammReader, lending: lendingReader, vault: vaultReader }

function readerOf(protocol: Protocol<unknown>, context: RouteContext): ProtocolReader {
  return READERS[protocol.view.kind](protocol as never, context)
}
