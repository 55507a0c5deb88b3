// Identity on any SQL database that kysely speaks: the statements are the same, only the dialect differs.

import type { Kysely } from 'kysely'
import type { Identity } from '../identity.ts'
import { apiKeysIn } from './api-keys.ts'
import { auditLogIn, openAuditLog } from './audit-log.ts'
import { billingIn } from './billing.ts'
import { loginsIn } from './logins.ts'
import { organizationsIn } from './organizations.ts'
import { sessionsIn } from './sessions.ts'
import type { Tables } from './tables.ts'
import { usageIn } from './usage.ts'
import { usersIn } from './users.ts'
import { webhookDeliveriesIn } from './webhook-deliveries.ts'
import { webhookWorkIn } from './webhook-work.ts'
import { webhooksIn } from './webhooks.ts'

export function kyselyIdentity(db: Kysely<Tables>, now: () => number): Identity {
  const log = openAuditLog(db, now)
  return {
    ...organizationsIn(db, log, now),
    ...apiKeysIn(db, log, now),
    ...usersIn(db, log, now),
    ...loginsIn(db, log, now),
    ...sessionsIn(db, log, now),
    ...billingIn(db, log, now),
    ...usageIn(db, now),
    ...auditLogIn(db),
    webhooks: { ...webhooksIn(db, log, now), ...webhookDeliveriesIn(db, log, now), ...webhookWorkIn(db, log, now) },
    [Symbol.asyncDispose]: () => db.destroy(),
  }
}
