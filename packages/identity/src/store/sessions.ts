// Sessions: logins that a refresh token names. Whether one counts is asked of the database each time, so an end is an end everywhere at once.

import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Identity } from '../identity.ts'
import type { AuditLog } from './audit-log.ts'
import { requestsPerMinuteOf } from './organizations.ts'
import type { Tables } from './tables.ts'

type Sessions = Pick<Identity, 'addSession' | 'sessionById' | 'revokeSessions'>

export function sessionsIn(db: Kysely<Tables>, log: AuditLog, now: () => number): Sessions {
  return {
    addSession: ({ id: userId, organizationId, passwordVersion }, expiresAtMs, by) =>
      log.noted(by, async (tx) => {
        const row = {
          id: uuidv7(),
          user_id: userId,
          password_version: passwordVersion,
          created_at_ms: now(),
          expires_at_ms: expiresAtMs,
          revoked_at_ms: null,
        }
        await tx.insertInto('refresh_tokens').values(row).execute()
        // What has expired is of no use to anybody; the audit log remembers the login.
        await tx.deleteFrom('refresh_tokens').where('user_id', '=', userId).where('expires_at_ms', '<=', now()).execute()
        return { result: row.id, deed: { organizationId, action: 'session.create', target: row.id } }
      }),

    async sessionById(id) {
      const row = await db
        .selectFrom('refresh_tokens as t')
        .innerJoin('users as u', 'u.id', 't.user_id')
        .innerJoin('organizations as o', 'o.id', 'u.organization_id')
        .select(['t.id', 't.user_id', 'u.organization_id', 'o.plan', 'o.requests_per_minute'])
        .where('t.id', '=', id)
        .where('t.revoked_at_ms', 'is', null)
        .where('t.expires_at_ms', '>', now())
        .where('u.disabled_at_ms', 'is', null)
        // Compared here and not revoked then: a login that raced with the change of the password has the old one, too.
        .whereRef('t.password_version', '=', 'u.password_version')
        .executeTakeFirst()
      if (row === undefined) return null
      return { id: row.id, userId: row.user_id, organizationId: row.organization_id, requestsPerMinute: requestsPerMinuteOf(row) }
    },

    revokeSessions: ({ organizationId, userId }, by) =>
      log.noted(by, async (tx) => {
        const nowMs = now()
        const { numUpdatedRows } = await tx
          .updateTable('refresh_tokens')
          .set({ revoked_at_ms: nowMs })
          .where('revoked_at_ms', 'is', null)
          .where('expires_at_ms', '>', nowMs)
          .where('user_id', 'in', (eb) => {
            const users = eb.selectFrom('users').select('id').where('organization_id', '=', organizationId)
            return userId === undefined ? users : users.where('id', '=', userId)
          })
          .executeTakeFirst()
        const count = Number(numUpdatedRows)
        return { result: count, deed: { organizationId, action: 'sessions.revoke', target: userId ?? organizationId, details: { count } } }
      }),
  }
}
