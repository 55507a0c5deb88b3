// The migrations, in order. Forward only: a released migration never changes and is never reverted.
// Kysely records which ones ran and runs them in one process at a time. Statements must suit SQLite and PostgreSQL.

import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The first tables. */
const organizationsKeysUsers: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('organizations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('slug', 'text', (column) => column.notNull().unique())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('plan', 'text', (column) => column.notNull())
      .addColumn('requests_per_minute', 'integer')
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('api_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('prefix', 'text', (column) => column.notNull().unique())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at_ms', 'bigint')
      .addColumn('expires_at_ms', 'bigint')
      .addColumn('revoked_at_ms', 'bigint')
      .execute()
    await db.schema.createIndex('api_keys_of_organization').on('api_keys').columns(['organization_id', 'id']).execute()
    await db.schema
      .createTable('users')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('password_hash', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .execute()
  },
}

/** Logins end: by their own time, by a revocation, with the password they were made with, and while their user is disabled. */
const sessions: Migration = {
  async up(db: Kysely<unknown>) {
    // One column a statement: SQLite takes no more.
    await db.schema
      .alterTable('users')
      .addColumn('password_version', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await db.schema.alterTable('users').addColumn('disabled_at_ms', 'bigint').execute()
    await db.schema.createIndex('users_of_organization').on('users').columns(['organization_id', 'id']).execute()
    await db.schema
      .createTable('refresh_tokens')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
      .addColumn('password_version', 'integer', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('revoked_at_ms', 'bigint')
      .execute()
    await db.schema.createIndex('refresh_tokens_of_user').on('refresh_tokens').columns(['user_id', 'expires_at_ms']).execute()
  },
}

/** Billing data, as the customer gives it. */
const billing: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('billing')
      .addColumn('organization_id', 'text', (column) => column.primaryKey().references('organizations.id'))
      .addColumn('billing_email', 'text')
      .addColumn('company_name', 'text')
      .addColumn('tax_id', 'text')
      .addColumn('country', 'text')
      .addColumn('updated_at_ms', 'bigint', (column) => column.notNull())
      .execute()
  },
}

/** The audit log. Rows are only added. */
const auditLog: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('audit_log')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at_ms', 'bigint', (column) => column.notNull())
      .addColumn('actor_kind', 'text', (column) => column.notNull())
      .addColumn('actor_id', 'text', (column) => column.notNull())
      .addColumn('actor_address', 'text', (column) => column.notNull())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('details', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('audit_log_of_organization').on('audit_log').columns(['organization_id', 'id']).execute()
  },
}

/** Login limits: unlocks by an operator, and the addresses from which an account has logged in. */
const loginLimits: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('users')
      .addColumn('login_unlocks', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('login_addresses')
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('last_login_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('login_addresses_key', ['user_id', 'address'])
      .execute()
  },
}

/**
 * Requests and units of each key by UTC day. No foreign keys: rows are written after their requests, in batches, and one row must not prevent
 * that the others are written.
 */
const usage: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('usage')
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('api_key_id', 'text', (column) => column.notNull())
      .addColumn('requests', 'bigint', (column) => column.notNull())
      .addColumn('cost', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_key', ['day', 'organization_id', 'api_key_id'])
      .execute()
  },
}

/** Webhooks, their deliveries, and the instances that share them. */
const webhooks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('webhooks')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('filter', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('disabled_reason', 'text')
      .addColumn('disabled_at_ms', 'bigint')
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('updated_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('previous_secret', 'text')
      .addColumn('previous_secret_until_ms', 'bigint')
      .addColumn('ledger', 'bigint')
      .addColumn('next_sequence', 'bigint', (column) => column.notNull())
      .addColumn('failing_since_ms', 'bigint')
      .addColumn('lease_owner', 'text')
      .addColumn('lease_until_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('webhooks_of_organization').on('webhooks').columns(['organization_id', 'id']).execute()
    await db.schema
      .createTable('webhook_deliveries')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('webhook_id', 'text', (column) => column.notNull().references('webhooks.id'))
      .addColumn('sequence', 'bigint', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('event_id', 'text', (column) => column.notNull())
      .addColumn('account', 'text', (column) => column.notNull())
      .addColumn('ledger', 'bigint', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('next_attempt_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('first_attempt_at_ms', 'bigint')
      .addColumn('last_attempt_at_ms', 'bigint')
      .addColumn('last_status', 'integer')
      .addColumn('last_error', 'text')
      .execute()
    // The log of a webhook; what is pending of it, by account; what is old.
    await db.schema
      .createIndex('webhook_deliveries_of_webhook')
      .on('webhook_deliveries')
      .columns(['webhook_id', 'sequence'])
      .unique()
      .execute()
    await db.schema
      .createIndex('webhook_deliveries_by_account')
      .on('webhook_deliveries')
      .columns(['webhook_id', 'status', 'account', 'sequence'])
      .execute()
    await db.schema.createIndex('webhook_deliveries_by_time').on('webhook_deliveries').columns(['status', 'last_attempt_at_ms']).execute()
    await db.schema
      .createTable('notify_instances')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('until_ms', 'bigint', (column) => column.notNull())
      .execute()
  },
}

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_organizations_keys_users': organizationsKeysUsers,
  '0002_sessions': sessions,
  '0003_billing': billing,
  '0004_audit_log': auditLog,
  '0005_login_limits': loginLimits,
  '0006_usage': usage,
  '0007_webhooks': webhooks,
}
