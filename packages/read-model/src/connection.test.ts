import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openClickHouse } from './connection.ts'

const NOWHERE = { url: 'http://127.0.0.1:9', user: 'writer', password: '', database: 'orrery' }

it('a connection counts its retry time from the first failure: a process that was suspended during a statement still retries it', async () => {
  await using connection = openClickHouse({ ...NOWHERE, retryForMs: 200 })
  let attempts = 0
  const work = async () => {
    if (++attempts > 1) return 'stored'
    await delay(300) // longer than its patience
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  }
  expect(await connection.attempt('insert', work)).toBe('stored')
  expect(attempts).toBe(2)
})

it('a refusal without its text, as a client gets that was suspended while it sent rows, is a server that cannot be reached: the statement may be tried again', async () => {
  const server = createServer((_, response) => response.writeHead(503, { connection: 'close' }).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await using connection = openClickHouse({ ...NOWHERE, url: `http://127.0.0.1:${port}`, retryForMs: 0 })
  const insert = () => connection.client.insert({ table: 'ledgers_v1', values: [{ ledger: 1 }], format: 'JSONEachRow' })
  await expect(connection.attempt('insert', insert)).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'read_model_unreachable',
    message: `Cannot reach ClickHouse at 127.0.0.1:${port} (no whole answer in time). What was written is safe. Start it, or check its address.`,
  })
  await new Promise((closed) => server.close(closed))
})

/** An HTTP server that answers every statement with `status` and `body`, as ClickHouse would. */
async function answering(status: number, body: string, code = ''): Promise<{ url: string; asked: () => number; stop: () => void }> {
  let asked = 0
  const server = createServer((request, response) => {
    asked++
    request.resume()
    response.writeHead(status, code === '' ? {} : { 'x-clickhouse-exception-code': code }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked: () => asked, stop: () => void server.close() }
}

it('a connection to several servers uses the next one when one fails, and goes on with it', async () => {
  const good = await answering(200, '{"one":1}\n')
  await using connection = openClickHouse({ ...NOWHERE, url: `${NOWHERE.url}, ${good.url}` })
  const statement = async () => (await connection.client.query({ query: 'SELECT 1 AS one', format: 'JSONEachRow' })).json()
  let attempts = 0
  const counted = () => {
    attempts++
    return statement()
  }
  expect(await connection.attempt('one', counted)).toEqual([{ one: 1 }])
  expect(await connection.attempt('one', counted)).toEqual([{ one: 1 }])
  expect([attempts, good.asked()]).toEqual([3, 2])
  good.stop()
})

it('a connection to several servers reports what one of them answered before that another one refuses connections', async () => {
  const text = 'Code: 279. DB::Exception: All connection tries failed. (ALL_CONNECTION_TRIES_FAILED)'
  const away = await answering(500, text, '279')
  await using connection = openClickHouse({ ...NOWHERE, url: `${away.url},${NOWHERE.url}`, retryForMs: 300 })
  const statement = async () => (await connection.client.query({ query: 'SELECT 1 AS one', format: 'JSONEachRow' })).json()
  await expect(connection.attempt('one', statement)).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'read_model_unreachable',
    message: `ClickHouse at ${new URL(away.url).host} cannot reach another server that the statement needs: ALL_CONNECTION_TRIES_FAILED (279). What was written is safe, and nothing is answered without it. Start the server of that shard, or check the network between the servers.`,
  })
  away.stop()
})
