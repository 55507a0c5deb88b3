// Sessions: logins that a refresh token names. Each request reads its session from the database, so that a session ends on all instances at once.

import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Identity } from '../identity.ts'
import type { AuditLog } from './audit-log.ts'
import { requestsPerMinuteOf } from './organizations.ts'
import type { Tables } from './tables.ts'

type Sessions = Pick<Identity, 'addSession' | 'sessionById' | 'endSession' | 'revokeSessions'>

/** More than one person uses at once; a bound on what a script that logs in for each request can store. */
const SESSIONS_OF_USER = 20

export function sessionsIn(db: Kysely<Tables>, log: AuditLog, now: () => number): Sessions {
  return {
    addSession: ({ id: userId, organizationId, passwordVersion }, expiresAtMs, by) =>
      log.withAudit(by, async (tx) => {
        const row = {
          id: uuidv7(),
          user_id: userId,
          password_version: passwordVersion,
          created_at_ms: now(),
          expires_at_ms: expiresAtMs,
          revoked_at_ms: null,
        }
        await tx.insertInto('refresh_tokens').values(row).execute()
        // Rows that have ended are of no use; the audit log remembers the login. UUIDv7 sorts by time of making.
        await tx
          .deleteFrom('refresh_tokens')
          .where('user_id', '=', userId)
          .where((eb) => eb.or([eb('expires_at_ms', '<=', now()), eb('revoked_at_ms', 'is not', null)]))
          .execute()
        await tx
          .deleteFrom('refresh_tokens')
          .where('user_id', '=', userId)
          .where('id', 'not in', (eb) =>
            eb.selectFrom('refresh_tokens').select('id').where('user_id', '=', userId).orderBy('id', 'desc').limit(SESSIONS_OF_USER),
          )
          .execute()
        return { result: row.id, event: { organizationId, action: 'session.create', target: row.id } }
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

    endSession: (id, by) =>
      log.withAudit(by, async (tx) => {
        const row = await tx
          .updateTable('refresh_tokens')
          .set({ revoked_at_ms: now() })
          .where('id', '=', id)
          .where('revoked_at_ms', 'is', null)
          .where('expires_at_ms', '>', now())
          .returning('user_id')
          .executeTakeFirst()
        if (row === undefined) return { result: false, event: null }
        const user = await tx.selectFrom('users').select('organization_id').where('id', '=', row.user_id).executeTakeFirstOrThrow()
        return { result: true, event: { organizationId: user.organization_id, action: 'session.end', target: id } }
      }),

    revokeSessions: ({ organizationId, userId }, by) =>
      log.withAudit(by, async (tx) => {
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
        return { result: count, event: { organizationId, action: 'sessions.revoke', target: userId ?? organizationId, details: { count } } }
      }),
  }
}
