import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { withClickHouse } from '@orrery/read-model/testing'
import { startPostgres, startRedis } from '@orrery/testkit/servers'
import { afterAll, expect, it } from 'vitest'
import { Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-access-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const clickhouse = withClickHouse()

async function ask(
  url: string,
  { headers = {}, json, method = 'GET' }: { headers?: Record<string, string>; json?: unknown; method?: string } = {},
) {
  const content: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' }
  const body = json === undefined ? null : JSON.stringify(json)
  const response = await fetch(url, { method, body, headers: { connection: 'close', ...content, ...headers } })
  const text = await response.text()
  return { status: response.status, json: text === '' ? null : JSON.parse(text) }
}
const statusWith = async (url: string, key: string) => (await ask(`${url}/v1/health`, { headers: { 'x-service-api-key': key } })).status

it('`orrery up` has a user who logs in and an admin token that makes keys, and `orrery org` beside it takes them away again', async () => {
  const lake = shortLake(join(folder, 'lake'), 2)
  const data = join(folder, 'data')
  await using run = new Orrery(upArguments(lake, data))
  const { url, adminToken, userEmail, userPasswordFile } = await run.result<Ready>()

  const json = { organization_name: 'Acme', organization_slug: 'acme', key_name: 'ci' }
  const made = await ask(`${url}/v1/org/api-keys`, { method: 'POST', json, headers: { 'x-service-admin-token': adminToken } })
  expect(made).toMatchObject({ status: 201, json: { organization_reused: false } })
  expect(await statusWith(url, made.json.key)).toBe(200)

  const password = readFileSync(userPasswordFile, 'utf8').trim()
  const login = await ask(`${url}/v1/auth/login`, { method: 'POST', json: { email: userEmail, password } })
  const authorization = `Bearer ${login.json.access_token}`
  expect(await ask(`${url}/v1/org`, { headers: { authorization } })).toMatchObject({
    status: 200,
    json: { organization_slug: 'demo', plan: 'enterprise' },
  })

  const env = { ORRERY_DATA: data }
  const second = JSON.parse((await orrery(['org', 'key', 'create', '--org', 'acme', '--name', 'second', '--json'], env)).stdout[0] ?? '')
  expect(await statusWith(url, second.key)).toBe(200)
  expect(await orrery(['org', 'key', 'revoke', '--org', 'acme', '--id', made.json.api_key_id], env)).toMatchObject({ code: 0 })
  // Another process has revoked it: this one asks its database again within five seconds.
  while ((await statusWith(url, made.json.key)) === 200) await delay(100)
  expect([await statusWith(url, made.json.key), await statusWith(url, second.key)]).toEqual([401, 200])
  for (const secret of [adminToken, password, made.json.key, second.key, login.json.refresh_token]) expect(run.stderr).not.toContain(secret)
})

it('`orrery api` by itself, on PostgreSQL and Redis, gets its first key from `orrery org`', async () => {
  await using postgres = await startPostgres()
  await using redis = await startRedis()
  const tokenKeys = join(folder, 'token-keys.pem')
  writeFileSync(tokenKeys, generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }))
  const as = (user: 'admin' | 'api') => {
    const { url, password } = clickhouse.host.address(user)
    return { ORRERY_CLICKHOUSE_URL: url, ORRERY_CLICKHOUSE_USER: user, ORRERY_CLICKHOUSE_PASSWORD: password }
  }
  expect(await orrery(['migrate'], as('admin'))).toMatchObject({ code: 0 })
  const shared = { ORRERY_IDENTITY: await postgres.database(), ORRERY_REDIS: redis.url }
  const env = {
    ...as('api'),
    ...shared,
    ORRERY_NETWORK: 'demo',
    ORRERY_PORT: '0',
    ORRERY_INTERNAL_PORT: '0',
    ORRERY_CURSOR_KEY: 'ab'.repeat(32),
  }

  const refused = await orrery(['api'], env)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('ORRERY_TOKEN_KEYS') })
  await using api = new Orrery(['api'], { ...env, ORRERY_TOKEN_KEYS: tokenKeys, ORRERY_LOG_LEVEL: 'debug' })
  const url = await api.waitForStderr(/"url":"([^"]+)"/)

  await orrery(['org', 'create', '--org', 'acme', '--name', 'Acme'], shared)
  const key = (await orrery(['org', 'key', 'create', '--org', 'acme', '--name', 'first'], shared)).stdout[0] ?? ''
  const health = async () => ask(`${url}/v1/health`, { headers: { 'x-service-api-key': key } })
  // On a busy machine a Redis that is there may miss its fifth of a second.
  while ((await health()).json.data.cache !== 'ok') await delay(100)
  expect(await health()).toMatchObject({ status: 200, json: { data: { database: 'ok' } } })
  // No admin token is set, so keys are made by the operator alone.
  expect(
    (await ask(`${url}/v1/org/api-keys`, { method: 'POST', json: {}, headers: { 'x-service-admin-token': 'x'.repeat(32) } })).status,
  ).toBe(401)
  await orrery(['org', 'user', 'add', '--org', 'acme', '--email', 'ann@example.org'], shared, 'correct horse battery')
  const login = await ask(`${url}/v1/auth/login`, { method: 'POST', json: { email: 'ann@example.org', password: 'correct horse battery' } })
  expect(login.status).toBe(200)
  const { id } = JSON.parse((await orrery(['org', 'key', 'list', '--org', 'acme', '--json'], shared)).stdout[0] ?? '').keys[0]
  await redis.kill()
  expect(await health()).toMatchObject({ status: 200, json: { data: { cache: 'unavailable' } } })
  await redis.restart()
  expect(
    await ask(`${url}/v1/org/api-keys/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${login.json.access_token}` } }),
  ).toMatchObject({ status: 204 })
  expect((await health()).status).toBe(401)
  api.signal('SIGTERM')
  expect(await api.exited).toBe(0)
  for (const secret of [key, 'correct horse', login.json.access_token]) expect(api.stderr).not.toContain(secret)
})
