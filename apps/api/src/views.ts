// The views of the protocols, bound to one network: what the API computes positions with, now and as of a ledger.

import type { BlendView } from '@orrery/blend'
import type { FxdaoView } from '@orrery/fxdao'
import type { AmmView, Network, Protocol, ProtocolId, ProtocolView } from '@orrery/protocol-kit'

/** What the view of each kind is. Lending and vaults have one protocol each, whose view is that of the kind. */
interface ViewOfKind {
  readonly amm: AmmView<unknown, unknown>
  readonly lending: BlendView
  readonly vault: FxdaoView
}

/** A protocol of one kind. */
export type ProtocolOf<Kind extends ProtocolView['kind']> = Protocol<unknown> & {
  readonly view: Extract<ProtocolView, { readonly kind: Kind }>
}

/** By protocol. Made when a network is bound, and used for every answer of it. */
export type Views = ReadonlyMap<ProtocolId, object>

export function openViews(network: Network, protocols: readonly Protocol<unknown>[]): Views {
  return new Map(protocols.map(({ id, view }) => [id, view.of(network)]))
}

/** The bound view of a protocol of the kind. */
export function viewOf<Kind extends ProtocolView['kind']>(views: Views, { id }: ProtocolOf<Kind>): ViewOfKind[Kind] {
  return views.get(id) as ViewOfKind[Kind]
}
