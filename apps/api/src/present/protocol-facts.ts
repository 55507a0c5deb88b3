// Display name and position types of each protocol.

import type { ProtocolId } from '@orrery/protocol-kit'

export interface ProtocolFacts {
  readonly displayName: string
  readonly positionTypes: readonly string[]
}

export const PROTOCOL_FACTS: Readonly<Record<ProtocolId, ProtocolFacts>> = {
  blend: { displayName: 'Blend', positionTypes: ['supply', 'collateral', 'liability', 'backstop'] },
  aquarius: { displayName: 'Aquarius', positionTypes: ['lp'] },
  soroswap: { displayName: 'Soroswap', positionTypes: ['lp'] },
  fxdao: { displayName: 'FxDAO', positionTypes: ['collateral', 'liability', 'supply', 'vault'] },
}
