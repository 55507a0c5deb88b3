import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { keyOf, manage, memberOf } from '../management/testing/requests.ts'
import { setCheckpoint, withFixtureApi } from '../routes/testing/fixture-api.ts'
import { closeTime, hashOf } from '../routes/testing/fixtures/network.ts'
import { readStream } from '../testing/read-stream.ts'
import { startTestApi, type TestApi } from '../testing/start-test-api.ts'
import { echo } from '../testing/toy-routes.ts'

const fixture = withFixtureApi(['soroswap'])
const folder = mkdtempSync(join(tmpdir(), 'orrery-revoked-'))
afterAll(() => rmSync(folder, { recursive: true }))
const NOON_MS = Date.UTC(2026, 0, 1, 12)

/** An instance on the database `name` of organizations, without Redis: other instances on it hear nothing of its changes. */
function instance(name: string, clock: { nowMs(): number }): Promise<TestApi> {
  return startTestApi({
    ...{ routes: [echo], clock, shared: { readModel: fixture.readModel }, identityUrl: `sqlite:${join(folder, name)}` },
    streamTimes: { followEvery: 20, checkKeysEvery: 20 },
  })
}

const statusOf = async (api: TestApi, key: string): Promise<number> =>
  (await api.ask('/v1/echo/hello', { headers: { 'x-service-api-key': key } })).status

it('a stream ends within five seconds of the revocation of its key by another instance, of which no message arrives', async () => {
  let nowMs = NOON_MS
  const clock = { nowMs: () => nowMs }
  await using one = await instance('two.sqlite', clock)
  await using two = await instance('two.sqlite', clock)
  const { key, api_key_id: id } = await keyOf(one, 'revoked')
  const { access_token: bearer } = await memberOf(one, 'revoked')
  await using stream = await readStream(`${two.url}/v1/stream?from_ledger=0&events=ledger`, key)
  const [first] = await stream.take(1)
  expect((await manage(one, 'DELETE', `/v1/org/api-keys/${id}`, { bearer })).status).toBe(204)
  expect([await statusOf(one, key), await statusOf(two, key)]).toEqual([401, 200])
  // Checks come each half second: this is the last one within the five seconds.
  nowMs = NOON_MS + 4_500
  expect((await stream.rest()).at(-1)).toMatchObject({ event: 'end', data: { reason: 'key_invalid', last_event_id: first?.id } })
})

it('a stream whose key cannot be confirmed goes on for a short while, and ends within five seconds', async () => {
  let nowMs = NOON_MS
  await using api = await instance('away.sqlite', { nowMs: () => nowMs })
  const { key } = await keyOf(api, 'unconfirmed')
  using database = new DatabaseSync(join(folder, 'away.sqlite'))
  await using stream = await readStream(`${api.url}/v1/stream?events=ledger`, key)

  database.exec('ALTER TABLE api_keys RENAME TO away')
  nowMs = NOON_MS + 2_400
  await delay(200)
  database.exec('ALTER TABLE away RENAME TO api_keys')
  expect(await statusOf(api, key)).toBe(200)
  await delay(200)
  const ledger = (await fixture.readModel.watermark()).ledger + 1
  await fixture.store.writeLedgers([{ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) }], BigInt(ledger))
  await setCheckpoint(fixture.store, ledger)
  expect(await stream.take(1)).toMatchObject([{ event: 'ledger', data: { ledger } }])

  database.exec('ALTER TABLE api_keys RENAME TO away')
  nowMs += 5_000
  expect(await stream.rest()).toMatchObject([{ event: 'end', data: { reason: 'failed', last_event_id: String(ledger) } }])
  database.exec('ALTER TABLE away RENAME TO api_keys')
})
