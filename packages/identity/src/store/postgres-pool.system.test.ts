import { connect, createServer, type Socket } from 'node:net'
import { type PostgresServer, startPostgres } from '@orrery/testkit/servers'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgresPool } from './postgres-pool.ts'

/** A network that breaks silently: from then on no data arrives, and no connection is closed. */
async function breakable(port: number) {
  const through = new Set<Socket>()
  let isBroken = false
  const server = createServer((near) => {
    if (isBroken) return
    const far = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      through.add(from)
      from.on('error', () => undefined)
      from.on('data', (bytes) => isBroken || to.write(bytes))
      from.on('close', () => isBroken || to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.')
  return {
    port: address.port,
    fall: (silent: boolean) => {
      isBroken = silent
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of through) socket.destroy()
      server.close()
    },
  }
}

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server[Symbol.asyncDispose]())

const WAITS = { connectMs: 60_000, statementMs: 3_000, graceMs: 2_000 }
const UNREACHABLE = { kind: 'unavailable', code: 'identity_unreachable' }

/** Which process of the server answers. */
async function pidOf(pool: PostgresPool): Promise<number> {
  const client = await pool.connect()
  try {
    const [row] = (await client.query('SELECT pg_backend_pid() AS pid', [])).rows as { pid: number }[]
    return row?.pid ?? 0
  } finally {
    client.release()
  }
}

it('a server that stops answering is `unavailable` within the client timeout, and its connection is not reused', async () => {
  const url = new URL(await server.database())
  await using network = await breakable(Number(url.port))
  url.port = String(network.port)
  const pool = openPostgresPool(url.href, WAITS)
  const first = await pidOf(pool)
  expect(await pidOf(pool)).toBe(first)
  network.fall(true)
  await expect(pidOf(pool)).rejects.toMatchObject(UNREACHABLE)
  network.fall(false)
  expect(await pidOf(pool)).not.toBe(first)
  await pool.end()
})

it('a server that ends makes running and new queries `unavailable`, and ends nothing else', async () => {
  const pool = openPostgresPool(await server.database(), { ...WAITS, statementMs: 60_000 })
  const [asking, thinking] = [await pool.connect(), await pool.connect()]
  await thinking.query('BEGIN', [])
  const answer = expect(asking.query('SELECT pg_sleep(60)', [])).rejects.toMatchObject(UNREACHABLE)
  await server.kill()
  await answer
  await expect(thinking.query('SELECT 1', [])).rejects.toMatchObject(UNREACHABLE)
  for (const client of [asking, thinking]) client.release()
  await expect(pidOf(pool)).rejects.toMatchObject(UNREACHABLE)
  await server.restart()
  expect(await pidOf(pool)).toBeGreaterThan(0)
  await pool.end()
})

it('a write to a read-only server, such as a standby, is `unavailable`', async () => {
  const pool = openPostgresPool(await server.database(), WAITS)
  const client = await pool.connect()
  await client.query('SET default_transaction_read_only = on', [])
  await expect(client.query('CREATE TABLE anything (id text)', [])).rejects.toMatchObject(UNREACHABLE)
  client.release()
  await pool.end()
})

it('a query waits while every connection is in use, and is `unavailable` after the timeout', async () => {
  const pool = openPostgresPool(await server.database(), { ...WAITS, connectMs: 1_000 })
  const users: PostgresPoolClient[] = []
  // On a busy machine a connection may take longer than that; the next one is made then.
  while (users.length < 10)
    await pool.connect().then(
      (user) => users.push(user),
      () => undefined,
    )
  await expect(pidOf(pool)).rejects.toMatchObject(UNREACHABLE)
  const next = pidOf(pool)
  users.pop()?.release()
  expect(await next).toBeGreaterThan(0)
  for (const user of users) user.release()
  await pool.end()
})
