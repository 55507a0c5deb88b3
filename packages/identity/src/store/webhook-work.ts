// The work on webhooks: leases, new deliveries with the place that they belong to, and attempts. Every write of an instance names its lease, so
// that one that was suspended and lost it changes nothing any more.

import type { ExpressionBuilder, Kysely, Transaction } from 'kysely'
import type { AttemptResult, DeliveryStatus, DisabledReason, DueDelivery, LeasedWebhook, WebhookStore } from '../webhooks/webhook.ts'
import type { AuditLog } from './audit-log.ts'
import { inGroups } from './in-groups.ts'
import type { Tables } from './tables.ts'
import { oldestOfAccounts } from './webhook-deliveries.ts'
import { eventOf, type WebhookRow, webhookOf } from './webhooks.ts'

type Work = Pick<WebhookStore, 'lease' | 'release' | 'append' | 'pendingOf' | 'dueWebhooks' | 'due' | 'finish' | 'trim'>

interface Attempt {
  readonly lease: Parameters<WebhookStore['finish']>[0]
  readonly deliveryId: string
  readonly result: AttemptResult
}

type FinishResult = Awaited<ReturnType<WebhookStore['finish']>>

const HOUR_MS = 3_600_000
/** A webhook without a successful attempt for this long is disabled. */
const DISABLED_AFTER_MS = 24 * HOUR_MS
const KEPT_FOR_MS = { delivered: 3 * 24 * HOUR_MS, dead: 30 * 24 * HOUR_MS } as const
/** SQLite takes 32,766 values a statement; a delivery has 16. */
const ROWS_AT_ONCE = 1_000
const NOTIFY = { kind: 'system', id: 'notify', address: '' } as const
const GONE = 410

