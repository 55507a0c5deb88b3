import { OrreryError } from '@orrery/errors'
import { z } from 'zod'
import { refuse } from '../../errors.ts'
import { defineManagementRoute } from '../management-route.ts'
import { organizationIdOf } from '../organization-id.ts'
import { webhookItem, webhookItemMembers } from './webhook-item.ts'
import { changedFilter, FromLedger, filterProblem, NO_WEBHOOK_FILTER, WEBHOOK_REFUSALS, webhookMembers } from './webhook-members.ts'
import { checkedUrl, newSecret } from './webhook-path.ts'

const { url, description, enabled, addresses, protocols, contracts, activity_types, events, health_factor_below } = webhookMembers

const Body = z.strictObject({
  url,
  description: description.optional(),
  enabled: enabled.default(true),
  addresses: addresses.optional(),
  protocols: protocols.optional(),
  contracts: contracts.optional(),
  activity_types: activity_types.optional(),
  events: events.optional(),
  health_factor_below: health_factor_below.optional(),
  from_ledger: FromLedger.optional(),
})

const Result = z
  .strictObject({
    ...webhookItemMembers,
    secret: z.string().describe('Secret that signs each request: `whsec_` and base64. It is shown only in this answer.'),
  })
  .meta({ id: 'CreatedWebhook' })

/** Creates a webhook of the caller's organization. */
export const createWebhook = defineManagementRoute({
  operationId: 'createWebhook',
  method: 'post',
  path: '/v1/org/webhooks',
  summary: 'Create a webhook',
  description: `Events are sent to the address as they are indexed: in order for each account, at least once, signed with the secret of the answer. An organization may have a number of webhooks, by its plan.\n\n${WEBHOOK_REFUSALS}`,
  tagName: 'Webhooks',
  credential: 'bearer',
  stability: 'experimental',
  params: z.strictObject({}),
  body: Body,
  status: 201,
  result: Result,
  async handle({ body }, context) {
    const { access, actor } = context
    const filter = changedFilter(NO_WEBHOOK_FILTER, body)
    const problem = filterProblem(filter)
    if (problem !== null) throw refuse('invalid_body', problem)
    const address = checkedUrl(body.url, access.webhooks)
    const { secret, seal } = newSecret(access.webhooks)
    const given = { url: address, description: body.description ?? null, enabled: body.enabled, fromLedger: body.from_ledger ?? null }
    const webhook = await access.identity.webhooks
      .add({ organizationId: organizationIdOf(context), ...given, filter, seal }, actor)
      .catch((error: unknown) => {
        if (error instanceof OrreryError && error.code === 'webhook_limit') throw refuse('invalid_body', error.message)
        throw error
      })
    return { ...webhookItem(webhook), secret }
  },
})
