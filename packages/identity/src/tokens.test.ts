import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { keptTokenKeys, readTokenKeys, type TokenKeys } from './token-keys.ts'
import { ACCESS_SECONDS, openTokens } from './tokens.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)
const NOON = NOON_MS / 1000
const SESSION = { id: 'session 1', userId: 'user 1' }
const folder = mkdtempSync(join(tmpdir(), 'orrery-tokens-'))
afterAll(() => rmSync(folder, { recursive: true }))

let made = 0
const freshKeys = () => keptTokenKeys(join(folder, `keys-${++made}.pem`))
const pem = (type: 'ed25519' | 'ed448' = 'ed25519') => {
  const { privateKey } = type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ed448')
  return {
    private: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    public: createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString(),
  }
}

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = { iss: 'orrery', aud: 'management', sub: 'user 1', sid: 'session 1', iat: NOON, exp: NOON + 60 }

/** A token written by hand, signed as it should be: only what is changed is wrong with it. */
function token({ kid, signing }: TokenKeys, header: object = {}, payload: object = {}): string {
  const text = `${base64({ alg: 'EdDSA', kid, typ: 'JWT', ...header })}.${base64({ ...claims, ...payload })}`
  return `${text}.${sign(null, Buffer.from(text), signing).toString('base64url')}`
}

describe('a token', () => {
  it('a token names its session until it expires', async () => {
    const keys = await freshKeys()
    let nowMs = NOON_MS
    const tokens = openTokens(keys, () => nowMs)
    const access = await tokens.access(SESSION)
    const refresh = await tokens.refresh(SESSION, NOON_MS + 3_600_000)
    expect([await tokens.sessionOf(access, 'management'), await tokens.sessionOf(refresh, 'refresh')]).toEqual(['session 1', 'session 1'])
    // Five seconds more: clocks of instances differ.
    nowMs += ACCESS_SECONDS * 1000 + 4_000
    expect(await tokens.sessionOf(access, 'management')).toBe('session 1')
    nowMs += 1_000
    expect(await tokens.sessionOf(access, 'management')).toBeNull()
    expect(await tokens.sessionOf(refresh, 'refresh')).toBe('session 1')
    nowMs = NOON_MS + 3_605_000
    expect(await tokens.sessionOf(refresh, 'refresh')).toBeNull()
  })

  it('a token is EdDSA with the thumbprint of its key and an audience', async () => {
    const keys = await freshKeys()
    const [header = '', payload = ''] = (await openTokens(keys, () => NOON_MS).access(SESSION)).split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    expect(read(header)).toEqual({ alg: 'EdDSA', kid: keys.kid, typ: 'JWT' })
    expect(read(payload)).toEqual({ iss: 'orrery', aud: 'management', sub: 'user 1', sid: 'session 1', iat: NOON, exp: NOON + 900 })
  })

  it('a valid token written by hand is accepted, and the clocks of two instances may differ by five seconds', async () => {
    const keys = await freshKeys()
    const tokens = openTokens(keys, () => NOON_MS)
    expect(await tokens.sessionOf(token(keys), 'management')).toBe('session 1')
    expect(await tokens.sessionOf(token(keys, {}, { iat: NOON + 5 }), 'management')).toBe('session 1')
    expect(await tokens.sessionOf(token(keys, {}, { iat: NOON + 6 }), 'management')).toBeNull()
    expect(await tokens.sessionOf(token(keys, {}, { iat: NOON - 60, exp: NOON - 4 }), 'management')).toBe('session 1')
    expect(await tokens.sessionOf(token(keys, {}, { iat: NOON - 60, exp: NOON - 5 }), 'management')).toBeNull()
  })

  it('a token of one kind is refused as the other kind', async () => {
    const tokens = openTokens(await freshKeys(), () => NOON_MS)
    expect(await tokens.sessionOf(await tokens.access(SESSION), 'refresh')).toBeNull()
    expect(await tokens.sessionOf(await tokens.refresh(SESSION, NOON_MS + 60_000), 'management')).toBeNull()
  })

  it.each([
    ['another audience', {}, { aud: 'data' }],
    ['no audience', {}, { aud: undefined }],
    ['another issuer', {}, { iss: 'somebody' }],
    ['no expiry', {}, { exp: undefined }],
    ['no session', {}, { sid: undefined }],
    ['a session that is no text', {}, { sid: 7 }],
    ['no subject', {}, { sub: undefined }],
    ['a time before it counts', {}, { nbf: NOON + 60 }],
    ['an unknown kid', { kid: 'x' }, {}],
    ['no kid', { kid: undefined }, {}],
    ['another algorithm in its header', { alg: 'ES256' }, {}],
    ['an extension that must be understood', { crit: ['exp'] }, {}],
  ])('a token with %s is refused', async (_, header, payload) => {
    const keys = await freshKeys()
    expect(await openTokens(keys, () => NOON_MS).sessionOf(token(keys, header, payload), 'management')).toBeNull()
  })

  it('a token that was changed, is not signed, or is signed with the public key as a secret, is refused', async () => {
    const keys = await freshKeys()
    const tokens = openTokens(keys, () => NOON_MS)
    const good = token(keys)
    const [header = '', payload = '', signature = ''] = good.split('.')
    const unsigned = `${base64({ alg: 'none', kid: keys.kid })}.${payload}`
    const hmacText = `${base64({ alg: 'HS256', kid: keys.kid })}.${payload}`
    const open = keys.checking.get(keys.kid)?.export({ format: 'pem', type: 'spki' }) ?? ''
    const others = [
      '',
      'x',
      '..',
      `${header}.${base64({ ...claims, sid: 'session 2' })}.${signature}`,
      `${header}.${payload}.${'A'.repeat(86)}`,
      `${header}.${payload}.`,
      `${unsigned}.`,
      unsigned,
      `${hmacText}.${createHmac('sha256', open).update(hmacText).digest('base64url')}`,
      token(await freshKeys(), { kid: keys.kid }),
      `${good}.${signature}`,
    ]
    for (const other of others) expect(await tokens.sessionOf(other, 'management')).toBeNull()
    expect(await tokens.sessionOf(good, 'management')).toBe('session 1')
  })
})