export function webhookWorkIn(db: Kysely<Tables>, log: AuditLog, now: () => number): Work {
  /** Records an attempt. Null: the lease is lost. */
  const record = async (tx: Transaction<Tables>, { lease: { instance, webhookId }, deliveryId, result }: Attempt) => {
    const nowMs = now()
    // The lock of the webhook comes first, in the order in which `append` and `remove` take theirs.
    const webhook = await tx
      .updateTable('webhooks')
      .set((eb) => ({ next_sequence: eb.ref('next_sequence') }))
      .where('id', '=', webhookId)
      .where('lease_owner', '=', instance)
      .returningAll()
      .executeTakeFirst()
    if (webhook === undefined) return { result: null, event: null } as const
    const delivery = await tx
      .updateTable('webhook_deliveries')
      .set((eb) => ({
        status: statusOf(result),
        attempts: eb('attempts', '+', 1),
        first_attempt_at_ms: eb.fn.coalesce('first_attempt_at_ms', eb.val(nowMs)),
        last_attempt_at_ms: nowMs,
        last_status: result.status,
        last_error: result.is === 'failed' ? result.error : null,
        ...(result.is === 'failed' && result.retryAtMs !== null && { next_attempt_at_ms: result.retryAtMs }),
      }))
      .where('id', '=', deliveryId)
      .where('webhook_id', '=', webhookId)
      // Another attempt may have ended it: a late failure does not make a delivered one pending again.
      .where('status', '=', 'pending')
      .returning('kind')
      .executeTakeFirst()
    if (delivery === undefined) return { result: { disabled: null }, event: null }
    const isFailure = result.is === 'failed'
    const failingSinceMs = isFailure ? (webhook.failing_since_ms ?? (delivery.kind === 'test' ? null : nowMs)) : null
    const disabled = webhook.enabled === 1 ? reasonToDisable(result, failingSinceMs, nowMs) : null
    if (failingSinceMs !== webhook.failing_since_ms || disabled !== null) {
      const off = disabled === null ? {} : { enabled: 0, disabled_reason: disabled, disabled_at_ms: nowMs }
      await tx
        .updateTable('webhooks')
        .set({ failing_since_ms: failingSinceMs, ...off })
        .where('id', '=', webhookId)
        .execute()
    }
    return { result: { disabled }, event: disabled === null ? null : eventOf(webhook, 'webhook.disable', { reason: disabled }) }
  }

  /** They disable nothing, so there is nothing to audit. A transaction locks one webhook: two of them cannot wait for each other. */
  const finishDelivered = inGroups(
    ({ lease }: Attempt) => lease.webhookId,
    (attempts) =>
      db.transaction().execute(async (tx) => {
        const results: FinishResult[] = []
        for (const attempt of attempts) results.push((await record(tx, attempt)).result)
        return results
      }),
  )

  return {
    async lease(instance, forMs) {
      // An installation without webhooks writes nothing.
      const any = await db.selectFrom('webhooks').select('id').where(isWorkable).limit(1).executeTakeFirst()
      if (any === undefined) return []
      return db.transaction().execute(async (tx) => {
        const [nowMs, untilMs] = [now(), now() + forMs]
        await tx
          .insertInto('notify_instances')
          .values({ id: instance, until_ms: untilMs })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ until_ms: untilMs }))
          .execute()
        await tx.deleteFrom('notify_instances').where('until_ms', '<=', nowMs).execute()
        const share = await shareOf(tx)
        // Renewed first: what it holds moves only when another instance lacks its share.
        const held = await tx
          .updateTable('webhooks')
          .set({ lease_until_ms: untilMs })
          .where('id', 'in', (eb) =>
            eb.selectFrom('webhooks').select('id').where('lease_owner', '=', instance).where(isWorkable).orderBy('id').limit(share),
          )
          .returningAll()
          .execute()
        // What is beyond its share is not renewed and stays its own until the lease ends, so that attempts in progress are recorded.
        const free = share - held.length
        const taken =
          free <= 0
            ? []
            : await tx
                .updateTable('webhooks')
                .set({ lease_owner: instance, lease_until_ms: untilMs })
                .where('id', 'in', (eb) =>
                  eb.selectFrom('webhooks').select('id').where('lease_until_ms', '<=', nowMs).where(isWorkable).orderBy('id').limit(free),
                )
                // Repeated: on PostgreSQL another instance may have taken one while this statement waited for its row.
                .where('lease_until_ms', '<=', nowMs)
                .returningAll()
                .execute()
        return [...held, ...taken].map((row) => leasedOf(row, nowMs))
      })
    },

    async release(instance) {
      await db.updateTable('webhooks').set({ lease_owner: null, lease_until_ms: 0 }).where('lease_owner', '=', instance).execute()
      await db.deleteFrom('notify_instances').where('id', '=', instance).execute()
    },

    append: ({ instance, webhookId }, from, ledger, deliveries) =>
      db.transaction().execute(async (tx) => {
        const webhook = await tx
          .updateTable('webhooks')
          .set((eb) => ({ ledger, next_sequence: eb('next_sequence', '+', deliveries.length) }))
          .where('id', '=', webhookId)
          .where('lease_owner', '=', instance)
          .where('ledger', from === null ? 'is' : '=', from)
          .returning('next_sequence')
          .executeTakeFirst()
        if (webhook === undefined) return false
        const first = webhook.next_sequence - deliveries.length
        const atMs = now()
        const rows = deliveries.map(({ id, kind, eventId, account, ledger: of, payload }, n) => ({
          ...{ id, webhook_id: webhookId, sequence: first + n, kind, event_id: eventId, account, ledger: of, payload },
          ...{ status: 'pending' as const, attempts: 0, created_at_ms: atMs, next_attempt_at_ms: atMs, first_attempt_at_ms: null },
          ...{ last_attempt_at_ms: null, last_status: null, last_error: null },
        }))
        for (let n = 0; n < rows.length; n += ROWS_AT_ONCE) {
          await tx
            .insertInto('webhook_deliveries')
            .values(rows.slice(n, n + ROWS_AT_ONCE))
            .onConflict((conflict) => conflict.column('id').doNothing())
            .execute()
        }
        return true
      }),

    async pendingOf(instance) {
      const { count, oldest } = await db
        .selectFrom('webhook_deliveries as d')
        .innerJoin('webhooks as w', 'w.id', 'd.webhook_id')
        .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min<number | null>('d.created_at_ms').as('oldest')])
        .where('d.status', '=', 'pending')
        .where('w.enabled', '=', 1)
        .where('w.lease_owner', '=', instance)
        .executeTakeFirstOrThrow()
      return { count: Number(count), oldestAtMs: oldest === null ? null : Number(oldest) }
    },

    async dueWebhooks(instance) {
      const rows = await db
        .selectFrom('webhooks as w')
        .select('w.id')
        .where('w.lease_owner', '=', instance)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('webhook_deliveries as d')
              .select('d.id')
              .whereRef('d.webhook_id', '=', 'w.id')
              .where('d.status', '=', 'pending')
              .where('d.next_attempt_at_ms', '<=', now()),
          ),
        )
        .execute()
      return new Set(rows.map(({ id }) => id))
    },

    async due(webhookId, limit) {
      const rows = await db
        .selectFrom('webhook_deliveries as d')
        .innerJoin('webhooks as w', 'w.id', 'd.webhook_id')
        .select(['d.id', 'd.kind', 'd.account', 'd.payload', 'd.attempts', 'd.first_attempt_at_ms'])
        .where('d.webhook_id', '=', webhookId)
        // Not a join: SQLite would read the whole list for each delivery.
        .where('d.sequence', 'in', db.selectFrom(oldestOfAccounts(db, webhookId).as('oldest')).select('oldest.sequence'))
        .where('d.next_attempt_at_ms', '<=', now())
        .where((eb) => eb.or([eb('w.enabled', '=', 1), eb('d.kind', '=', 'test')]))
        .orderBy('d.sequence')
        .limit(limit)
        .execute()
      return rows.map(
        ({ id, kind, account, payload, attempts, first_attempt_at_ms }): DueDelivery => ({
          ...{ id, kind, account, payload, attempts },
          firstAttemptAtMs: first_attempt_at_ms,
        }),
      )
    },

    finish(lease, deliveryId, result) {
      const attempt = { lease, deliveryId, result }
      return result.is === 'delivered' ? finishDelivered(attempt) : log.withAudit(NOTIFY, (tx) => record(tx, attempt))
    },

    async trim() {
      const nowMs = now()
      const deleted = await Promise.all(
        (['delivered', 'dead'] as const).map((status) =>
          db
            .deleteFrom('webhook_deliveries')
            .where('status', '=', status)
            .where('last_attempt_at_ms', '<', nowMs - KEPT_FOR_MS[status])
            .executeTakeFirst(),
        ),
      )
      return deleted.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0)
    },
  }
}

