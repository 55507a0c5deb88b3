// How much each organization uses, by UTC day and key.

import type { Kysely } from 'kysely'
import type { Identity, UsageCount } from '../identity.ts'
import { utcDayOf } from '../utc-day.ts'
import type { Tables } from './tables.ts'

const DAY_MS = 86_400_000
/** Earlier days are deleted: only the current day is shown. The rest is for the operator's SQL. */
const KEPT_DAYS = 31
/** Rows of a statement: SQLite takes 32,766 values, a row has five. */
const ROWS_AT_ONCE = 1_000

export function usageIn(db: Kysely<Tables>, now: () => number): Pick<Identity, 'addUsage' | 'usageOfDay'> {
  return {
    async addUsage(counts) {
      if (counts.length === 0) return
      // In one order, so that instances that write the same rows at the same moment do not wait for each other in a circle.
      const rows = counts
        .map(rowOf)
        .sort((a, b) => compare(a.day, b.day) || compare(a.organization_id, b.organization_id) || compare(a.api_key_id, b.api_key_id))
      await db.transaction().execute(async (tx) => {
        for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
          await tx
            .insertInto('usage')
            .values(rows.slice(from, from + ROWS_AT_ONCE))
            .onConflict((conflict) =>
              conflict.columns(['day', 'organization_id', 'api_key_id']).doUpdateSet((eb) => ({
                requests: eb('usage.requests', '+', eb.ref('excluded.requests')),
                cost: eb('usage.cost', '+', eb.ref('excluded.cost')),
              })),
            )
            .execute()
        }
        await tx
          .deleteFrom('usage')
          .where('day', '<', utcDayOf(now() - KEPT_DAYS * DAY_MS))
          .execute()
      })
    },

    async usageOfDay(organizationId, day) {
      // Ids are UUIDv7, which sort by time of creation.
      const rows = await db
        .selectFrom('usage as u')
        .leftJoin('api_keys as k', 'k.id', 'u.api_key_id')
        .select(['u.api_key_id', 'u.requests', 'u.cost', 'k.prefix'])
        .where('u.day', '=', day)
        .where('u.organization_id', '=', organizationId)
        .orderBy('u.api_key_id')
        .execute()
      const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
      return {
        requests: sum((row) => row.requests),
        cost: sum((row) => row.cost),
        byKey: rows.flatMap(({ api_key_id: id, prefix, requests }) => (prefix === null ? [] : [{ id, prefix, requests }])),
      }
    },
  }
}

function rowOf({ day, organizationId, apiKeyId, requests, cost }: UsageCount): Tables['usage'] {
  return { day, organization_id: organizationId, api_key_id: apiKeyId ?? '', requests, cost }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
