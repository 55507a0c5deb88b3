import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openApiKeyAuthenticator } from './api-key-authenticator.ts'
import { openEmbedded, readEmbedded } from './embedded.ts'
import type { Identity } from './identity.ts'
import { openIdentity } from './open.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-embedded-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = () => openIdentity(`sqlite:${join(folder, 'identity.db')}`)
const authenticate = async (identity: Identity, key: string) => {
  await using authenticator = openApiKeyAuthenticator({ identity })
  return authenticator.authenticate(key)
}
const mode = (file: string) => statSync(file).mode & 0o777

it('the embedded start makes a demo organization with a key and a user that work', async () => {
  await using identity = await open()
  const demo = await openEmbedded(identity, folder)
  expect(demo).toMatchObject({ organization: 'demo', userEmail: 'demo@orrery.local' })
  expect(demo.cursorKey).toHaveLength(32)
  expect(demo.adminToken.length).toBeGreaterThanOrEqual(32)
  expect(await authenticate(identity, demo.apiKey)).toMatchObject({ organizationSlug: 'demo', requestsPerMinute: 12_000 })
  const password = readFileSync(demo.userPasswordFile, 'utf8').trim()
  expect(await identity.userOfPassword(demo.userEmail, password)).toMatchObject({ email: 'demo@orrery.local' })
})

it('the embedded start returns the same secrets at each start and makes nothing twice', async () => {
  await using identity = await open()
  const first = await openEmbedded(identity, folder)
  expect(first.isFirstStart).toBe(true)
  expect(await openEmbedded(identity, folder)).toEqual({ ...first, isFirstStart: false })
  const { id } = (await identity.organizationBySlug('demo')) ?? { id: '' }
  expect(await identity.apiKeys(id)).toHaveLength(1)
})

it('the embedded start closes its files to other users, also after their mode was changed', async () => {
  await using identity = await open()
  const { userPasswordFile, apiKeyFile } = await openEmbedded(identity, folder)
  const files = [join(folder, 'secrets.json'), userPasswordFile, apiKeyFile]
  for (const file of files) {
    expect(mode(file)).toBe(0o600)
    chmodSync(file, 0o644)
  }
  await openEmbedded(identity, folder)
  expect(files.map(mode)).toEqual([0o600, 0o600, 0o600])
})

it('the embedded start stores the key in a separate file, which follows the secrets, and reads all secrets without the database', async () => {
  expect(await readEmbedded(folder)).toBeNull()
  await using identity = await open()
  const first = await openEmbedded(identity, folder)
  expect(readFileSync(first.apiKeyFile, 'utf8')).toBe(`${first.apiKey}\n`)
  rmSync(join(folder, 'secrets.json'))
  const { cursorKey: _, isFirstStart, ...second } = await openEmbedded(identity, folder)
  expect([isFirstStart, second.apiKey === first.apiKey]).toEqual([true, false])
  expect(readFileSync(first.apiKeyFile, 'utf8')).toBe(`${second.apiKey}\n`)
  expect(await readEmbedded(folder)).toEqual({ ...second, userPassword: readFileSync(first.userPasswordFile, 'utf8').trim() })
})

it('the embedded start writes its key again into a database that was deleted', async () => {
  const first = await open()
  const { apiKey } = await openEmbedded(first, folder)
  await first[Symbol.asyncDispose]()
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `identity.db${suffix}`), { force: true })
  await using identity = await open()
  expect(await openEmbedded(identity, folder)).toMatchObject({ apiKey })
  expect(await authenticate(identity, apiKey)).not.toBeNull()
})

it.each(['', '{', '{"apiKey":"x"}'])(
  'the embedded start refuses a secrets file that holds %j, names it and changes nothing',
  async (text) => {
    const file = join(folder, 'secrets.json')
    writeFileSync(file, text)
    await using identity = await open()
    await expect(openEmbedded(identity, folder)).rejects.toMatchObject({ code: 'embedded_secrets_unreadable', context: { file } })
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(existsSync(join(folder, 'demo-user.password'))).toBe(false)
  },
)
