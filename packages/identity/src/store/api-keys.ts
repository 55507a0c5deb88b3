// API keys: found by prefix, checked by hash. The key itself is returned once and stored nowhere.

import type { Kysely, Selectable } from 'kysely'
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import { hashOf, makeApiKey, prefixOf } from '../api-key.ts'
import type { ApiKeyRecord, Identity } from '../identity.ts'
import { STREAMS_AT_ONCE } from '../plans.ts'
import { SCOPES, type Scope } from '../scopes.ts'
import type { AuditLog } from './audit-log.ts'
import { check } from './check.ts'
import { checkedName, requestsPerMinuteOf } from './organizations.ts'
import type { Tables } from './tables.ts'

type ApiKeys = Pick<Identity, 'addApiKey' | 'apiKeys' | 'revokeApiKey' | 'keyByPrefix' | 'recordUses'>

/** `last_used_at` is exact to a minute, over all instances. */
const USE_NOTED_EVERY_MS = 60_000

export function apiKeysIn(db: Kysely<Tables>, log: AuditLog, now: () => number): ApiKeys {
  return {
    async addApiKey({ organizationId, name, scopes, expiresAtMs, key = makeApiKey() }, by) {
      const prefix = prefixOf(key)
      check(prefix !== null, 'invalid_api_key', 'The text is not an API key of ours.')
      check(scopes.length > 0, 'invalid_scopes', 'A key without a scope would open nothing.')
      check(
        scopes.every((scope) => SCOPES.includes(scope)),
        'invalid_scopes',
        `A scope is one of: ${SCOPES.join(', ')}.`,
      )
      const row = {
        id: uuidv7(),
        organization_id: organizationId,
        name: checkedName(name),
        prefix,
        hash: hashOf(key),
        scopes: JSON.stringify(scopes),
        created_at_ms: now(),
        last_used_at_ms: null,
        expires_at_ms: expiresAtMs,
        revoked_at_ms: null,
      }
      await log.withAudit(by, async (tx) => {
        await tx.insertInto('api_keys').values(row).execute()
        const details = { name: row.name, prefix, scopes, expires_at_ms: expiresAtMs }
        return { result: undefined, event: { organizationId, action: 'api_key.create', target: row.id, details } }
      })
      return { key, record: recordOf(row) }
    },

    async apiKeys(organizationId) {
      // UUIDv7 sorts by time of making.
      const rows = await db.selectFrom('api_keys').selectAll().where('organization_id', '=', organizationId).orderBy('id').execute()
      return rows.map(recordOf)
    },

    async revokeApiKey(organizationId, id, by) {
      // Text that is not an id matches no key; PostgreSQL would reject some of it.
      if (!isUuid(id)) return null
      return log.withAudit(by, async (tx) => {
        const revokedAtMs = now()
        // A second revocation keeps the time of the first.
        const row = await tx
          .updateTable('api_keys')
          .set((eb) => ({ revoked_at_ms: eb.fn.coalesce('revoked_at_ms', eb.val(revokedAtMs)) }))
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) return { result: null, event: null }
        const event = { organizationId, action: 'api_key.revoke', target: id, details: { prefix: row.prefix } }
        return { result: recordOf(row), event }
      })
    },

    async keyByPrefix(prefix) {
      const row = await db
        .selectFrom('api_keys as k')
        .innerJoin('organizations as o', 'o.id', 'k.organization_id')
        .select(['k.id', 'k.hash', 'k.scopes', 'k.last_used_at_ms', 'k.expires_at_ms', 'k.revoked_at_ms'])
        .select(['k.organization_id', 'o.slug', 'o.plan', 'o.requests_per_minute'])
        .where('k.prefix', '=', prefix)
        .executeTakeFirst()
      if (row === undefined) return null
      return {
        hash: row.hash,
        lastUsedAtMs: row.last_used_at_ms,
        expiresAtMs: row.expires_at_ms,
        revokedAtMs: row.revoked_at_ms,
        caller: {
          apiKeyId: row.id,
          scopes: scopesOf(row.scopes),
          organizationId: row.organization_id,
          organizationSlug: row.slug,
          requestsPerMinute: requestsPerMinuteOf(row),
          streamsAtOnce: STREAMS_AT_ONCE[row.plan],
        },
      }
    },

    async recordUses(apiKeyIds, atMs) {
      if (apiKeyIds.length === 0) return
      await db
        .updateTable('api_keys')
        .set({ last_used_at_ms: atMs })
        .where('id', 'in', apiKeyIds)
        .where((eb) => eb.or([eb('last_used_at_ms', 'is', null), eb('last_used_at_ms', '<=', atMs - USE_NOTED_EVERY_MS)]))
        .execute()
    },
  }
}

function recordOf(row: Selectable<Tables['api_keys']>): ApiKeyRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    prefix: row.prefix,
    scopes: scopesOf(row.scopes),
    createdAtMs: row.created_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
  }
}

function scopesOf(json: string): readonly Scope[] {
  return JSON.parse(json) as Scope[]
}
