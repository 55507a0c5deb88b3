import { defineManagementRoute } from '../management-route.ts'
import { organizationIdOf } from '../organization-id.ts'
import { noWebhook, WebhookPath } from './webhook-path.ts'

/** Deletes a webhook with its deliveries. */
export const deleteWebhook = defineManagementRoute({
  operationId: 'deleteWebhook',
  method: 'delete',
  path: '/v1/org/webhooks/:webhook_id',
  summary: 'Delete a webhook',
  description: 'Its deliveries are deleted, too. A request that is under way may still arrive.',
  tagName: 'Webhooks',
  credential: 'bearer',
  stability: 'experimental',
  params: WebhookPath,
  body: null,
  status: 204,
  result: null,
  async handle({ params }, context) {
    const { access, actor } = context
    if (!(await access.identity.webhooks.remove(organizationIdOf(context), params.webhook_id, actor))) throw noWebhook()
    return null
  },
})
