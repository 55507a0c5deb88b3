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
