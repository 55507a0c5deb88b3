// An API key in a list: never the key itself.

import type { ApiKeyRecord } from '@orrery/identity'
import { z } from 'zod'
import { Timestamp } from '../present/timestamp.ts'
import { timeOf, timeOrNull } from './time.ts'

export const ApiKeyItem = z
  .strictObject({
    id: z.string().describe('Id of the key, for `DELETE /v1/org/api-keys/{id}`.'),
    name: z.string().describe('Name that was given at its creation.'),
    prefix: z.string().describe('The first characters of the key: `ory_` and 8 characters.'),
    scopes: z.array(z.string()).describe('What the key permits, such as `data:read`.'),
    revoked: z.boolean().describe('True if the key was revoked.'),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().describe('Time of the last use, to the minute: RFC 3339, UTC. Null if the key was never used.'),
    expires_at: Timestamp.nullable().describe('Time from which the key is refused: RFC 3339, UTC. Null if it does not expire.'),
  })
  .meta({ id: 'ApiKey' })

export function apiKeyItem(record: ApiKeyRecord): z.input<typeof ApiKeyItem> {
  return {
    id: record.id,
    name: record.name,
    prefix: record.prefix,
    scopes: [...record.scopes],
    revoked: record.revokedAtMs !== null,
    created_at: timeOf(record.createdAtMs),
    last_used_at: timeOrNull(record.lastUsedAtMs),
    expires_at: timeOrNull(record.expiresAtMs),
  }
}
