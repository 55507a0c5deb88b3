// The protocols that Orrery knows, and the number that each carries inside sort keys.

export const PROTOCOL_IDS = ['blend', 'aquarius', 'soroswap', 'fxdao'] as const
export type ProtocolId = (typeof PROTOCOL_IDS)[number]

/** The number of a protocol in the high bits of `row`. Never reused, never changed: stored keys contain it. */
export const PROTOCOL_NUMBER: Readonly<Record<ProtocolId, number>> = { blend: 1, aquarius: 2, soroswap: 3, fxdao: 4 }

/** Partitions of a protocol's topic unless its operator chose otherwise. FxDAO's vault list is global: always one. */
export const DEFAULT_PARTITIONS: Readonly<Record<ProtocolId, number>> = { blend: 4, aquarius: 4, soroswap: 4, fxdao: 1 }

/** Whether text from outside (a path, a row) names one of them. */
export function isProtocolId(value: string): value is ProtocolId {
  return (PROTOCOL_IDS as readonly string[]).includes(value)
}
