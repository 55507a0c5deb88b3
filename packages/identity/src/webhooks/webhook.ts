// Webhooks: where an organization wants its events, the deliveries of each, and the leases by which instances share the work. This is the port;
// its two drivers are those of `Identity`. The store has sealed secrets only and does not know their key.

import type { Actor } from '../actor.ts'

export const WEBHOOK_EVENTS = ['activity', 'position', 'health_factor'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** Which events a webhook gets. Empty lists match everything. */
export interface WebhookFilter {
  readonly addresses: readonly string[]
  readonly protocols: readonly string[]
  readonly contracts: readonly string[]
  readonly activityTypes: readonly string[]
  /** Null: activities and positions, and health factors where there is a threshold. */
  readonly events: readonly WebhookEvent[] | null
  /** Decimal number; null: health factors are not watched. */
  readonly healthFactorBelow: string | null
}

/**
 * `gone`: the receiver answered 410. `failing`: no attempt has succeeded for 24 hours. Null: the organization did it.
 */
export type DisabledReason = 'gone' | 'failing'

export interface Webhook {
  /** UUIDv7. */
  readonly id: string
  readonly organizationId: string
  readonly url: string
  readonly description: string | null
  readonly filter: WebhookFilter
  readonly enabled: boolean
  readonly disabledReason: DisabledReason | null
  /** Unix milliseconds, like all below. Null while it is enabled. */
  readonly disabledAtMs: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** Deliveries exist of all events up to this ledger. Null: none was read yet. */
  readonly ledger: number | null
  /** Time of the first attempt that failed since the last one that succeeded. Null: the last attempt succeeded, or there was none. */
  readonly failingSinceMs: number | null
  /** Until when the secret before the last rotation still signs. Null: there is none. */
  readonly previousSecretUntilMs: number | null
}

export interface NewWebhook {
  readonly organizationId: string
  readonly url: string
  readonly description: string | null
  readonly filter: WebhookFilter
  readonly enabled: boolean
  /** First ledger whose events are delivered. Null: the first one that closes after the webhook was created. */
  readonly fromLedger: number | null
  /** Encrypts the secret for the webhook with this id. */
  readonly seal: (webhookId: string) => string
}

export type WebhookChange = Partial<Pick<NewWebhook, 'url' | 'description' | 'filter' | 'enabled'>>

/** `dead`: given up after 24 hours, or a test that failed. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]
export type DeliveryKind = WebhookEvent | 'test'

/** One event for one webhook. */
export interface Delivery {
  /** The header `webhook-id`: the same for every attempt. */
  readonly id: string
  readonly webhookId: string
  readonly kind: DeliveryKind
  /** Id of the event, as in the stream. */
  readonly eventId: string
  /** '' for a test. */
  readonly account: string
  /** 0 for a test. */
  readonly ledger: number
  readonly status: DeliveryStatus
  readonly attempts: number
  /** Unix milliseconds, like all below. */
  readonly createdAtMs: number
  readonly lastAttemptAtMs: number | null
  /** Null unless it is pending. */
  readonly nextAttemptAtMs: number | null
  /** HTTP status of the last answer; null: no attempt yet, or no answer came. */
  readonly lastStatus: number | null
  /** Why the last attempt failed; null: no attempt yet, or it succeeded. */
  readonly lastError: string | null
}

/** An event that becomes a delivery. */
export interface NewDelivery {
  readonly id: string
  readonly kind: WebhookEvent
  readonly eventId: string
  readonly account: string
  readonly ledger: number
  /** The body of the request. */
  readonly payload: string
}

/** A webhook as the instance that has its lease needs it. */
export interface LeasedWebhook extends Webhook {
  /** Counts up when the filter changes. */
  readonly revision: number
  readonly sealedSecret: string
  readonly sealedPreviousSecret: string | null
}

/** A delivery whose attempt is due. */
export interface DueDelivery {
  readonly id: string
  readonly kind: DeliveryKind
  readonly account: string
  readonly payload: string
  readonly attempts: number
  /** Unix milliseconds; null before the first attempt. */
  readonly firstAttemptAtMs: number | null
}

export type AttemptResult =
  | { readonly is: 'delivered'; readonly status: number }
  /** `retryAtMs` null: it is dead. */
  | { readonly is: 'failed'; readonly status: number | null; readonly error: string; readonly retryAtMs: number | null }

export interface WebhookStore {
  /** @throws OrreryError `invalid`/`webhook_limit` when the organization has as many as its plan allows; `invalid_webhook_description`. */
  add(webhook: NewWebhook, by: Actor): Promise<Webhook>
  /** In the order in which they were made. */
  list(organizationId: string): Promise<readonly Webhook[]>
  get(organizationId: string, id: string): Promise<Webhook | null>
  /** Null when the organization has no such webhook. Enabling makes all pending deliveries due again, with another 24 hours. */
  change(organizationId: string, id: string, change: WebhookChange, by: Actor): Promise<Webhook | null>
  /** Its deliveries are deleted, too. False when the organization has no such webhook. */
  remove(organizationId: string, id: string, by: Actor): Promise<boolean>
  /** The secret that it has now signs for another 24 hours. */
  rotateSecret(organizationId: string, id: string, seal: NewWebhook['seal'], by: Actor): Promise<Webhook | null>
  /** A delivery that says nothing, attempted once. Null when the organization has no such webhook. */
  addTest(organizationId: string, id: string, payloadOf: (atMs: number) => string, by: Actor): Promise<Delivery | null>
  /** Newest first. `after`: id of a delivery, the list begins behind it. Null when the organization has no such webhook or it no such delivery. */
  deliveries(
    organizationId: string,
    id: string,
    page: { readonly status: DeliveryStatus | null; readonly after: string | null; readonly limit: number },
  ): Promise<readonly Delivery[] | null>
  /** Makes an attempt due now, with another 24 hours. Null when there is no such delivery. */
  redeliver(organizationId: string, id: string, deliveryId: string, by: Actor): Promise<Delivery | null>

  /**
   * Takes and renews leases for this instance, so that all enabled webhooks are shared evenly by the instances that called within the lease.
   * A disabled webhook with a pending test is leased as well. What it holds then.
   */
  lease(instance: string, forMs: number): Promise<readonly LeasedWebhook[]>
  /** Ends the leases of this instance: others take them at once. */
  release(instance: string): Promise<void>
  /**
   * Moves the place from `from` to `ledger` and adds the deliveries of the ledgers between, all or nothing. Deliveries that exist stay as they
   * are. False, and nothing is done, when the instance has no lease any more or the place is another one.
   */
  append(
    lease: { readonly instance: string; readonly webhookId: string },
    from: number | null,
    ledger: number,
    deliveries: readonly NewDelivery[],
  ): Promise<boolean>
  /**
   * Pending deliveries of a webhook: all of them, and those of accounts whose oldest one has not failed, at most `mostOfAccount` of each such
   * account.
   */
  pendingCounts(webhookId: string, mostOfAccount: number): Promise<{ readonly total: number; readonly advancing: number }>
  /** What is pending of the webhooks of this instance, and when the oldest of it was made; null when nothing is. */
  pendingOf(instance: string): Promise<{ readonly count: number; readonly oldestAtMs: number | null }>
  /** Webhooks of this instance with deliveries that are due. */
  dueWebhooks(instance: string): Promise<ReadonlySet<string>>
  /** Due deliveries in their order, at most one of each account, and none of an account with an earlier pending one. Tests only when disabled. */
  due(webhookId: string, limit: number): Promise<readonly DueDelivery[]>
  /**
   * Records an attempt. Nothing changes, and null is returned, when the instance has no lease any more. Else whether this attempt has disabled
   * the webhook: on `gone`, or when every attempt has failed for 24 hours.
   */
  finish(
    lease: { readonly instance: string; readonly webhookId: string },
    deliveryId: string,
    result: AttemptResult,
  ): Promise<{ readonly disabled: DisabledReason | null } | null>
  /** Deletes old deliveries: the log has what was delivered for 3 days and what is dead for 30 days. How many. */
  trim(): Promise<number>
}
