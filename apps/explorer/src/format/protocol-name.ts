// Protocols by name, so that a list of pools needs no further request.

import { labelOf } from './address.ts'

/** By id, in the order in which filters show them. */
export const PROTOCOL_NAMES = { blend: 'Blend', aquarius: 'Aquarius', soroswap: 'Soroswap', fxdao: 'FxDAO' } as const

/** Protocols with debts: only their positions have a health factor. */
export const DEBT_PROTOCOL_NAMES = { blend: PROTOCOL_NAMES.blend, fxdao: PROTOCOL_NAMES.fxdao } as const

export type ProtocolId = keyof typeof PROTOCOL_NAMES

export function isProtocolId(id: string): id is ProtocolId {
  return Object.hasOwn(PROTOCOL_NAMES, id)
}

/** A protocol that this build does not know has its id as the name. */
export function protocolName(id: string): string {
  return isProtocolId(id) ? PROTOCOL_NAMES[id] : labelOf(id)
}
