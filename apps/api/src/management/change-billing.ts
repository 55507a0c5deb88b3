import type { BillingChange } from '@orrery/identity'
import { z } from 'zod'
import { BillingRecord, billingRecord } from './billing-record.ts'
import { defineManagementRoute } from './management-route.ts'
import { BillingEmail, CompanyName, Country, TaxId } from './members.ts'
import { organizationIdOf } from './organization-id.ts'

const Body = z.strictObject({
  billing_email: BillingEmail.nullable().optional(),
  company_name: CompanyName.nullable().optional(),
  tax_id: TaxId.nullable().optional(),
  country: Country.nullable().optional(),
})

/** Changes the members that are given and keeps the others. */
export const changeBilling = defineManagementRoute({
  operationId: 'changeBilling',
  method: 'patch',
  path: '/v1/org/billing',
  summary: 'Change the billing record of your organization',
  description:
    'Give any subset of the members; null clears a member. The answer is the whole record. The plan cannot be changed here; the operator sets it.',
  tagName: 'Organization',
  credential: 'bearer',
  params: z.strictObject({}),
  body: Body,
  status: 200,
  result: BillingRecord,
  async handle({ body }, context) {
    const named = { billingEmail: body.billing_email, companyName: body.company_name, taxId: body.tax_id, country: body.country }
    const change = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as BillingChange
    return billingRecord(await context.access.identity.changeBilling(organizationIdOf(context), change, context.actor))
  },
})
