// Every credential at every data endpoint that there is: none is forgotten by the gate, and none lets in what another refuses.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { NO_FAILURE_LIMIT } from '../management/testing/no-limits.ts'
import { type CreatedKey, createKey, keyOf, manage, memberOf, type TokenPair } from '../management/testing/requests.ts'
import { routes } from '../testing/all-routes.ts'
import { startTestApi, TEST_ADMIN_TOKEN, type TestApi } from '../testing/start-test-api.ts'
import { toyAnswer } from '../testing/toy-routes.ts'
import { ALICE, PAIR } from './testing/fixtures/network.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)
const VALUES: Readonly<Record<string, string>> = {
  address: ALICE,
  pool_id: PAIR,
  pair: PAIR,
  currency: 'USD',
  hash: 'ab'.repeat(32),
  name: 'net_worth',
  id: 'blend',
  sequence: '100',
}
const ASSET_VALUES: typeof VALUES = { ...VALUES, id: PAIR }
const data = routes.filter(({ path }) => path !== '/v1')
const paths = data.map(({ path }) => {
  const values = path.startsWith('/v1/assets/') ? ASSET_VALUES : VALUES
  return path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? name)
})
const MESSAGE = 'Missing or invalid API key. Send a valid one in the header `x-service-api-key`.'
const ELSEWHERE = `${MESSAGE} The credential in \`authorization\` is not accepted by data endpoints.`

let nowMs = NOON_MS
let api: TestApi
let pair: TokenPair
let good: CreatedKey
let revoked: CreatedKey
let expired: CreatedKey
beforeAll(async () => {
  // The real paths and gates; what stands behind them is another matter.
  const stubs = { query: z.strictObject({}), rules: [], load: async () => ({}), handle: async () => toyAnswer(null) }
  const opened = routes.map((route) => ({ ...route, ...stubs }))
  api = await startTestApi({ routes: opened, clock: { nowMs: () => nowMs }, access: { failures: NO_FAILURE_LIMIT } })
  pair = await memberOf(api, 'acme')
  good = await keyOf(api, 'acme')
  revoked = await keyOf(api, 'acme')
  await manage(api, 'DELETE', `/v1/org/api-keys/${revoked.api_key_id}`, { bearer: pair.access_token })
  expired = (await createKey(api, { expires_at: '2026-01-01T12:00:01Z' })).json as CreatedKey
  nowMs += 1_000
})
afterAll(() => api[Symbol.asyncDispose]())

const ROWS: readonly [string, () => Record<string, string>, string][] = [
  ['nothing', () => ({}), MESSAGE],
  ['a wrong key', () => ({ 'x-service-api-key': 'wrong' }), MESSAGE],
  ['the prefix of a good key', () => ({ 'x-service-api-key': good.key_prefix }), MESSAGE],
  ['the prefix of one key and the secret of another', () => ({ 'x-service-api-key': good.key_prefix + revoked.key.slice(12) }), MESSAGE],
  ['a revoked key', () => ({ 'x-service-api-key': revoked.key }), MESSAGE],
  ['a key in the second of its expiry', () => ({ 'x-service-api-key': expired.key }), MESSAGE],
  ['an access token', () => ({ authorization: `Bearer ${pair.access_token}` }), ELSEWHERE],
  ['a refresh token', () => ({ authorization: `Bearer ${pair.refresh_token}` }), ELSEWHERE],
  ['a good key as a bearer token', () => ({ authorization: `Bearer ${good.key}` }), ELSEWHERE],
  ['an access token as a key', () => ({ 'x-service-api-key': pair.access_token }), MESSAGE],
  ['the admin token', () => ({ 'x-service-admin-token': TEST_ADMIN_TOKEN }), MESSAGE],
]

describe.each(paths)('%s', (path) => {
  const ask = (method: string, headers: Record<string, string>) =>
    api.ask(path, { method, headers: { 'x-service-api-key': '', ...headers } })

  it.each(ROWS)('the endpoint refuses %s, also for a request with If-None-Match', async (_, headers, message) => {
    for (const held of [{}, { 'if-none-match': '*' }]) {
      const answer = await ask('GET', { ...headers(), ...held })
      expect([answer.status, answer.body?.error]).toEqual([401, { code: 'unauthorized', message, docs: '/docs/errors/unauthorized' }])
      expect([answer.headers['www-authenticate'], answer.headers['cache-control'], answer.headers.etag]).toEqual([
        'ApiKey realm="orrery", header="x-service-api-key"',
        'no-store',
        undefined,
      ])
    }
    expect((await ask('HEAD', headers())).status).toBe(401)
  })

  it('the endpoint accepts a valid key', async () => {
    expect((await ask('HEAD', { 'x-service-api-key': good.key })).status).toBe(200)
  })
})

it('every data endpoint requires a credential; what answers at /v1 says without one', async () => {
  expect(data.map(({ credential }) => credential)).toEqual(data.map(() => 'api-key'))
  const answer = await api.ask('/v1', { method: 'HEAD', headers: { 'x-service-api-key': '' } })
  expect([answer.status, answer.headers['ratelimit-limit']]).toEqual([200, undefined])
  expect(paths).toHaveLength(34)
})
