// The tables as kysely sees them. Types are the ones that both databases give back: text and whole numbers. Times are unix milliseconds.

import type { Plan } from '../plans.ts'
import type { DeliveryKind, DeliveryStatus, DisabledReason } from '../webhooks/webhook.ts'

type Milliseconds = number

export interface Tables {
  organizations: {
    id: string
    slug: string
    name: string
    plan: Plan
    requests_per_minute: number | null
    created_at_ms: Milliseconds
  }
  api_keys: {
    id: string
    organization_id: string
    name: string
    prefix: string
    /** SHA-256 of the whole key, hex. */
    hash: string
    /** JSON array of strings. */
    scopes: string
    created_at_ms: Milliseconds
    last_used_at_ms: Milliseconds | null
    expires_at_ms: Milliseconds | null
    revoked_at_ms: Milliseconds | null
  }
  users: {
    id: string
    organization_id: string
    email: string
    /** PHC string. */
    password_hash: string
    /** Counts up with each password. */
    password_version: number
    /** Counts up with each unlock by the operator: failures that were counted before do not count any more. */
    login_unlocks: number
    created_at_ms: Milliseconds
    disabled_at_ms: Milliseconds | null
  }
  /** From where users have logged in: the newest of each. */
  login_addresses: {
    user_id: string
    /** As failures are counted: an IPv4 address, or the first 64 bits of IPv6. */
    address: string
    last_login_ms: Milliseconds
  }
  /** Ids of refresh tokens; the tokens themselves are stored nowhere. */
  refresh_tokens: {
    id: string
    user_id: string
    /** The token counts while the user has this one. */
    password_version: number
    created_at_ms: Milliseconds
    expires_at_ms: Milliseconds
    revoked_at_ms: Milliseconds | null
  }
  billing: {
    organization_id: string
    billing_email: string | null
    company_name: string | null
    tax_id: string | null
    country: string | null
    updated_at_ms: Milliseconds
  }
  usage: {
    /** UTC: `2026-01-31`. */
    day: string
    organization_id: string
    /** '' for requests with an access token. */
    api_key_id: string
    requests: number
    /** Units of the rate limit. */
    cost: number
  }
  audit_log: {
    /** UUIDv7: sorts by time. */
    id: string
    at_ms: Milliseconds
    actor_kind: 'admin_token' | 'user' | 'operator' | 'system'
    actor_id: string
    actor_address: string
    organization_id: string
    action: string
    target: string
    /** JSON object. */
    details: string
  }
  webhooks: {
    id: string
    organization_id: string
    url: string
    description: string | null
    /** JSON object: `WebhookFilter`. */
    filter: string
    /** Counts up with each change of the filter. */
    revision: number
    /** 1 or 0: SQLite has no booleans. */
    enabled: number
    disabled_reason: DisabledReason | null
    disabled_at_ms: Milliseconds | null
    created_at_ms: Milliseconds
    updated_at_ms: Milliseconds
    /** Encrypted, as the next one. */
    secret: string
    previous_secret: string | null
    previous_secret_until_ms: Milliseconds | null
    /** Deliveries exist of all events up to this ledger. */
    ledger: number | null
    /** Of the next delivery. */
    next_sequence: number
    failing_since_ms: Milliseconds | null
    /** Id of the instance that delivers. */
    lease_owner: string | null
    lease_until_ms: Milliseconds
  }
  webhook_deliveries: {
    /** Made of the ids of the webhook and of the event. */
    id: string
    webhook_id: string
    /** Order of the events of a webhook. */
    sequence: number
    kind: DeliveryKind
    event_id: string
    /** '' for a test. */
    account: string
    ledger: number
    payload: string
    status: DeliveryStatus
    attempts: number
    created_at_ms: Milliseconds
    next_attempt_at_ms: Milliseconds
    first_attempt_at_ms: Milliseconds | null
    last_attempt_at_ms: Milliseconds | null
    last_status: number | null
    last_error: string | null
  }
  /** Instances that deliver webhooks. */
  notify_instances: {
    id: string
    until_ms: Milliseconds
  }
}
