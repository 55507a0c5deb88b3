// The tables as kysely sees them. Types are the ones that both databases give back: text and whole numbers. Times are unix milliseconds.

import type { Plan } from '../plans.ts'

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
}
