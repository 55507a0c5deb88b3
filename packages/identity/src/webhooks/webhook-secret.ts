// Secrets of webhooks: 24 random bytes as `whsec_` + base64 (Standard Webhooks), encrypted with AES-256-GCM by a key that the database does not
// have. The id of the webhook is authenticated, so that a sealed secret counts for its own webhook only.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OrreryError } from '@orrery/errors'
import { keptFile } from '../kept-file.ts'

/** Beside an SQLite database, when no key is given. */
export const WEBHOOK_KEY_FILE = 'webhook.key'
/** Standard Webhooks takes 24 to 64. */
const SECRET_BYTES = 24
const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1'
const HEX_KEY = /^[0-9a-f]{64}$/

export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** @param key 32 bytes. */
export function sealWebhookSecret(key: Uint8Array, webhookId: string, secret: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(webhookId))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return [VERSION, iv.toString('base64url'), sealed.toString('base64url')].join('.')
}

/** @throws OrreryError `corrupt`/`webhook_secret_unreadable` for another key, another webhook, or changed bytes. */
export function openWebhookSecret(key: Uint8Array, webhookId: string, sealed: string): string {
  const [version, iv = '', text = ''] = sealed.split('.')
  try {
    const bytes = Buffer.from(text, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(webhookId))
      .setAuthTag(bytes.subarray(-TAG_BYTES))
    if (version !== VERSION) throw new Error(`version ${version}`)
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch (cause) {
    const message = `The secret of the webhook ${webhookId} cannot be decrypted with ORRERY_WEBHOOK_KEY. Its deliveries wait.\nUse the key with which it was created, or rotate its secret.`
    throw new OrreryError('corrupt', 'webhook_secret_unreadable', message, { cause, context: { webhookId } })
  }
}

/** The key in a file that the first start makes, mode 0600. @throws OrreryError `invalid`/`webhook_key_unusable`. */
export async function keptWebhookKey(file: string): Promise<Uint8Array> {
  await mkdir(dirname(file), { recursive: true })
  const text = (await keptFile(file, () => `${randomBytes(32).toString('hex')}\n`)).trim()
  if (HEX_KEY.test(text)) return Buffer.from(text, 'hex')
  const message = `The key of webhook secrets in ${file} cannot be used: it is not 64 hex characters. Nothing was started.\nPut the file of a backup there. Without it the secrets of existing webhooks are lost: delete the file, and rotate each.`
  throw new OrreryError('invalid', 'webhook_key_unusable', message, { context: { file } })
}
