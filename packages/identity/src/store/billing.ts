// Billing data, as the customer gives it, unchecked. The audit log names the members that changed, not their values.

import type { Kysely, Selectable } from 'kysely'
import type { Billing, BillingChange, Identity } from '../identity.ts'
import type { AuditLog } from './audit-log.ts'
import type { Tables } from './tables.ts'

type Row = Selectable<Tables['billing']>

const COLUMNS = { billingEmail: 'billing_email', companyName: 'company_name', taxId: 'tax_id', country: 'country' } as const

export function billingIn(db: Kysely<Tables>, log: AuditLog, now: () => number): Pick<Identity, 'billing' | 'changeBilling'> {
  const billingOf = async (organizationId: string): Promise<Billing> => {
    const row = await db.selectFrom('billing').selectAll().where('organization_id', '=', organizationId).executeTakeFirst()
    return recordOf(row)
  }
  return {
    billing: billingOf,

    async changeBilling(organizationId, change, by) {
      const given = columnsOf(change)
      const members = Object.keys(given)
      if (members.length === 0) return billingOf(organizationId)
      return log.withAudit(by, async (tx) => {
        const set = { ...given, updated_at_ms: now() }
        const nothing = { billing_email: null, company_name: null, tax_id: null, country: null }
        const row = await tx
          .insertInto('billing')
          .values({ ...nothing, ...set, organization_id: organizationId })
          .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(set))
          .returningAll()
          .executeTakeFirstOrThrow()
        return { result: recordOf(row), event: { organizationId, action: 'billing.change', target: organizationId, details: { members } } }
      })
    },
  }
}

/** Only the given members: an absent member stays unchanged. */
function columnsOf(change: BillingChange): Partial<Row> {
  const given = Object.entries(COLUMNS).flatMap(([member, column]) => {
    const value = change[member as keyof typeof COLUMNS]
    return value === undefined ? [] : [[column, value]]
  })
  return Object.fromEntries(given)
}

function recordOf(row: Row | undefined): Billing {
  return {
    billingEmail: row?.billing_email ?? null,
    companyName: row?.company_name ?? null,
    taxId: row?.tax_id ?? null,
    country: row?.country ?? null,
    updatedAtMs: row?.updated_at_ms ?? null,
  }
}
