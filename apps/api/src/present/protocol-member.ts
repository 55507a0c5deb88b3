// The member that names a protocol.

import { z } from 'zod'

/** Not an enumeration: a build may have more protocols than the four, and `/v1` stays open for them. */
export const ProtocolMember = z.string().describe('Protocol id, one of those that `GET /v1/protocols` lists. Protocols may be added.')
