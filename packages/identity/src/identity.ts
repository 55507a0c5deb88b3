// Access: organizations, their API keys, users, sessions and billing, and the audit log. This is the port; `openIdentity(url)` chooses a
// driver. Errors: `unavailable`/`identity_unreachable` (try again later), `invalid` for what a caller may not store.
// Every change names its actor and is written to the audit log in the same transaction.

import type { Actor } from './actor.ts'
import type { Plan } from './plans.ts'
import type { Scope } from './scopes.ts'
import type { WebhookStore } from './webhooks/webhook.ts'

export type { Actor } from './actor.ts'

export interface Organization {
  /** UUIDv7. */
  readonly id: string
  /** `^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$` */
  readonly slug: string
  readonly name: string
  readonly plan: Plan
  /** Units of the rate limit per minute instead of the plan's, or null. A request costs at least one. */
  readonly requestsPerMinuteOverride: number | null
  /** The override, else the plan's. */
  readonly requestsPerMinute: number
  /** Unix milliseconds. */
  readonly createdAtMs: number
}

/** The public part of a key. Only `addApiKey` returns the key itself, once. */
export interface ApiKeyRecord {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  /** `ory_` and 8 characters: the look-up part. */
  readonly prefix: string
  readonly scopes: readonly Scope[]
  /** Unix milliseconds, like all below; null for never. */
  readonly createdAtMs: number
  readonly lastUsedAtMs: number | null
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
}

/** The caller that a valid key identifies. */
export interface Caller {
  readonly apiKeyId: string
  readonly scopes: readonly Scope[]
  readonly organizationId: string
  readonly organizationSlug: string
  /** The organization's override, else its plan's. */
  readonly requestsPerMinute: number
  /** Streams of the organization that an instance keeps open at the same time. */
  readonly streamsAtOnce: number
}

/** The data that a check of a key with this prefix needs. */
export interface StoredKey {
  /** SHA-256 of the whole key, 64 hex characters. */
  readonly hash: string
  readonly lastUsedAtMs: number | null
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
  readonly caller: Caller
}

export interface User {
  readonly id: string
  readonly organizationId: string
  /** Lower case. */
  readonly email: string
  /** Unix milliseconds, null for a user who may log in. */
  readonly disabledAtMs: number | null
}

/** A user who has just given the right password. */
export interface ProvenUser extends User {
  /** Counts the passwords that the user has had: a session ends with its password. */
  readonly passwordVersion: number
  /** Of the organization: its override, else its plan's. */
  readonly requestsPerMinute: number
}

/** What login limits depend on. For an e-mail address without a user: no user, 0, false. */
export interface LoginFacts {
  readonly userId: string | null
  /** How often an operator has unlocked the account. Failures are counted under this number, so an unlock ends every count at once. */
  readonly unlocks: number
  /** Whether the address has logged in to the account before. */
  readonly isKnownAddress: boolean
}

/** A refused login, for the audit log. */
export interface FailedLogin {
  /** Null for an e-mail address without a user: no organization has a log for it. */
  readonly userId: string | null
  /** Address of the caller. */
  readonly address: string
  /** The limits that this failure reached. */
  readonly reached: readonly string[]
}

/** A login that still counts: not expired, not revoked, of a user who is not disabled and has the same password. */
export interface Session {
  readonly id: string
  readonly userId: string
  readonly organizationId: string
  readonly requestsPerMinute: number
}

/** Null for members that were never given or were cleared. */
export interface Billing {
  readonly billingEmail: string | null
  readonly companyName: string | null
  readonly taxId: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
  /** Unix milliseconds. */
  readonly updatedAtMs: number | null
}

export type BillingChange = Partial<Omit<Billing, 'updatedAtMs'>>

/** Requests of an organization on one day, to be added to those that are stored. */
export interface UsageCount {
  /** UTC day: `2026-01-31`. */
  readonly day: string
  readonly organizationId: string
  /** Null for requests with an access token. */
  readonly apiKeyId: string | null
  readonly requests: number
  /** Units of the rate limit. */
  readonly cost: number
}

/** The stored usage of an organization on one day. */
export interface DayUsage {
  /** With all keys and access tokens. */
  readonly requests: number
  /** Units of the rate limit. */
  readonly cost: number
  /** Keys with requests on that day, in the order in which they were made. */
  readonly byKey: readonly { readonly id: string; readonly prefix: string; readonly requests: number }[]
}

export interface AuditEntry {
  readonly id: string
  /** Unix milliseconds. */
  readonly atMs: number
  readonly by: Actor
  readonly organizationId: string
  /** `api_key.revoke`: what is changed, and how. */
  readonly action: string
  /** Id of what was changed. */
  readonly target: string
  /** Further facts for the reader; never a secret. */
  readonly details: Readonly<Record<string, unknown>>
}