describe('token keys', () => {
  it('token keys are made once, readable only by their owner', async () => {
    const file = join(folder, 'made', 'token-keys.pem')
    const [one, two] = await Promise.all([keptTokenKeys(file), keptTokenKeys(file)])
    expect(one.kid).toBe(two.kid)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await readTokenKeys(file)).kid).toBe(one.kid)
  })

  it('token keys are rotated without ending a session: the old public key stays until its tokens expire', async () => {
    const file = join(folder, 'rotating.pem')
    const [old, next] = [pem(), pem()]
    const open = async (text: string) => {
      writeFileSync(file, text)
      return openTokens(await readTokenKeys(file), () => NOON_MS)
    }
    const oldToken = await (await open(old.private)).access(SESSION)
    // 1. The next key becomes known everywhere. 2. It signs. 3. The old one goes.
    const announced = await open(old.private + next.public)
    const signing = await open(`# since today\n${next.private}${old.public}`)
    const newToken = await signing.access(SESSION)
    for (const tokens of [announced, signing]) {
      expect(await tokens.sessionOf(oldToken, 'management')).toBe('session 1')
      expect(await tokens.sessionOf(newToken, 'management')).toBe('session 1')
    }
    const after = await open(next.private)
    expect(await after.sessionOf(oldToken, 'management')).toBeNull()
    expect(await after.sessionOf(newToken, 'management')).toBe('session 1')
  })

  it.each([
    ['nothing', ''],
    ['a public key alone', pem().public],
    ['another kind of key', pem('ed448').private],
    [
      'a broken key',
      pem()
        .private.replace(/[A-Za-z]{8}/, 'AAAAAAAA')
        .replace('PRIVATE KEY-----\n', 'PRIVATE KEY-----\n!'),
    ],
  ])('token keys are refused when the file holds %s, with its name and what to do', async (_, text) => {
    const file = join(folder, 'bad.pem')
    writeFileSync(file, text)
    await expect(readTokenKeys(file)).rejects.toMatchObject({ code: 'token_keys_unusable', context: { file } })
    await expect(keptTokenKeys(file)).rejects.toThrow(/openssl genpkey/)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('token keys are refused when there is no file', async () => {
    await expect(readTokenKeys(join(folder, 'absent.pem'))).rejects.toMatchObject({ code: 'token_keys_unusable' })
  })

  it('a token key file that the operator made keeps its mode', async () => {
    const file = join(folder, 'given.pem')
    writeFileSync(file, pem().private)
    chmodSync(file, 0o440)
    await keptTokenKeys(file)
    expect(statSync(file).mode & 0o777).toBe(0o440)
  })
})
