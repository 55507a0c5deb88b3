import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { watchEngine } from './engine-watch.ts'

async function listener(port = 0): Promise<Server> {
  const server = createServer((_, outgoing) => outgoing.end('1\n')).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

const checkOf = (port: number) => async (signal: AbortSignal) => {
  const response = await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' }, signal })
  await response.arrayBuffer()
}

it('an engine whose port refuses connections is not ready, and is given up after the allowed time', async () => {
  const server = await listener()
  const { port } = server.address() as AddressInfo
  const watch = watchEngine({ check: checkOf(port), refusedForMs: 300, everyMs: 20, dir: '/data' })
  expect(watch.problem()).toBeNull()
  await closed(server)
  await expect.poll(watch.problem).toBe('ClickHouse does not answer (ECONNREFUSED)')
  expect(await watch.givenUp).toMatchObject({
    kind: 'unavailable',
    code: 'engine_not_listening',
    message: expect.stringContaining('/data/run/clickhouse.log'),
  })
})

it('an engine that listens again in time is ready again, and its time begins anew', async () => {
  const server = await listener()
  const { port } = server.address() as AddressInfo
  const watch = watchEngine({ check: checkOf(port), refusedForMs: 60_000, everyMs: 10, dir: '/data' })
  let isGivenUp = false
  void watch.givenUp.then(() => (isGivenUp = true))
  await closed(server)
  await expect.poll(watch.problem).not.toBeNull()
  const again = await listener(port)
  await expect.poll(watch.problem).toBeNull()
  watch.stop()
  await closed(again)
  expect(isGivenUp).toBe(false)
})

it('an engine that takes connections and answers badly is not ready, and is not given up', async () => {
  const check = (): Promise<void> => Promise.reject(Object.assign(new Error('Too many'), { name: 'Overloaded' }))
  const watch = watchEngine({ check, refusedForMs: 0, everyMs: 5, dir: '/data' })
  await expect.poll(watch.problem).toBe('ClickHouse does not answer (Overloaded)')
  const outcome = await Promise.race([watch.givenUp, new Promise((resolve) => setTimeout(resolve, 100, 'watched'))])
  expect(outcome).toBe('watched')
  watch.stop()
})
