// The audit log: every change with its actor, time and address. A line is written in the transaction of its change.

import type { Kysely, Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Actor, AuditEntry, Identity } from '../identity.ts'
import type { Tables } from './tables.ts'

/** A change in the audit log, without its actor and time. */
export interface AuditEvent {
  readonly organizationId: string
  readonly action: string
  readonly target: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** The result of a transaction; `event` is null when it has changed nothing. */
export interface Outcome<T> {
  readonly result: T
  readonly event: AuditEvent | null
}

export interface AuditLog {
  /**
   * Runs `work` and writes its audit line: both or neither. The first statement of `work` must write. SQLite gives its one lock to the first
   * write and lets others wait; a transaction that reads first and then writes is refused when another one wrote in between.
   */
  withAudit<T>(by: Actor, work: (tx: Transaction<Tables>) => Promise<Outcome<T>>): Promise<T>
  /**
   * Writes events that change nothing else, in one transaction. A decoy is deleted again in that transaction: it costs the work of an event
   * and leaves nothing.
   */
  append(events: readonly AppendedEvent[]): Promise<void>
}

export interface AppendedEvent {
  readonly by: Actor
  readonly event: AuditEvent
  readonly isDecoy: boolean
}

export function openAuditLog(db: Kysely<Tables>, now: () => number): AuditLog {
  const rowOf = (by: Actor, event: AuditEvent) => ({
    id: uuidv7(),
    at_ms: now(),
    actor_kind: by.kind,
    actor_id: by.id,
    actor_address: by.address,
    organization_id: event.organizationId,
    action: event.action,
    target: event.target,
    details: JSON.stringify(event.details ?? {}),
  })
  return {
    withAudit: (by, work) =>
      db.transaction().execute(async (tx) => {
        const { result, event } = await work(tx)
        if (event === null) return result
        await tx.insertInto('audit_log').values(rowOf(by, event)).execute()
        return result
      }),

    async append(events) {
      const rows = events.map(({ by, event }) => rowOf(by, event))
      const decoys = rows.flatMap(({ id }, n) => (events[n]?.isDecoy === true ? [id] : []))
      await db.transaction().execute(async (tx) => {
        await tx.insertInto('audit_log').values(rows).execute()
        if (decoys.length > 0) await tx.deleteFrom('audit_log').where('id', 'in', decoys).execute()
      })
    },
  }
}

export function auditLogIn(db: Kysely<Tables>): Pick<Identity, 'auditLog'> {
  return {
    async auditLog(organizationId, limit) {
      const rows = await db
        .selectFrom('audit_log')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(
        (row): AuditEntry => ({
          id: row.id,
          atMs: row.at_ms,
          by: { kind: row.actor_kind, id: row.actor_id, address: row.actor_address },
          organizationId: row.organization_id,
          action: row.action,
          target: row.target,
          details: JSON.parse(row.details) as Record<string, unknown>,
        }),
      )
    },
  }
}
