// `orrery org key create | list | revoke`. A key is printed once, on stdout; only its hash is stored.

import { OrreryError } from '@orrery/errors'
import type { ApiKeyRecord } from '@orrery/identity'
import type { CliContext } from '../../cli-context.ts'
import { table } from '../../table.ts'
import type { OrgOptions } from './org-options.ts'
import { time, withIdentity } from './with-identity.ts'

export async function createKey(options: OrgOptions<'keyCreate'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, operator, organization, say }) => {
    const { id, slug } = await organization(options.org)
    const given = { organizationId: id, name: options.name, scopes: ['data:read'], expiresAtMs: options.expiresAt ?? null } as const
    const { key, record } = await identity.addApiKey(given, operator)
    const text = `${key}\n`
    say({ event: 'api_key', organization: slug, key, ...documentOf(record) }, text)
    if (!options.json) context.stderr.write('This is the only time that the key is shown: only its hash is stored.\n')
  })
}

export async function listKeys(options: OrgOptions<'keyList'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, organization, say }) => {
    const { id, slug } = await organization(options.org)
    const keys = await identity.apiKeys(id)
    const rows = keys.map((key) => [
      key.id,
      key.prefix,
      key.name,
      key.revokedAtMs === null ? 'good' : 'revoked',
      time(key.lastUsedAtMs) ?? 'never',
      time(key.expiresAtMs) ?? 'never',
    ])
    const text = keys.length === 0 ? `${slug} has no API key.\n` : table(['id', 'prefix', 'name', 'state', 'last used', 'expires'], rows)
    say({ event: 'api_keys', organization: slug, keys: keys.map(documentOf) }, text)
  })
}

export async function revokeKey(options: OrgOptions<'keyRevoke'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, operator, organization, changed, say }) => {
    const { id, slug } = await organization(options.org)
    const record = await identity.revokeApiKey(id, options.id, operator)
    if (record === null) {
      const message = `${slug} has no API key with the id ${JSON.stringify(options.id)}. Nothing was changed.\n\`orrery org key list --org ${slug}\` shows its keys.`
      throw new OrreryError('not_found', 'unknown_api_key', message)
    }
    await changed({ prefix: record.prefix })
    say({ event: 'api_key', organization: slug, ...documentOf(record) }, `Revoked ${record.prefix} (${record.name}) of ${slug}.\n`)
  })
}

function documentOf(key: ApiKeyRecord): Readonly<Record<string, unknown>> {
  return {
    id: key.id,
    prefix: key.prefix,
    name: key.name,
    scopes: key.scopes,
    revoked: key.revokedAtMs !== null,
    createdAt: time(key.createdAtMs),
    lastUsedAt: time(key.lastUsedAtMs),
    expiresAt: time(key.expiresAtMs),
  }
}
