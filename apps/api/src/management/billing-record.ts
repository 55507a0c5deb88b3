// The billing record. All members are null until they are set.

import type { Billing } from '@orrery/identity'
import { z } from 'zod'
import { Timestamp } from '../present/timestamp.ts'
import { timeOrNull } from './time.ts'

export const BillingRecord = z
  .strictObject({
    billing_email: z.string().nullable().describe('E-mail address for invoices. Null if not set.'),
    company_name: z.string().nullable().describe('Company name for invoices. Null if not set.'),
    tax_id: z.string().nullable().describe('Tax or VAT id. Null if not set.'),
    country: z.string().nullable().describe('Country code, ISO 3166-1 alpha-2. Null if not set.'),
    updated_at: Timestamp.nullable().describe('Time of the last change: RFC 3339, UTC. Null if the record was never changed.'),
  })
  .meta({ id: 'Billing' })

export function billingRecord(billing: Billing): z.input<typeof BillingRecord> {
  return {
    billing_email: billing.billingEmail,
    company_name: billing.companyName,
    tax_id: billing.taxId,
    country: billing.country,
    updated_at: timeOrNull(billing.updatedAtMs),
  }
}
