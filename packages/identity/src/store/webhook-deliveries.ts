// The deliveries of a webhook, as its organization sees them: the log, tests, and another attempt.

import { randomBytes } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { validate as isUuid } from 'uuid'
import type { Delivery, WebhookStore } from '../webhooks/webhook.ts'
import type { AuditLog } from './audit-log.ts'
import type { Tables } from './tables.ts'
import { eventOf } from './webhooks.ts'

type Deliveries = Pick<WebhookStore, 'addTest' | 'deliveries' | 'redeliver' | 'pendingCounts'>
type Row = Selectable<Tables['webhook_deliveries']>

/** As `deliveryId` of @orrery/notify makes them. Other text, of which PostgreSQL refuses some, is no id. */
const DELIVERY_ID = /^msg_[0-9a-z_]{1,64}$/

export function webhookDeliveriesIn(db: Kysely<Tables>, log: AuditLog, now: () => number): Deliveries {
  const isOf = async (organizationId: string, id: string): Promise<boolean> => {
    if (!isUuid(id)) return false
    const found = await db
      .selectFrom('webhooks')
      .select('id')
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst()
    return found !== undefined
  }

  return {
    async addTest(organizationId, id, payloadOf, by) {
      if (!isUuid(id)) return null
      return log.withAudit(by, async (tx) => {
        const webhook = await tx
          .updateTable('webhooks')
          .set((eb) => ({ next_sequence: eb('next_sequence', '+', 1) }))
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .returning(['id', 'organization_id', 'next_sequence'])
          .executeTakeFirst()
        if (webhook === undefined) return { result: null, event: null }
        const atMs = now()
        const row: Row = {
          id: `msg_test_${randomBytes(12).toString('hex')}`,
          webhook_id: id,
          sequence: webhook.next_sequence - 1,
          kind: 'test',
          event_id: 'test',
          account: '',
          ledger: 0,
          payload: payloadOf(atMs),
          status: 'pending',
          attempts: 0,
          created_at_ms: atMs,
          next_attempt_at_ms: atMs,
          first_attempt_at_ms: null,
          last_attempt_at_ms: null,
          last_status: null,
          last_error: null,
        }
        await tx.insertInto('webhook_deliveries').values(row).execute()
        return { result: deliveryOf(row), event: eventOf(webhook, 'webhook.test', { delivery_id: row.id }) }
      })
    },

    async deliveries(organizationId, id, { status, after, limit }) {
      if (!(await isOf(organizationId, id))) return null
      let query = db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', id)
      if (after !== null) {
        if (!DELIVERY_ID.test(after)) return null
        const last = await db
          .selectFrom('webhook_deliveries')
          .select('sequence')
          .where('id', '=', after)
          .where('webhook_id', '=', id)
          .executeTakeFirst()
        if (last === undefined) return null
        query = query.where('sequence', '<', last.sequence)
      }
      if (status !== null) query = query.where('status', '=', status)
      return (await query.orderBy('sequence', 'desc').limit(limit).execute()).map(deliveryOf)
    },

    async redeliver(organizationId, id, deliveryId, by) {
      if (!DELIVERY_ID.test(deliveryId) || !(await isOf(organizationId, id))) return null
      return log.withAudit(by, async (tx) => {
        const row = await tx
          .updateTable('webhook_deliveries')
          .set({ status: 'pending', next_attempt_at_ms: now(), first_attempt_at_ms: null })
          .where('id', '=', deliveryId)
          .where('webhook_id', '=', id)
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) return { result: null, event: null }
        const event = eventOf({ id, organization_id: organizationId }, 'webhook.redeliver', { delivery_id: deliveryId })
        return { result: deliveryOf(row), event }
      })
    },

    async pendingCounts(webhookId, mostOfAccount) {
      const { total, advancing } = await db
        .selectFrom(oldestOfAccounts(db, webhookId).as('oldest'))
        .select((eb) => {
          const counted = eb.case().when('oldest.count', '>', mostOfAccount).then(mostOfAccount).else(eb.ref('oldest.count')).end()
          // An error is kept only of an attempt that failed. Not a join: SQLite would read the whole list for each delivery.
          const hasFailed = eb
            .selectFrom('webhook_deliveries as d')
            .select('d.id')
            .where('d.webhook_id', '=', webhookId)
            .whereRef('d.sequence', '=', 'oldest.sequence')
            .where('d.last_error', 'is not', null)
          const advances = eb.case().when(eb.exists(hasFailed)).then(0).else(counted).end()
          return [eb.fn.sum<number | null>('oldest.count').as('total'), eb.fn.sum<number | null>(advances).as('advancing')]
        })
        .executeTakeFirstOrThrow()
      return { total: Number(total), advancing: Number(advancing) }
    },
  }
}

/**
 * For each account with pending deliveries of the webhook: the sequence of the oldest one, and how many there are. It is read from an index alone:
 * an account that fails may have many.
 */
export function oldestOfAccounts(db: Kysely<Tables>, webhookId: string) {
  return db
    .selectFrom('webhook_deliveries as p')
    .select((of) => [of.fn.min<number>('p.sequence').as('sequence'), of.fn.countAll<number>().as('count')])
    .where('p.webhook_id', '=', webhookId)
    .where('p.status', '=', 'pending')
    .groupBy('p.account')
}

function deliveryOf(row: Row): Delivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    kind: row.kind,
    eventId: row.event_id,
    account: row.account,
    ledger: row.ledger,
    status: row.status,
    attempts: row.attempts,
    createdAtMs: row.created_at_ms,
    lastAttemptAtMs: row.last_attempt_at_ms,
    nextAttemptAtMs: row.status === 'pending' ? row.next_attempt_at_ms : null,
    lastStatus: row.last_status,
    lastError: row.last_error,
  }
}
