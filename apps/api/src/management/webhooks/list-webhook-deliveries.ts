import { DELIVERY_STATUSES } from '@orrery/identity'
import { z } from 'zod'
import { refuse } from '../../errors.ts'
import { choice } from '../../params/choice.ts'
import { rowLimit } from '../../params/integer.ts'
import { textValue } from '../../params/text-value.ts'
import { defineManagementRoute } from '../management-route.ts'
import { organizationIdOf } from '../organization-id.ts'
import { DeliveryItem, deliveryItem } from './delivery-item.ts'
import { noWebhook, WebhookPath } from './webhook-path.ts'

const Cursor = textValue({ type: 'string' }, 'must be the `next_cursor` of the page before, as it came.', (text) => text)

const Query = z.strictObject({
  status: choice(DELIVERY_STATUSES).optional().describe('Only deliveries with this status.'),
  limit: rowLimit(100).default(50).describe('Maximum number of deliveries of a page.'),
  cursor: Cursor.optional().describe('`next_cursor` of the page before.'),
})

const Result = z
  .strictObject({
    deliveries: z.array(DeliveryItem).describe('Newest first.'),
    next_cursor: z.string().nullable().describe('`cursor` of the next page. Null after the last page.'),
  })
  .meta({ id: 'WebhookDeliveries' })

/** The deliveries of a webhook, newest first. */
export const listWebhookDeliveries = defineManagementRoute({
  operationId: 'listWebhookDeliveries',
  method: 'get',
  path: '/v1/org/webhooks/:webhook_id/deliveries',
  summary: 'Deliveries of a webhook',
  description: 'What is pending, what was delivered in the last 3 days, and what has died in the last 30 days.',
  tagName: 'Webhooks',
  credential: 'bearer',
  stability: 'experimental',
  params: WebhookPath,
  query: Query,
  body: null,
  status: 200,
  result: Result,
  async handle({ params, query }, context) {
    const { webhooks } = context.access.identity
    const organizationId = organizationIdOf(context)
    const { cursor = null, limit, status = null } = query
    if ((await webhooks.get(organizationId, params.webhook_id)) === null) throw noWebhook()
    // One more shows whether there is a next page.
    const found = await webhooks.deliveries(organizationId, params.webhook_id, { status, after: cursor, limit: limit + 1 })
    if (found === null) {
      throw refuse(
        'invalid_cursor',
        '`cursor` is not the `next_cursor` of a page of this list, or its delivery was deleted. Start without it.',
      )
    }
    const shown = found.slice(0, limit)
    return { deliveries: shown.map(deliveryItem), next_cursor: found.length > limit ? (shown.at(-1)?.id ?? null) : null }
  },
})
