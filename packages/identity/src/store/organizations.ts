// Organizations: they have a plan and a rate limit, and own keys and users.

import type { Kysely, Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Identity, Organization } from '../identity.ts'
import { REQUESTS_PER_MINUTE } from '../plans.ts'
import { plainText, SLUG } from '../text-rules.ts'
import type { AuditLog } from './audit-log.ts'
import { check } from './check.ts'
import type { Tables } from './tables.ts'

type Organizations = Pick<
  Identity,
  'addOrganization' | 'organizationBySlug' | 'organizationById' | 'organizations' | 'changePlan' | 'overrideRateLimit'
>

/** Code points of a name. */
export const NAME_LENGTH = 200

export function organizationsIn(db: Kysely<Tables>, log: AuditLog, now: () => number): Organizations {
  return {
    async addOrganization({ slug, name, plan }, by) {
      check(SLUG.test(slug), 'invalid_organization_slug', 'A slug has 1 to 63 of a-z, 0-9 and -, and neither begins nor ends with -.')
      const row = { id: uuidv7(), slug, name: checkedName(name), plan, requests_per_minute: null, created_at_ms: now() }
      return log.withAudit(by, async (tx) => {
        // Of many concurrent inserts the database accepts one; the others find its row.
        await tx
          .insertInto('organizations')
          .values(row)
          .onConflict((conflict) => conflict.column('slug').doNothing())
          .execute()
        const stored = await tx.selectFrom('organizations').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow()
        const reused = stored.id !== row.id
        const event = { organizationId: stored.id, action: 'organization.create', target: stored.id, details: { slug, plan } }
        return { result: { organization: organizationOf(stored), reused }, event: reused ? null : event }
      })
    },

    async organizationBySlug(slug) {
      if (!SLUG.test(slug)) return null
      const row = await db.selectFrom('organizations').selectAll().where('slug', '=', slug).executeTakeFirst()
      return row === undefined ? null : organizationOf(row)
    },

    async organizationById(id) {
      const row = await db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : organizationOf(row)
    },

    async organizations() {
      // UUIDv7 sorts by time of making.
      return (await db.selectFrom('organizations').selectAll().orderBy('id').execute()).map(organizationOf)
    },

    changePlan: (organizationId, plan, by) =>
      log.withAudit(by, async (tx) => {
        await tx.updateTable('organizations').set({ plan }).where('id', '=', organizationId).execute()
        return { result: undefined, event: { organizationId, action: 'organization.plan', target: organizationId, details: { plan } } }
      }),

    async overrideRateLimit(organizationId, requestsPerMinute, by) {
      // Beyond 32 bits no column holds it.
      const good =
        requestsPerMinute === null || (Number.isInteger(requestsPerMinute) && requestsPerMinute > 0 && requestsPerMinute < 2 ** 31)
      check(good, 'invalid_rate_limit', 'A rate limit is a whole number of requests a minute above 0, or null for the plan’s.')
      const details = { requests_per_minute: requestsPerMinute }
      await log.withAudit(by, async (tx) => {
        await tx.updateTable('organizations').set({ requests_per_minute: requestsPerMinute }).where('id', '=', organizationId).execute()
        return { result: undefined, event: { organizationId, action: 'organization.rate_limit', target: organizationId, details } }
      })
    },
  }
}

export function checkedName(name: string): string {
  const plain = plainText(name, NAME_LENGTH)
  check(plain !== null, 'invalid_name', 'A name has 1 to 200 characters, without control, invisible and bidirectional ones.')
  return plain
}

function organizationOf(row: Selectable<Tables['organizations']>): Organization {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    plan: row.plan,
    requestsPerMinuteOverride: row.requests_per_minute,
    requestsPerMinute: requestsPerMinuteOf(row),
    createdAtMs: row.created_at_ms,
  }
}

export function requestsPerMinuteOf({
  plan,
  requests_per_minute: override,
}: Pick<Selectable<Tables['organizations']>, 'plan' | 'requests_per_minute'>): number {
  return override ?? REQUESTS_PER_MINUTE[plan]
}
