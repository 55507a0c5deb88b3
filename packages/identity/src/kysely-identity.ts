// Identity on any SQL database that kysely speaks: the statements are the same, only the dialect differs.
// Each promise is one statement, so no call can be seen half done and no transaction is needed.

import { OrreryError } from '@orrery/errors'
import type { Kysely, Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { hashOf, makeApiKey, prefixOf, sameHash } from './api-key.ts'
import type { ApiKeyRecord, Identity, Organization, User } from './identity.ts'
import { hashPassword, matchesPassword } from './password.ts'
import { REQUESTS_PER_MINUTE } from './plans.ts'
import type { Tables } from './tables.ts'

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** `last_used_at` says when within a minute: a write for every request would make each read wait for the disk. */
const LAST_USED_EVERY_MS = 60_000
const NO_HASH = '0'.repeat(64)

export function kyselyIdentity(db: Kysely<Tables>, now: () => number): Identity {
  return {
    async addOrganization({ slug, name, plan }) {
      check(SLUG.test(slug), 'invalid_organization_slug', 'A slug has 1 to 63 of a-z, 0-9 and -, and neither begins nor ends with -.')
      const trimmed = checkedName(name)
      const row = { id: uuidv7(), slug, name: trimmed, plan, requests_per_minute: null, created_at_ms: now() }
      await db
        .insertInto('organizations')
        .values(row)
        .onConflict((conflict) => conflict.column('slug').doNothing())
        .execute()
      const stored = await db.selectFrom('organizations').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow()
      return { organization: organizationOf(stored), reused: stored.id !== row.id }
    },

    async organizationBySlug(slug) {
      const row = await db.selectFrom('organizations').selectAll().where('slug', '=', slug).executeTakeFirst()
      return row === undefined ? null : organizationOf(row)
    },

    async overrideRateLimit(organizationId, requestsPerMinute) {
      const good = requestsPerMinute === null || (Number.isSafeInteger(requestsPerMinute) && requestsPerMinute > 0)
      check(good, 'invalid_rate_limit', 'A rate limit is a whole number of requests a minute above 0, or null for the plan’s.')
      await db.updateTable('organizations').set({ requests_per_minute: requestsPerMinute }).where('id', '=', organizationId).execute()
    },

    async addApiKey({ organizationId, name, scopes, expiresAtMs, key = makeApiKey() }) {
      const prefix = prefixOf(key)
      check(prefix !== null, 'invalid_api_key', 'The text is not an API key of ours.')
      check(scopes.length > 0, 'invalid_scopes', 'A key without a scope would open nothing.')
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
      await db.insertInto('api_keys').values(row).execute()
      return { key, record: recordOf(row) }
    },

    async apiKeys(organizationId) {
      // UUIDv7 sorts by time of making.
      const rows = await db.selectFrom('api_keys').selectAll().where('organization_id', '=', organizationId).orderBy('id').execute()
      return rows.map(recordOf)
    },

    async revokeApiKey(organizationId, id) {
      // A second revocation keeps the time of the first.
      const result = await db
        .updateTable('api_keys')
        .set((eb) => ({ revoked_at_ms: eb.fn.coalesce('revoked_at_ms', eb.val(now())) }))
        .where('id', '=', id)
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async callerOf(key) {
      const row = await db
        .selectFrom('api_keys as k')
        .innerJoin('organizations as o', 'o.id', 'k.organization_id')
        .select(['k.id', 'k.hash', 'k.scopes', 'k.last_used_at_ms', 'k.expires_at_ms', 'k.revoked_at_ms'])
        .select(['k.organization_id', 'o.slug', 'o.plan', 'o.requests_per_minute'])
        .where('k.prefix', '=', prefixOf(key) ?? '')
        .executeTakeFirst()
      // Hashed and compared also when there is no such prefix: the answer takes the same time.
      const matches = sameHash(row?.hash ?? NO_HASH, hashOf(key))
      const nowMs = now()
      if (row === undefined || !matches || row.revoked_at_ms !== null) return null
      if (row.expires_at_ms !== null && Number(row.expires_at_ms) <= nowMs) return null
      if (row.last_used_at_ms === null || nowMs - Number(row.last_used_at_ms) >= LAST_USED_EVERY_MS) {
        await db.updateTable('api_keys').set({ last_used_at_ms: nowMs }).where('id', '=', row.id).execute()
      }
      return {
        apiKeyId: row.id,
        scopes: scopesOf(row.scopes),
        organizationId: row.organization_id,
        organizationSlug: row.slug,
        requestsPerMinute: row.requests_per_minute ?? REQUESTS_PER_MINUTE[row.plan],
      }
    },

    async addUser({ organizationId, email, password }) {
      const length = [...password].length
      check(length >= 12 && length <= 256, 'invalid_password', 'A password has 12 to 256 characters.')
      const user = { id: uuidv7(), organization_id: organizationId, email: email.trim().toLowerCase() }
      const row = { ...user, password_hash: await hashPassword(password), created_at_ms: now() }
      const result = await db
        .insertInto('users')
        .values(row)
        .onConflict((conflict) => conflict.column('email').doNothing())
        .executeTakeFirst()
      return result.numInsertedOrUpdatedRows === 1n ? userOf(user) : null
    },

    async userByEmail(email) {
      const row = await userRow(db, email)
      return row === undefined ? null : userOf(row)
    },

    async userOfPassword(email, password) {
      const row = await userRow(db, email)
      const matches = await matchesPassword(row?.password_hash ?? null, password)
      return row !== undefined && matches ? userOf(row) : null
    },

    [Symbol.asyncDispose]: () => db.destroy(),
  }
}

function userRow(db: Kysely<Tables>, email: string) {
  return db.selectFrom('users').selectAll().where('email', '=', email.trim().toLowerCase()).executeTakeFirst()
}

function organizationOf(row: Selectable<Tables['organizations']>): Organization {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    plan: row.plan,
    requestsPerMinuteOverride: row.requests_per_minute,
    createdAtMs: Number(row.created_at_ms),
  }
}

function recordOf(row: Selectable<Tables['api_keys']>): ApiKeyRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    prefix: row.prefix,
    scopes: scopesOf(row.scopes),
    createdAtMs: Number(row.created_at_ms),
    lastUsedAtMs: numberOrNull(row.last_used_at_ms),
    expiresAtMs: numberOrNull(row.expires_at_ms),
    revokedAtMs: numberOrNull(row.revoked_at_ms),
  }
}

function userOf(row: { readonly id: string; readonly organization_id: string; readonly email: string }): User {
  return { id: row.id, organizationId: row.organization_id, email: row.email }
}

function scopesOf(json: string): readonly string[] {
  return JSON.parse(json) as string[]
}

/** PostgreSQL's driver gives a bigint column back as text. */
function numberOrNull(value: number | null): number | null {
  return value === null ? null : Number(value)
}

function checkedName(name: string): string {
  const trimmed = name.trim()
  const length = [...trimmed].length
  check(length >= 1 && length <= 200, 'invalid_name', 'A name has 1 to 200 characters.')
  return trimmed
}

function check(condition: boolean, code: string, message: string): asserts condition {
  if (!condition) throw new OrreryError('invalid', code, message)
}
