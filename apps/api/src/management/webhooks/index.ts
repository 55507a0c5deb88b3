// The routes of webhooks, in the order in which the document shows them.

import type { ManagementRoute } from '../management-route.ts'
import { changeWebhook } from './change-webhook.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { getWebhook } from './get-webhook.ts'
import { listWebhookDeliveries } from './list-webhook-deliveries.ts'
import { listWebhooks } from './list-webhooks.ts'
import { redeliverWebhook } from './redeliver-webhook.ts'
import { rotateWebhookSecret } from './rotate-webhook-secret.ts'
import { testWebhook } from './test-webhook.ts'

export const webhookRoutes: readonly ManagementRoute[] = [
  createWebhook,
  listWebhooks,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  redeliverWebhook,
  getWebhook,
  changeWebhook,
  deleteWebhook,
]
