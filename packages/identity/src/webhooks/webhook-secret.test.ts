import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keptWebhookKey, makeWebhookSecret, openWebhookSecret, sealWebhookSecret } from './webhook-secret.ts'

const KEY = Buffer.alloc(32, 7)
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-webhook-key-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('a secret has 24 random bytes in base64 behind `whsec_`, as Standard Webhooks wants it', () => {
  const secret = makeWebhookSecret()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(24)
  expect(makeWebhookSecret()).not.toBe(secret)
})

it('a sealed secret opens with its key for its webhook, and with no other', () => {
  const secret = makeWebhookSecret()
  const sealed = sealWebhookSecret(KEY, 'one', secret)
  expect(sealed).not.toContain(secret.slice(6, 20))
  expect(sealWebhookSecret(KEY, 'one', secret)).not.toBe(sealed)
  expect(openWebhookSecret(KEY, 'one', sealed)).toBe(secret)
  const [version, iv = '', text = ''] = sealed.split('.')
  const changed = Buffer.from(text, 'base64url')
  changed[0] = (changed[0] ?? 0) ^ 1
  const wrong: [Uint8Array, string, string][] = [
    [Buffer.alloc(32, 8), 'one', sealed],
    [KEY, 'two', sealed],
    [KEY, 'one', [version, iv, changed.toString('base64url')].join('.')],
    [KEY, 'one', [version, iv, text.slice(0, 8)].join('.')],
    [KEY, 'one', ['v2', iv, text].join('.')],
    [KEY, 'one', ''],
  ]
  for (const [key, id, bytes] of wrong) {
    expect(() => openWebhookSecret(key, id, bytes)).toThrow(expect.objectContaining({ code: 'webhook_secret_unreadable' }))
  }
})

it('the key in a file is made once, readable by its owner alone, and another text is refused', async () => {
  const file = join(folder, 'webhook.key')
  const key = await keptWebhookKey(file)
  expect([key.length, statSync(file).mode & 0o777]).toEqual([32, 0o600])
  expect(await keptWebhookKey(file)).toEqual(key)
  expect(readFileSync(file, 'utf8').trim()).toBe(Buffer.from(key).toString('hex'))
  writeFileSync(file, 'short')
  await expect(keptWebhookKey(file)).rejects.toMatchObject({ code: 'webhook_key_unusable', context: { file } })
  expect(readFileSync(file, 'utf8')).toBe('short')
})
