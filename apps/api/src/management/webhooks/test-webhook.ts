import { defineManagementRoute } from '../management-route.ts'
import { organizationIdOf } from '../organization-id.ts'
import { timeOf } from '../time.ts'
import { DeliveryItem, deliveryItem } from './delivery-item.ts'
import { noWebhook, WebhookPath } from './webhook-path.ts'

/** Sends a test event to a webhook. */
export const testWebhook = defineManagementRoute({
  operationId: 'testWebhook',
  method: 'post',
  path: '/v1/org/webhooks/:webhook_id/test',
  summary: 'Send a test event',
  description:
    'A signed request with an event `test` is sent within seconds, once, also while the webhook is disabled. The list of deliveries shows its outcome.',
  tagName: 'Webhooks',
  credential: 'bearer',
  stability: 'experimental',
  params: WebhookPath,
  body: null,
  status: 201,
  result: DeliveryItem,
  async handle({ params }, context) {
    const { access, actor } = context
    const id = params.webhook_id
    const delivery = await access.identity.webhooks.addTest(organizationIdOf(context), id, (atMs) => testPayload(id, atMs), actor)
    if (delivery === null) throw noWebhook()
    return deliveryItem(delivery)
  },
})

/** The body of a test. @param atMs Unix milliseconds. */
export function testPayload(webhookId: string, atMs: number): string {
  return JSON.stringify({ type: 'test', id: 'test', timestamp: timeOf(atMs), webhook_id: webhookId, data: {} })
}
