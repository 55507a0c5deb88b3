import { assert } from '@orrery/errors'
import { z } from 'zod'
import { Timestamp } from '../../present/timestamp.ts'
import { defineManagementRoute } from '../management-route.ts'
import { organizationIdOf } from '../organization-id.ts'
import { timeOf } from '../time.ts'
import { newSecret, noWebhook, WebhookPath } from './webhook-path.ts'

const Result = z
  .strictObject({
    secret: z.string().describe('The new secret: `whsec_` and base64. It is shown only in this answer.'),
    previous_secret_valid_until: Timestamp.describe('Until when requests are also signed with the secret before: RFC 3339, UTC.'),
  })
  .meta({ id: 'RotatedWebhookSecret' })

/** Gives a webhook another secret; the one before signs for another 24 hours. */
export const rotateWebhookSecret = defineManagementRoute({
  operationId: 'rotateWebhookSecret',
  method: 'post',
  path: '/v1/org/webhooks/:webhook_id/rotate-secret',
  summary: 'Rotate the secret of a webhook',
  description:
    'Requests are signed with both secrets for 24 hours, so that a receiver can change over without a gap. Another rotation within that time ends the older of the two.',
  tagName: 'Webhooks',
  credential: 'bearer',
  stability: 'experimental',
  params: WebhookPath,
  body: null,
  status: 200,
  result: Result,
  async handle({ params }, context) {
    const { access, actor } = context
    const { secret, seal } = newSecret(access.webhooks)
    const webhook = await access.identity.webhooks.rotateSecret(organizationIdOf(context), params.webhook_id, seal, actor)
    if (webhook === null) throw noWebhook()
    assert(webhook.previousSecretUntilMs !== null, 'A rotated webhook has no previous secret.')
    return { secret, previous_secret_valid_until: timeOf(webhook.previousSecretUntilMs) }
  },
})
