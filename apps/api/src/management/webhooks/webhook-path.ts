// What the routes of webhooks share: their path parameters, their 404, and the secret of a new or rotated webhook.

import { OrreryError } from '@orrery/errors'
import { makeWebhookSecret, sealWebhookSecret, webhookUrlProblem } from '@orrery/identity'
import { z } from 'zod'
import type { WebhookSettings } from '../../access.ts'
import { refuse } from '../../errors.ts'

export const WebhookPath = z.strictObject({ webhook_id: z.string().describe('`id` of the webhook in `GET /v1/org/webhooks`.') })

export const DeliveryPath = WebhookPath.extend({
  delivery_id: z.string().describe('`id` of the delivery in `GET /v1/org/webhooks/{webhook_id}/deliveries`.'),
})

export function noWebhook(): OrreryError {
  return refuse('not_found', 'Your organization has no webhook with this id. `GET /v1/org/webhooks` lists its webhooks.')
}

export interface NewSecret {
  readonly secret: string
  readonly seal: (webhookId: string) => string
}

/** @throws OrreryError `unavailable`/`webhook_key_absent` on a server without a key. */
export function newSecret({ key }: WebhookSettings): NewSecret {
  if (key === null) {
    const message = 'A webhook needs a key for its secret. Nothing was changed.\nSet ORRERY_WEBHOOK_KEY, the same in every instance.'
    throw new OrreryError('unavailable', 'webhook_key_absent', message)
  }
  const secret = makeWebhookSecret()
  return { secret, seal: (webhookId) => sealWebhookSecret(key, webhookId, secret) }
}

/** The address as it is stored. @throws 400. */
export function checkedUrl(text: string, { allowPrivate }: WebhookSettings): string {
  const problem = webhookUrlProblem(text, allowPrivate)
  if (problem !== null) throw refuse('invalid_body', `\`url\` ${problem}`)
  return new URL(text).href
}
