// An API key as listings show it: never the key itself.

import type { ApiKeyRecord } from '@orrery/identity'
import { z } from 'zod'
import { Timestamp } from '../present/timestamp.ts'
import { timeOf, timeOrNull } from './time.ts'

export const ApiKeyItem = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('`ory_` and 8 characters: the leading part of the key.'),
    scopes: z.array(z.string()),
    revoked: z.boolean(),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().describe('To the minute; null for a key that was never used.'),
    expires_at: Timestamp.nullable(),
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
