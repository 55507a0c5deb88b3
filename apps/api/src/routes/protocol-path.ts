// The `{id}` of a protocol's endpoints. Any text is accepted at first, so that query parameters are checked before an unknown protocol gets 404.

import type { Protocol, ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import { refuse } from '../errors.ts'
import type { RouteContext } from '../route.ts'

export function protocolPath(protocols: readonly Protocol<unknown>[]) {
  return z.strictObject({ id: z.string().describe(`One of ${protocols.map(({ id }) => id).join(', ')}.`) })
}

/** The member `protocol_id` of answers: one of the protocols of the build. */
export function protocolId(protocols: readonly Protocol<unknown>[]) {
  return z.enum(protocols.map(({ id }) => id)).describe('Protocol id.')
}

/** @throws 404. */
export function knownProtocol(id: string, { shipped }: RouteContext): ProtocolId {
  if (shipped.some((known) => known.id === id)) return id
  throw refuse(
    'not_found',
    `There is no protocol \`${id.slice(0, 64)}\`. Use one of ${shipped.map((known) => `\`${known.id}\``).join(', ')}.`,
  )
}

/** The protocols of this build among `ids`, in their order. */
export function protocolsAmong(ids: Iterable<string>, { shipped }: RouteContext): readonly ProtocolId[] {
  const named = new Set(ids)
  return shipped.flatMap(({ id }) => (named.has(id) ? [id] : []))
}
