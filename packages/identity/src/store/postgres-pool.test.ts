import { connect, createServer, type Socket } from 'node:net'
import { startPostgres } from '@orrery/testkit/servers'
import { expect, it } from 'vitest'
import { openPostgresPool } from './postgres-pool.ts'

/** A network that breaks without a word: from then on nothing that is sent arrives, and nothing is closed. */
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

it('a server that does not answer any more is unavailable within our own time, and its connection is not used again', async () => {
  await using server = await startPostgres()
  const url = new URL(await server.database())
  await using network = await breakable(Number(url.port))
  url.port = String(network.port)
  const pool = openPostgresPool(url.href, { connectMs: 3_000, statementMs: 1_000, graceMs: 500 })
  const ask = async () => {
    const client = await pool.connect()
    try {
      return (await client.query('SELECT pg_backend_pid() AS pid', [])).rows[0] as { pid: number }
    } finally {
      client.release()
    }
  }
  const first = await ask()
  expect(await ask()).toEqual(first)
  network.fall(true)
  await expect(ask()).rejects.toMatchObject({ kind: 'unavailable', code: 'identity_unreachable' })
  network.fall(false)
  const second = await ask()
  expect(second.pid).not.toBe(first.pid)
  await pool.end()
})
