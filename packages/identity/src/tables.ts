// The tables as kysely sees them. Types are the ones that SQLite and PostgreSQL both give back: text and whole numbers.

import type { Plan } from './plans.ts'

/** Unix milliseconds. */
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
    created_at_ms: Milliseconds
  }
}
