// The `{id}` of a protocol's endpoints. Any text is accepted at first, so that query parameters are checked before an unknown protocol gets 404.

import { isProtocolId, PROTOCOL_IDS, type ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import { refuse } from '../errors.ts'

export const ProtocolPath = z.strictObject({ id: z.string().describe(`One of ${PROTOCOL_IDS.join(', ')}.`) })

/** @throws 404. */
export function knownProtocol(id: string): ProtocolId {
  if (isProtocolId(id)) return id
  throw refuse(
    'not_found',
    `There is no protocol \`${id.slice(0, 64)}\`. Use one of ${PROTOCOL_IDS.map((known) => `\`${known}\``).join(', ')}.`,
  )
}
