// The audit log: who changed what, when and from where. A line is written in the transaction of its change: neither is ever without the other.

import type { Kysely, Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Actor, AuditEntry, Identity } from '../identity.ts'
import type { Tables } from './tables.ts'

/** What the log says of a change, beside who made it and when. */
export interface Deed {
  readonly organizationId: string
  readonly action: string
  readonly target: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** What a transaction comes to; `deed` is null when it has changed nothing. */
export interface Outcome<T> {
  readonly result: T
  readonly deed: Deed | null
}

export interface AuditLog {
  /**
   * Does `work` and notes it: both or neither. The first statement of `work` writes. SQLite gives its one lock to the first write and lets
   * others wait for it; who reads first and writes then is refused when somebody wrote in between.
   */
  noted<T>(by: Actor, work: (tx: Transaction<Tables>) => Promise<Outcome<T>>): Promise<T>
}

export function openAuditLog(db: Kysely<Tables>, now: () => number): AuditLog {
  return {
    noted: (by, work) =>
      db.transaction().execute(async (tx) => {
        const { result, deed } = await work(tx)
        if (deed === null) return result
        const row = {
          id: uuidv7(),
          at_ms: now(),
          actor_kind: by.kind,
          actor_id: by.id,
          actor_address: by.address,
          organization_id: deed.organizationId,
          action: deed.action,
          target: deed.target,
          details: JSON.stringify(deed.details ?? {}),
        }
        await tx.insertInto('audit_log').values(row).execute()
        return result
      }),
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