export interface Identity extends AsyncDisposable {
  /** An organization with this slug is reused and its name and plan are left as they are. */
  addOrganization(
    organization: { readonly slug: string; readonly name: string; readonly plan: Plan },
    by: Actor,
  ): Promise<{ readonly organization: Organization; readonly reused: boolean }>
  organizationBySlug(slug: string): Promise<Organization | null>
  organizationById(id: string): Promise<Organization | null>
  /** In the order in which they were made. */
  organizations(): Promise<readonly Organization[]>
  changePlan(organizationId: string, plan: Plan, by: Actor): Promise<void>
  /** Null removes the override. */
  overrideRateLimit(organizationId: string, requestsPerMinute: number | null, by: Actor): Promise<void>

  /** Makes a key and returns it; it cannot be read again. `key` stores one that the caller has made with `makeApiKey` and kept (embedded start). */
  addApiKey(
    key: {
      readonly organizationId: string
      readonly name: string
      readonly scopes: readonly Scope[]
      readonly expiresAtMs: number | null
      readonly key?: string
    },
    by: Actor,
  ): Promise<{ readonly key: string; readonly record: ApiKeyRecord }>
  /** In the order in which they were made. */
  apiKeys(organizationId: string): Promise<readonly ApiKeyRecord[]>
  /** The key as it is now, or null when the organization has no such key. Revoking twice is fine and keeps the first time. */
  revokeApiKey(organizationId: string, id: string, by: Actor): Promise<ApiKeyRecord | null>
  keyByPrefix(prefix: string): Promise<StoredKey | null>
  /** Records a use of these keys, unless a use less than a minute earlier is recorded already. `atMs`: unix milliseconds. */
  recordUses(apiKeyIds: readonly string[], atMs: number): Promise<void>

  /** Null when the e-mail address is taken. The password has 12 to 256 characters. */
  addUser(user: { readonly organizationId: string; readonly email: string; readonly password: string }, by: Actor): Promise<User | null>
  userByEmail(email: string): Promise<User | null>
  /** In the order in which they were made. */
  users(organizationId: string): Promise<readonly User[]>
  /** A disabled user cannot log in, and the sessions of one do not count while it lasts. */
  disableUser(userId: string, disabled: boolean, by: Actor): Promise<void>
  /** Ends every session of the user. */
  changePassword(userId: string, password: string, by: Actor): Promise<void>
  /** `address` as failures are counted. One statement, with or without such a user. */
  loginFacts(email: string, address: string): Promise<LoginFacts>
  /** Remembers that `address` has logged in. The newest 100 of a user are kept. */
  rememberLoginAddress(userId: string, address: string): Promise<void>
  /** Failures that were counted before do not count any more, in any instance, from the next login on. */
  unlockLogins(userId: string, by: Actor): Promise<void>
  /**
   * Adds refused logins to the audit log of the users' organizations, in one transaction. One without a user adds nothing and costs the same
   * work, because a commit delays other answers measurably. The caller does not wait for it: see `FailedLoginLog`.
   */
  auditFailedLogins(failed: readonly FailedLogin[]): Promise<void>
  /** Null for whatever is wrong, in equal time. */
  userOfPassword(email: string, password: string): Promise<ProvenUser | null>

  /** Opens a session that a refresh token names. Its id. A user has at most 20: the oldest ends for the 21st. */
  addSession(user: ProvenUser, expiresAtMs: number, by: Actor): Promise<string>
  /** Null for one that does not count (any more). */
  sessionById(id: string): Promise<Session | null>
  /** Ends one session, as its user asks. False when it did not count any more. */
  endSession(id: string, by: Actor): Promise<boolean>
  /** Ends every session of the organization, or of one of its users. How many there were. */
  revokeSessions(of: { readonly organizationId: string; readonly userId?: string }, by: Actor): Promise<number>

  billing(organizationId: string): Promise<Billing>
  /** Members that are not given stay; null clears. The whole record as it is then. */
  changeBilling(organizationId: string, change: BillingChange, by: Actor): Promise<Billing>

  /** Adds to the stored counts, each row once, all or nothing. Deletes days that are older than 31 days. */
  addUsage(counts: readonly UsageCount[]): Promise<void>
  /** `day`: UTC, `2026-01-31`. */
  usageOfDay(organizationId: string, day: string): Promise<DayUsage>

  readonly webhooks: WebhookStore

  /** Newest first, at most `limit`. */
  auditLog(organizationId: string, limit: number): Promise<readonly AuditEntry[]>
}
