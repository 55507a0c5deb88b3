// What login limits store in the database: unlocks, addresses that have logged in, and refused logins in the audit log.

import type { Kysely } from 'kysely'
import type { Identity, LoginFacts } from '../identity.ts'
import { emailAddress } from '../text-rules.ts'
import type { AuditLog } from './audit-log.ts'
import type { Tables } from './tables.ts'

type Logins = Pick<Identity, 'loginFacts' | 'rememberLoginAddress' | 'unlockLogins' | 'auditFailedLogins'>

/** Enough for people who travel, and a bound on what an account can store. */
const ADDRESSES_OF_USER = 100
const NO_USER: LoginFacts = { userId: null, unlocks: 0, isKnownAddress: false }

export function loginsIn(db: Kysely<Tables>, log: AuditLog, now: () => number): Logins {
  return {
    async loginFacts(email, address) {
      const normal = emailAddress(email)
      if (normal === null) return NO_USER
      const row = await db
        .selectFrom('users as u')
        .leftJoin('login_addresses as a', (join) => join.onRef('a.user_id', '=', 'u.id').on('a.address', '=', address))
        .select(['u.id', 'u.login_unlocks', 'a.address'])
        .where('u.email', '=', normal)
        .executeTakeFirst()
      return row === undefined ? NO_USER : { userId: row.id, unlocks: row.login_unlocks, isKnownAddress: row.address !== null }
    },

    async rememberLoginAddress(userId, address) {
      const last_login_ms = now()
      await db
        .insertInto('login_addresses')
        .values({ user_id: userId, address, last_login_ms })
        .onConflict((conflict) => conflict.columns(['user_id', 'address']).doUpdateSet({ last_login_ms }))
        .execute()
      await db
        .deleteFrom('login_addresses')
        .where('user_id', '=', userId)
        .where('address', 'not in', (eb) =>
          eb
            .selectFrom('login_addresses')
            .select('address')
            .where('user_id', '=', userId)
            .orderBy('last_login_ms', 'desc')
            .orderBy('address')
            .limit(ADDRESSES_OF_USER),
        )
        .execute()
    },

    unlockLogins: (userId, by) =>
      log.withAudit(by, async (tx) => {
        const row = await tx
          .updateTable('users')
          .set((eb) => ({ login_unlocks: eb('login_unlocks', '+', 1) }))
          .where('id', '=', userId)
          .returningAll()
          .executeTakeFirst()
        const event =
          row === undefined
            ? null
            : { organizationId: row.organization_id, action: 'user.unlock', target: row.id, details: { email: row.email } }
        return { result: undefined, event }
      }),

    async auditFailedLogins(failed) {
      if (failed.length === 0) return
      const ids = failed.flatMap(({ userId }) => userId ?? [])
      const users = await db
        .selectFrom('users')
        .select(['id', 'organization_id'])
        .where('id', 'in', [...ids, ''])
        .execute()
      const organizations = new Map(users.map((user) => [user.id, user.organization_id]))
      // Decoys need an organization, too. Without one there are no users, and nothing to keep secret.
      const any = await db.selectFrom('organizations').select('id').orderBy('id').limit(1).executeTakeFirst()
      if (any === undefined) return
      await log.append(
        failed.map(({ userId, address, reached }) => {
          const organizationId = organizations.get(userId ?? '')
          const target = userId ?? any.id // as long as a user's id
          const event = { organizationId: organizationId ?? any.id, action: 'login.fail', target, details: { reached } }
          return { by: { kind: 'system', id: 'api', address }, event, isDecoy: organizationId === undefined }
        }),
      )
    },
  }
}
