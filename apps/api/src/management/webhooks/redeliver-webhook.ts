import { refuse } from '../../errors.ts'
import { defineManagementRoute } from '../management-route.ts'
import { organizationIdOf } from '../organization-id.ts'
import { DeliveryItem, deliveryItem } from './delivery-item.ts'
import { DeliveryPath } from './webhook-path.ts'

/** Makes another attempt of a delivery due. */
export const redeliverWebhook = defineManagementRoute({
  operationId: 'redeliverWebhook',
  method: 'post',
  path: '/v1/org/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
  summary: 'Send a delivery again',
  description:
    'The same body with the same `webhook-id` is sent again, whatever its status, with another 24 hours. Until then it holds back what follows of its account. Of a disabled webhook it waits.',
  tagName: 'Webhooks',
  credential: 'bearer',
  stability: 'experimental',
  params: DeliveryPath,
  body: null,
  status: 200,
  result: DeliveryItem,
  async handle({ params }, context) {
    const { access, actor } = context
    const delivery = await access.identity.webhooks.redeliver(organizationIdOf(context), params.webhook_id, params.delivery_id, actor)
    if (delivery !== null) return deliveryItem(delivery)
    throw refuse(
      'not_found',
      'Your organization has no such delivery, or it was deleted. `GET /v1/org/webhooks/{webhook_id}/deliveries` lists those of a webhook.',
    )
  },
})
