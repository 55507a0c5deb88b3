// A delivery in an answer, without its body.

import { DELIVERY_STATUSES, type Delivery, WEBHOOK_EVENTS } from '@orrery/identity'
import { z } from 'zod'
import { Timestamp } from '../../present/timestamp.ts'
import { timeOf, timeOrNull } from '../time.ts'

export const DeliveryItem = z
  .strictObject({
    id: z.string().describe('Id of the delivery: the header `webhook-id` of each of its requests.'),
    webhook_id: z.string().describe('Id of the webhook.'),
    event: z.enum([...WEBHOOK_EVENTS, 'test']).describe('Kind of the event.'),
    event_id: z.string().describe('Id of the event, as in the stream. `test` for a test.'),
    address: z.string().nullable().describe('Account of the event. Null for a test.'),
    ledger: z.int().nullable().describe('Ledger of the event. Null for a test.'),
    status: z
      .enum(DELIVERY_STATUSES)
      .describe(
        '`pending`: not delivered yet. `delivered`: the receiver answered with 2xx. `dead`: given up, 24 hours after the first attempt; of a test, after one.',
      ),
    attempts: z.int().describe('Number of attempts so far.'),
    last_attempt_at: Timestamp.nullable().describe('Time of the last attempt: RFC 3339, UTC. Null before the first one.'),
    next_attempt_at: Timestamp.nullable().describe(
      'Earliest time of the next attempt: RFC 3339, UTC. It waits longer while an earlier delivery of the same account is pending. Null unless it is pending.',
    ),
    response_status: z.int().nullable().describe('HTTP status of the last answer. Null: no attempt yet, or no answer came.'),
    error: z.string().nullable().describe('Why the last attempt failed. Null: no attempt yet, or it succeeded.'),
    created_at: Timestamp,
  })
  .meta({ id: 'WebhookDelivery' })

export function deliveryItem(delivery: Delivery): z.input<typeof DeliveryItem> {
  const isTest = delivery.kind === 'test'
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event: delivery.kind,
    event_id: delivery.eventId,
    address: isTest ? null : delivery.account,
    ledger: isTest ? null : delivery.ledger,
    status: delivery.status,
    attempts: delivery.attempts,
    last_attempt_at: timeOrNull(delivery.lastAttemptAtMs),
    next_attempt_at: timeOrNull(delivery.nextAttemptAtMs),
    response_status: delivery.lastStatus,
    error: delivery.lastError,
    created_at: timeOf(delivery.createdAtMs),
  }
}
