import { assert } from '@orrery/errors'
import { PLANS, WINDOW_SECONDS } from '@orrery/identity'
import { z } from 'zod'
import { Timestamp } from '../present/timestamp.ts'
import { BillingRecord, billingRecord } from './billing-record.ts'
import { defineManagementRoute } from './management-route.ts'
import { organizationIdOf } from './organization-id.ts'
import { timeOf } from './time.ts'

const Result = z
  .strictObject({
    organization_id: z.string().describe('Id of the organization.'),
    organization_slug: z.string().describe('Slug of the organization.'),
    organization_name: z.string().describe('Name of the organization.'),
    plan: z.enum(PLANS).describe('Plan of the organization. The operator sets it.'),
    rate_limit: z
      .strictObject({
        requests: z.int().describe('Requests per window.'),
        window_seconds: z.int().describe('Length of the window in seconds.'),
      })
      .describe('Limit for all keys and users of the organization together: that of the plan, or another one that was agreed.'),
    billing: BillingRecord,
    created_at: Timestamp,
  })
  .meta({ id: 'Organization' })

/** The caller's organization. */
export const getOrganization = defineManagementRoute({
  operationId: 'getOrganization',
  method: 'get',
  path: '/v1/org',
  summary: 'Your organization',
  description: '',
  tagName: 'Organization',
  credential: 'bearer',
  params: z.strictObject({}),
  body: null,
  status: 200,
  result: Result,
  async handle(_, context) {
    const { identity } = context.access
    const id = organizationIdOf(context)
    const [organization, billing] = await Promise.all([identity.organizationById(id), identity.billing(id)])
    assert(organization !== null, 'A session belongs to an organization that does not exist.', { organization: id })
    return {
      organization_id: organization.id,
      organization_slug: organization.slug,
      organization_name: organization.name,
      plan: organization.plan,
      rate_limit: { requests: organization.requestsPerMinute, window_seconds: WINDOW_SECONDS },
      billing: billingRecord(billing),
      created_at: timeOf(organization.createdAtMs),
    }
  },
})
