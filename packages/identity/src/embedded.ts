// The secrets and the demo organization of the embedded start. Made at the first start and then kept in the data folder, mode 0600.
// A separate deployment never calls this: its secrets come from the environment and have no default.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OrreryError } from '@orrery/errors'
import { makeApiKey, prefixOf } from './api-key.ts'
import type { Actor, Identity } from './identity.ts'
import { keptFile, textOf } from './kept-file.ts'

const SLUG = 'demo'
const EMAIL = 'demo@orrery.local'
const FIRST_START: Actor = { kind: 'system', id: 'first start', address: 'local' }

interface StoredSecrets {
  readonly apiKey: string
  readonly adminToken: string
  /** 64 hex characters. */
  readonly cursorKey: string
}

export interface Embedded {
  /** Slug of the demo organization (plan `enterprise`). */
  readonly organization: string
  readonly apiKey: string
  /** Holds the key and a line break. */
  readonly apiKeyFile: string
  readonly adminToken: string
  /** 32 bytes: the key of the MAC in cursors. */
  readonly cursorKey: Uint8Array
  readonly userEmail: string
  readonly userPasswordFile: string
  /** The secrets were made by this very start. */
  readonly isFirstStart: boolean
}

/** The secrets of the first start that the command line needs. */
export type ShownSecrets = Omit<Embedded, 'cursorKey' | 'isFirstStart'> & { readonly userPassword: string }

/** Errors: `corrupt`/`embedded_secrets_unreadable` when the file is there and is not what was written. */
export async function openEmbedded(identity: Identity, folder: string): Promise<Embedded> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const files = filesIn(folder)
  const isFirstStart = !existsSync(files.secrets)
  const secrets = await keptSecrets(files.secrets)
  const { organization } = await identity.addOrganization({ slug: SLUG, name: 'Demo', plan: 'enterprise' }, FIRST_START)

  // The database may be younger than the secrets: it was deleted, or the first start ended between the two.
  const known = (await identity.apiKeys(organization.id)).some(({ prefix }) => prefix === prefixOf(secrets.apiKey))
  if (!known) {
    const key = { organizationId: organization.id, name: 'demo', scopes: ['data:read'], expiresAtMs: null, key: secrets.apiKey } as const
    await identity.addApiKey(key, FIRST_START)
  }
  // Written anew where it is not the key: the secrets may be younger.
  await writeFile(files.apiKey, `${secrets.apiKey}\n`, { mode: 0o600 })
  await chmod(files.apiKey, 0o600)
  const password = await kept(files.userPassword, () => `${randomBytes(18).toString('base64url')}\n`)
  if ((await identity.userByEmail(EMAIL)) === null) {
    await identity.addUser({ organizationId: organization.id, email: EMAIL, password: password.trim() }, FIRST_START)
  }
  return {
    organization: organization.slug,
    apiKey: secrets.apiKey,
    apiKeyFile: files.apiKey,
    adminToken: secrets.adminToken,
    cursorKey: Buffer.from(secrets.cursorKey, 'hex'),
    userEmail: EMAIL,
    userPasswordFile: files.userPassword,
    isFirstStart,
  }
}

/** The secrets in a data folder, without opening its database. Null before the first start. Errors: as `openEmbedded`. */
export async function readEmbedded(folder: string): Promise<ShownSecrets | null> {
  const files = filesIn(folder)
  const text = await textOf(files.secrets)
  if (text === null) return null
  const { apiKey, adminToken } = secretsOf(text, files.secrets)
  const userPassword = ((await textOf(files.userPassword)) ?? '').trim()
  const named = { organization: SLUG, apiKeyFile: files.apiKey, userEmail: EMAIL, userPasswordFile: files.userPassword }
  return { ...named, apiKey, adminToken, userPassword }
}

function filesIn(folder: string) {
  const file = (name: string) => join(folder, name)
  return { secrets: file('secrets.json'), apiKey: file('demo-key'), userPassword: file('demo-user.password') }
}

async function keptSecrets(file: string): Promise<StoredSecrets> {
  const fresh = (): StoredSecrets => ({
    apiKey: makeApiKey(),
    adminToken: randomBytes(32).toString('base64url'),
    cursorKey: randomBytes(32).toString('hex'),
  })
  return secretsOf(await kept(file, () => `${JSON.stringify(fresh(), null, 2)}\n`), file)
}

function secretsOf(text: string, file: string): StoredSecrets {
  const secrets = parsed(text)
  if (secrets === null) {
    const message = `The secrets of this data folder in ${file} cannot be read. The indexed data is safe.\nDelete that file: the next start makes new ones, and the old demo key no longer works.`
    throw new OrreryError('corrupt', 'embedded_secrets_unreadable', message, { context: { file } })
  }
  return secrets
}

function parsed(text: string): StoredSecrets | null {
  try {
    const { apiKey, adminToken, cursorKey } = JSON.parse(text) as Partial<StoredSecrets>
    if (apiKey === undefined || prefixOf(apiKey) === null) return null
    if (adminToken === undefined || adminToken.length < 32 || !/^[0-9a-f]{64}$/.test(cursorKey ?? '')) return null
    return { apiKey, adminToken, cursorKey: cursorKey ?? '' }
  } catch {
    // Not JSON: the caller names the file and the way out; the parser's message would quote a secret.
    return null
  }
}

/** The text of a file that only its owner reads, also after its mode was changed. */
async function kept(file: string, make: () => string): Promise<string> {
  const text = await keptFile(file, make)
  await chmod(file, 0o600)
  return text
}
