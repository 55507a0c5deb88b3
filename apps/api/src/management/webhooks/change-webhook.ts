import { z } from 'zod'
import { refuse } from '../../errors.ts'
import { defineManagementRoute } from '../management-route.ts'
import { organizationIdOf } from '../organization-id.ts'
import { WebhookItem, webhookItem } from './webhook-item.ts'
import { changedFilter, filterProblem, WEBHOOK_REFUSALS, webhookMembers } from './webhook-members.ts'
import { checkedUrl, noWebhook, WebhookPath } from './webhook-path.ts'

const Body = z.strictObject(webhookMembers).partial()
const FILTER = ['addresses', 'protocols', 'contracts', 'activity_types', 'events', 'health_factor_below'] as const

/** Changes the members that are given and keeps the others. */
export const changeWebhook = defineManagementRoute({
  operationId: 'changeWebhook',
  method: 'patch',
  path: '/v1/org/webhooks/:webhook_id',
  summary: 'Change a webhook',
  description: `Give any subset of the members. Deliveries that exist stay as they are; another filter counts for later ledgers. Enabling a webhook makes everything that waits due again.\n\n${WEBHOOK_REFUSALS}`,
  tagName: 'Webhooks',
  credential: 'bearer',
  stability: 'experimental',
  params: WebhookPath,
  body: Body,
  status: 200,
  result: WebhookItem,
  async handle({ params, body }, context) {
    const { access, actor } = context
    const { webhooks } = access.identity
    const organizationId = organizationIdOf(context)
    const current = await webhooks.get(organizationId, params.webhook_id)
    if (current === null) throw noWebhook()
    const filter = changedFilter(current.filter, body)
    const problem = filterProblem(filter)
    if (problem !== null) throw refuse('invalid_body', problem)
    const change = {
      ...(body.url !== undefined && { url: checkedUrl(body.url, access.webhooks) }),
      ...(body.description !== undefined && { description: body.description }),
      ...(body.enabled !== undefined && { enabled: body.enabled }),
      ...(FILTER.some((name) => body[name] !== undefined) && { filter }),
    }
    if (Object.keys(change).length === 0) return webhookItem(current)
    const changed = await webhooks.change(organizationId, params.webhook_id, change, actor)
    if (changed === null) throw noWebhook()
    return webhookItem(changed)
  },
})
