import { createConnection } from 'node:net'
import { expect, it } from 'vitest'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'

/** The answer of a Redis to one line. */
async function send(url: string, line: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = createConnection({ host: hostname, port: Number(port) })
  socket.write(`${line}\r\n`)
  for await (const answer of socket) {
    socket.destroy()
    return String(answer).trim()
  }
  throw new Error('The server did not answer.')
}

it('a Redis of a test answers, stops answering when it is killed, and answers, empty, at the same address after a restart', async () => {
  await using redis = await startRedis()
  expect(await send(redis.url, 'SET a 1')).toBe('+OK')
  expect(await send(redis.url, 'EXISTS a')).toBe(':1')
  await redis.kill()
  await expect(send(redis.url, 'PING')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await redis.restart()
  expect(await send(redis.url, 'EXISTS a')).toBe(':0')
})

it('a PostgreSQL of a test creates databases and still has them after it was killed', async () => {
  await using postgres = await startPostgres()
  const [one, two] = [await postgres.database(), await postgres.database()]
  expect(one).toMatch(/^postgres:\/\/orrery@127\.0\.0\.1:\d+\/test_1$/)
  expect(two).toMatch(/\/test_2$/)
  await postgres.kill()
  await postgres.restart()
  expect(await postgres.database()).toMatch(/\/test_3$/)
})
