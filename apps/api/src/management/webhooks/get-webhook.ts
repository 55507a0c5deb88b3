import { defineManagementRoute } from '../management-route.ts'
import { organizationIdOf } from '../organization-id.ts'
import { WebhookItem, webhookItem } from './webhook-item.ts'
import { noWebhook, WebhookPath } from './webhook-path.ts'

/** One webhook of the caller's organization. */
export const getWebhook = defineManagementRoute({
  operationId: 'getWebhook',
  method: 'get',
  path: '/v1/org/webhooks/:webhook_id',
  summary: 'A webhook',
  description: 'Its filter and its state, without its secret.',
  tagName: 'Webhooks',
  credential: 'bearer',
  stability: 'experimental',
  params: WebhookPath,
  body: null,
  status: 200,
  result: WebhookItem,
  async handle({ params }, context) {
    const webhook = await context.access.identity.webhooks.get(organizationIdOf(context), params.webhook_id)
    if (webhook === null) throw noWebhook()
    return webhookItem(webhook)
  },
})
