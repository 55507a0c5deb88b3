// What login limits store in the database: unlocks, addresses that have logged in, and refused logins in the audit log.

import type { Kysely } from 'kysely'
import type { Identity, LoginFacts } from '../identity.ts'
import { emailAddress } from '../text-rules.ts'
import type { AuditLog } from './audit-log.ts'
import type { Tables } from './tables.ts'

type Logins = Pick<Identity, 'loginFacts' | 'rememberLoginAddress' | 'unlockLogins' | 'auditFailedLogin'>

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

    async auditFailedLogin({ email, address, reached }) {
      const normal = emailAddress(email)
      if (normal === null) return
      const user = await db.selectFrom('users').select(['id', 'organization_id']).where('email', '=', normal).executeTakeFirst()
      if (user === undefined) return // no organization has a log for it
      const event = { organizationId: user.organization_id, action: 'login.fail', target: user.id, details: { reached } }
      await log.withAudit({ kind: 'system', id: 'api', address }, async () => ({ result: undefined, event }))
    },
  }
}
