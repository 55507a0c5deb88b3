// Names that the endpoints of a protocol are made with.

import type { ProtocolId } from '@orrery/protocol-kit'
import type { ProtocolOf } from '../views.ts'

/** `soroswap` is `Soroswap`: the beginning of the names of its schemas. */
export function schemaName(protocol: ProtocolId): string {
  return `${protocol.charAt(0).toUpperCase()}${protocol.slice(1)}`
}

export function stabilityOf({ view }: ProtocolOf<'amm' | 'lending' | 'vault'>, page: 'positions' | 'history'): 'stable' | 'experimental' {
  return view.experimental.includes(page) ? 'experimental' : 'stable'
}
