// Webhooks as their organization changes them. The audit log names the host of an address, never its path, which may hold a secret.

import { OrreryError } from '@orrery/errors'
import type { Kysely, Selectable, Transaction } from 'kysely'
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import { WEBHOOKS_OF_ORGANIZATION } from '../plans.ts'
import { plainText } from '../text-rules.ts'
import type { NewWebhook, Webhook, WebhookChange, WebhookFilter, WebhookStore } from '../webhooks/webhook.ts'
import type { AuditEvent, AuditLog } from './audit-log.ts'
import { check } from './check.ts'
import type { Tables } from './tables.ts'

type Webhooks = Pick<WebhookStore, 'add' | 'list' | 'get' | 'change' | 'remove' | 'rotateSecret'>
export type WebhookRow = Selectable<Tables['webhooks']>

/** Code points of a description. */
const DESCRIPTION_LENGTH = 200
/** How long the secret before a rotation signs, too. */
const PREVIOUS_SECRET_FOR_MS = 24 * 3_600_000

export function webhooksIn(db: Kysely<Tables>, log: AuditLog, now: () => number): Webhooks {
  return {
    async add({ organizationId, url, description, filter, enabled, fromLedger, seal }, by) {
      const [id, atMs] = [uuidv7(), now()]
      const row: WebhookRow = {
        id,
        organization_id: organizationId,
        url,
        description: checkedDescription(description),
        filter: JSON.stringify(filter),
        revision: 1,
        enabled: enabled ? 1 : 0,
        disabled_reason: null,
        disabled_at_ms: enabled ? null : atMs,
        created_at_ms: atMs,
        updated_at_ms: atMs,
        secret: seal(id),
        previous_secret: null,
        previous_secret_until_ms: null,
        ledger: fromLedger === null ? null : fromLedger - 1,
        next_sequence: 1,
        failing_since_ms: null,
        lease_owner: null,
        lease_until_ms: 0,
      }
      return log.withAudit(by, async (tx) => {
        // Two requests at the same moment could each find a free place: the row of the organization lets one wait for the other.
        const organization = await tx
          .updateTable('organizations')
          .set((eb) => ({ plan: eb.ref('plan') }))
          .where('id', '=', organizationId)
          .returning('plan')
          .executeTakeFirstOrThrow()
        const most = WEBHOOKS_OF_ORGANIZATION[organization.plan]
        const { count } = await tx
          .selectFrom('webhooks')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('organization_id', '=', organizationId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= most) {
          const message = `The organization has ${most} webhooks, as many as its plan allows. Delete one, or use one webhook for several accounts.`
          throw new OrreryError('invalid', 'webhook_limit', message)
        }
        await tx.insertInto('webhooks').values(row).execute()
        return { result: webhookOf(row), event: eventOf(row, 'webhook.create', { host: hostOf(url), filter }) }
      })
    },

    async list(organizationId) {
      const rows = await db.selectFrom('webhooks').selectAll().where('organization_id', '=', organizationId).orderBy('id').execute()
      return rows.map(webhookOf)
    },

    async get(organizationId, id) {
      if (!isUuid(id)) return null
      const row = await db
        .selectFrom('webhooks')
        .selectAll()
        .where('id', '=', id)
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      return row === undefined ? null : webhookOf(row)
    },

    async change(organizationId, id, change, by) {
      if (!isUuid(id)) return null
      const set = columnsOf(change, now())
      return log.withAudit(by, async (tx) => {
        const row = await tx
          .updateTable('webhooks')
          .set((eb) => ({ ...set, ...(change.filter !== undefined && { revision: eb('revision', '+', 1) }) }))
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) return { result: null, event: null }
        if (change.enabled === true) await startAgain(tx, id, now())
        const details = { members: Object.keys(change), ...(change.url !== undefined && { host: hostOf(change.url) }) }
        return { result: webhookOf(row), event: eventOf(row, 'webhook.change', details) }
      })
    },

    async remove(organizationId, id, by) {
      if (!isUuid(id)) return false
      return log.withAudit(by, async (tx) => {
        // Without an owner no instance adds a delivery meanwhile.
        const row = await tx
          .updateTable('webhooks')
          .set({ enabled: 0, lease_owner: null, lease_until_ms: 0 })
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) return { result: false, event: null }
        await tx.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).execute()
        await tx.deleteFrom('webhooks').where('id', '=', id).execute()
        return { result: true, event: eventOf(row, 'webhook.delete', { host: hostOf(row.url) }) }
      })
    },

    async rotateSecret(organizationId, id, seal, by) {
      if (!isUuid(id)) return null
      return log.withAudit(by, async (tx) => {
        const untilMs = now() + PREVIOUS_SECRET_FOR_MS
        const row = await tx
          .updateTable('webhooks')
          .set((eb) => ({
            previous_secret: eb.ref('secret'),
            previous_secret_until_ms: untilMs,
            secret: seal(id),
            updated_at_ms: now(),
          }))
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) return { result: null, event: null }
        return { result: webhookOf(row), event: eventOf(row, 'webhook.rotate_secret', { previous_until_ms: untilMs }) }
      })
    },
  }
}

/** Deliveries that waited while it was disabled are due, each with another 24 hours. */
async function startAgain(tx: Transaction<Tables>, webhookId: string, nowMs: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at_ms: nowMs, first_attempt_at_ms: null })
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .execute()
}

function columnsOf({ url, description, filter, enabled }: WebhookChange, nowMs: number) {
  return {
    updated_at_ms: nowMs,
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description: checkedDescription(description) }),
    ...(filter !== undefined && { filter: JSON.stringify(filter) }),
    ...(enabled === true && { enabled: 1, disabled_reason: null, disabled_at_ms: null, failing_since_ms: null }),
    ...(enabled === false && { enabled: 0, disabled_reason: null, disabled_at_ms: nowMs }),
  }
}

function checkedDescription(description: NewWebhook['description']): string | null {
  if (description === null) return null
  const plain = plainText(description, DESCRIPTION_LENGTH)
  check(plain !== null, 'invalid_webhook_description', 'A description has 1 to 200 characters, without control and invisible ones.')
  return plain
}

export function eventOf(row: Pick<WebhookRow, 'id' | 'organization_id'>, action: string, details: AuditEvent['details']): AuditEvent {
  return { organizationId: row.organization_id, action, target: row.id, ...(details !== undefined && { details }) }
}

function hostOf(url: string): string {
  return new URL(url).host
}

export function webhookOf(row: WebhookRow): Webhook {
  return {
    id: row.id,
    organizationId: row.organization_id,
    url: row.url,
    description: row.description,
    filter: JSON.parse(row.filter) as WebhookFilter,
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason,
    disabledAtMs: row.disabled_at_ms,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    ledger: row.ledger,
    failingSinceMs: row.failing_since_ms,
    previousSecretUntilMs: row.previous_secret === null ? null : row.previous_secret_until_ms,
  }
}
