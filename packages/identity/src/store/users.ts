// Users: people of an organization who manage it with a password. The operator makes them.

import type { Kysely, Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Identity, User } from '../identity.ts'
import { hashPassword, isPassword, matchesPassword } from '../password.ts'
import { emailAddress } from '../text-rules.ts'
import type { AuditLog } from './audit-log.ts'
import { check } from './check.ts'
import { requestsPerMinuteOf } from './organizations.ts'
import type { Tables } from './tables.ts'

type Users = Pick<Identity, 'addUser' | 'userByEmail' | 'users' | 'disableUser' | 'changePassword' | 'userOfPassword'>

export function usersIn(db: Kysely<Tables>, log: AuditLog, now: () => number): Users {
  return {
    async addUser({ organizationId, email, password }, by) {
      const address = emailAddress(email)
      check(address !== null, 'invalid_email', 'The text is not an e-mail address.')
      const row = {
        id: uuidv7(),
        organization_id: organizationId,
        email: address,
        password_hash: await checkedHash(password),
        password_version: 1,
        login_unlocks: 0,
        created_at_ms: now(),
        disabled_at_ms: null,
      }
      return log.withAudit(by, async (tx) => {
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('users')
          .values(row)
          .onConflict((conflict) => conflict.column('email').doNothing())
          .executeTakeFirst()
        if (numInsertedOrUpdatedRows !== 1n) return { result: null, event: null }
        return { result: userOf(row), event: { organizationId, action: 'user.create', target: row.id, details: { email: address } } }
      })
    },

    async userByEmail(email) {
      const row = await userRow(db, email)
      return row === undefined ? null : userOf(row)
    },

    async users(organizationId) {
      const rows = await db.selectFrom('users').selectAll().where('organization_id', '=', organizationId).orderBy('id').execute()
      return rows.map(userOf)
    },

    async disableUser(userId, disabled, by) {
      const at = disabled ? now() : null
      await log.withAudit(by, async (tx) => {
        const row = await tx.updateTable('users').set({ disabled_at_ms: at }).where('id', '=', userId).returningAll().executeTakeFirst()
        return { result: undefined, event: eventOf(row, disabled ? 'user.disable' : 'user.enable') }
      })
    },

    async changePassword(userId, password, by) {
      const password_hash = await checkedHash(password)
      await log.withAudit(by, async (tx) => {
        const row = await tx
          .updateTable('users')
          .set((eb) => ({ password_hash, password_version: eb('password_version', '+', 1) }))
          .where('id', '=', userId)
          .returningAll()
          .executeTakeFirst()
        return { result: undefined, event: eventOf(row, 'user.password') }
      })
    },

    async userOfPassword(email, password) {
      const row = await userWithRate(db, email)
      const matches = await matchesPassword(row?.password_hash ?? null, password)
      if (row === undefined || !matches || row.disabled_at_ms !== null) return null
      return { ...userOf(row), passwordVersion: row.password_version, requestsPerMinute: requestsPerMinuteOf(row) }
    },
  }
}

async function userWithRate(db: Kysely<Tables>, email: string) {
  const address = emailAddress(email)
  if (address === null) return undefined
  return db
    .selectFrom('users as u')
    .innerJoin('organizations as o', 'o.id', 'u.organization_id')
    .selectAll('u')
    .select(['o.plan', 'o.requests_per_minute'])
    .where('u.email', '=', address)
    .executeTakeFirst()
}

async function userRow(db: Kysely<Tables>, email: string): Promise<Selectable<Tables['users']> | undefined> {
  const address = emailAddress(email)
  return address === null ? undefined : db.selectFrom('users').selectAll().where('email', '=', address).executeTakeFirst()
}

async function checkedHash(password: string): Promise<string> {
  check(isPassword(password), 'invalid_password', 'A password has 12 to 256 characters, as UTF-8.')
  return hashPassword(password)
}

function userOf(row: Selectable<Tables['users']>): User {
  return { id: row.id, organizationId: row.organization_id, email: row.email, disabledAtMs: row.disabled_at_ms }
}

function eventOf(row: Selectable<Tables['users']> | undefined, action: string) {
  return row === undefined ? null : { organizationId: row.organization_id, action, target: row.id, details: { email: row.email } }
}
