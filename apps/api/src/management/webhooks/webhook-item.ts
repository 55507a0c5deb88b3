// A webhook in an answer: never its secret.

import { WEBHOOK_EVENTS, type Webhook } from '@orrery/identity'
import { z } from 'zod'
import { Timestamp } from '../../present/timestamp.ts'
import { timeOf, timeOrNull } from '../time.ts'

export const webhookItemMembers = {
  id: z.string().describe('Id of the webhook.'),
  url: z.string().describe('Address that gets the events.'),
  description: z.string().nullable().describe('Text for people. Null: none.'),
  enabled: z.boolean().describe('False: nothing is sent. Events wait, and none is skipped.'),
  disabled_reason: z
    .enum(['gone', 'failing'])
    .nullable()
    .describe(
      'Why the server disabled it: `gone`, the receiver answered 410; `failing`, no attempt has succeeded for 24 hours. Null: it is enabled, or your organization disabled it.',
    ),
  disabled_at: Timestamp.nullable().describe('Since when it is disabled: RFC 3339, UTC. Null while it is enabled.'),
  addresses: z.array(z.string()).describe('Only events of these accounts. Empty: of all.'),
  protocols: z.array(z.string()).describe('Only events of these protocols. Empty: of all.'),
  contracts: z.array(z.string()).describe('Only events of these pools. Empty: of all.'),
  activity_types: z.array(z.string()).describe('Only activities of these types. Empty: of all.'),
  events: z.array(z.enum(WEBHOOK_EVENTS)).describe('Kinds of events that it gets.'),
  health_factor_below: z.string().nullable().describe('Threshold of the events `health_factor`. Null: health factors are not watched.'),
  last_ledger: z
    .int()
    .nullable()
    .describe('All events up to this ledger are in the list of deliveries. It may be up to 30 seconds old. Null: none was read yet.'),
  failing_since: Timestamp.nullable().describe(
    'Time of the first failed attempt after which none has succeeded: RFC 3339, UTC. Null: the last attempt succeeded, or there was none.',
  ),
  previous_secret_valid_until: Timestamp.nullable().describe(
    'Until when requests are also signed with the secret before the last rotation: RFC 3339, UTC. Null: the secret was never rotated.',
  ),
  created_at: Timestamp,
  updated_at: Timestamp.describe('Time of the last change by your organization: RFC 3339, UTC.'),
} as const

export const WebhookItem = z.strictObject(webhookItemMembers).meta({ id: 'Webhook' })

export function webhookItem(webhook: Webhook): z.input<typeof WebhookItem> {
  const { filter } = webhook
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    enabled: webhook.enabled,
    disabled_reason: webhook.disabledReason,
    disabled_at: timeOrNull(webhook.disabledAtMs),
    addresses: [...filter.addresses],
    protocols: [...filter.protocols],
    contracts: [...filter.contracts],
    activity_types: [...filter.activityTypes],
    events: [...webhookEventsOf(filter)],
    health_factor_below: filter.healthFactorBelow,
    last_ledger: webhook.ledger,
    failing_since: timeOrNull(webhook.failingSinceMs),
    previous_secret_valid_until: timeOrNull(webhook.previousSecretUntilMs),
    created_at: timeOf(webhook.createdAtMs),
    updated_at: timeOf(webhook.updatedAtMs),
  }
}

/** The kinds that it gets: those that are named, else the default. */
export function webhookEventsOf({ events, healthFactorBelow }: Webhook['filter']): NonNullable<Webhook['filter']['events']> {
  if (events !== null) return events
  return healthFactorBelow === null ? ['activity', 'position'] : ['activity', 'position', 'health_factor']
}
