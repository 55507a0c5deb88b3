// Who may ask: organizations, their API keys and users. The port; drivers are chosen by `openIdentity(url)`.
// Errors: `unavailable`/`identity_unreachable` (try again later), `invalid` for what a caller may not store.

import type { Plan } from './plans.ts'

export interface Organization {
  /** UUIDv7. */
  readonly id: string
  /** `^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$` */
  readonly slug: string
  readonly name: string
  readonly plan: Plan
  /** Requests a minute instead of the plan's, or null. */
  readonly requestsPerMinuteOverride: number | null
  /** Unix milliseconds. */
  readonly createdAtMs: number
}

/** What may be shown of a key. The key itself is told once, by `addApiKey`. */
export interface ApiKeyRecord {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  /** `ory_` and 8 characters: the look-up part. */
  readonly prefix: string
  readonly scopes: readonly string[]
  /** Unix milliseconds, like all below; null for never. */
  readonly createdAtMs: number
  readonly lastUsedAtMs: number | null
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
}

/** Who a good key speaks for. */
export interface Caller {
  readonly apiKeyId: string
  readonly scopes: readonly string[]
  readonly organizationId: string
  readonly organizationSlug: string
  /** The organization's override, else its plan's. */
  readonly requestsPerMinute: number
}

export interface User {
  readonly id: string
  readonly organizationId: string
  /** Lower case. */
  readonly email: string
}

export interface Identity extends AsyncDisposable {
  /** An organization with this slug is reused and its name and plan are left as they are. */
  addOrganization(organization: {
    readonly slug: string
    readonly name: string
    readonly plan: Plan
  }): Promise<{ organization: Organization; reused: boolean }>
  organizationBySlug(slug: string): Promise<Organization | null>
  /** Null takes the override away. */
  overrideRateLimit(organizationId: string, requestsPerMinute: number | null): Promise<void>

  /** Makes a key and tells it this once. `key` stores one that the caller has made with `makeApiKey` and kept (embedded start). */
  addApiKey(key: {
    readonly organizationId: string
    readonly name: string
    readonly scopes: readonly string[]
    readonly expiresAtMs: number | null
    readonly key?: string
  }): Promise<{ readonly key: string; readonly record: ApiKeyRecord }>
  /** In the order in which they were made. */
  apiKeys(organizationId: string): Promise<readonly ApiKeyRecord[]>
  /** False when the organization has no such key. Revoking twice is fine. */
  revokeApiKey(organizationId: string, id: string): Promise<boolean>
  /** Null for a wrong, revoked or expired key: nobody learns which. Notes the use at most once a minute. */
  callerOf(key: string): Promise<Caller | null>

  /** Null when the e-mail address is taken. The password has 12 to 256 characters. */
  addUser(user: { readonly organizationId: string; readonly email: string; readonly password: string }): Promise<User | null>
  userByEmail(email: string): Promise<User | null>
  /** Null for whatever is wrong, in equal time. */
  userOfPassword(email: string, password: string): Promise<User | null>
}
