import { z } from 'zod'
import { defineManagementRoute } from '../management-route.ts'
import { organizationIdOf } from '../organization-id.ts'
import { WebhookItem, webhookItem } from './webhook-item.ts'

/** The webhooks of the caller's organization, oldest first. */
export const listWebhooks = defineManagementRoute({
  operationId: 'listWebhooks',
  method: 'get',
  path: '/v1/org/webhooks',
  summary: 'Webhooks of your organization',
  description: 'Oldest first, disabled ones included, without their secrets.',
  tagName: 'Webhooks',
  credential: 'bearer',
  stability: 'experimental',
  params: z.strictObject({}),
  body: null,
  status: 200,
  result: z.array(WebhookItem),
  async handle(_, context) {
    return (await context.access.identity.webhooks.list(organizationIdOf(context))).map(webhookItem)
  },
})
