// The billing record on the wire. All null before anybody said anything.

import type { Billing } from '@orrery/identity'
import { z } from 'zod'
import { Timestamp } from '../present/timestamp.ts'
import { timeOrNull } from './time.ts'

export const BillingRecord = z
  .strictObject({
    billing_email: z.string().nullable(),
    company_name: z.string().nullable(),
    tax_id: z.string().nullable(),
    country: z.string().nullable().describe('ISO 3166-1 alpha-2.'),
    updated_at: Timestamp.nullable(),
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