/** An enabled webhook, or a disabled one with a test that waits. */
function isWorkable(eb: ExpressionBuilder<Tables, 'webhooks'>) {
  return eb.or([
    eb('webhooks.enabled', '=', 1),
    eb.exists(
      eb
        .selectFrom('webhook_deliveries as d')
        .select('d.id')
        .whereRef('d.webhook_id', '=', 'webhooks.id')
        .where('d.status', '=', 'pending')
        .where('d.account', '=', '')
        .where('d.kind', '=', 'test'),
    ),
  ])
}

/** Webhooks of an instance when all instances have the same number, rounded up. At least 1: a new one is taken at once. */
async function shareOf(tx: Transaction<Tables>): Promise<number> {
  const { webhooks } = await tx
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('webhooks'))
    .where(isWorkable)
    .executeTakeFirstOrThrow()
  const { instances } = await tx
    .selectFrom('notify_instances')
    .select((eb) => eb.fn.countAll<number>().as('instances'))
    .executeTakeFirstOrThrow()
  return Math.max(1, Math.ceil(Number(webhooks) / Number(instances)))
}

function statusOf(result: AttemptResult): DeliveryStatus {
  if (result.is === 'delivered') return 'delivered'
  return result.retryAtMs === null ? 'dead' : 'pending'
}

function reasonToDisable(result: AttemptResult, failingSinceMs: number | null, nowMs: number): DisabledReason | null {
  if (result.is === 'delivered') return null
  if (result.status === GONE) return 'gone'
  return failingSinceMs !== null && nowMs - failingSinceMs >= DISABLED_AFTER_MS ? 'failing' : null
}

function leasedOf(row: WebhookRow, nowMs: number): LeasedWebhook {
  const isPreviousValid = row.previous_secret_until_ms !== null && row.previous_secret_until_ms > nowMs
  return {
    ...webhookOf(row),
    revision: row.revision,
    sealedSecret: row.secret,
    sealedPreviousSecret: isPreviousValid ? row.previous_secret : null,
  }
}
