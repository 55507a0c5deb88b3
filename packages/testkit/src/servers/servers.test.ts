import { createConnection } from 'node:net'
import { expect, it } from 'vitest'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import { startServer } from './server-process.ts'

/** What a Redis answers to one line. */
async function say(url: string, line: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = createConnection({ host: hostname, port: Number(port) })
  socket.write(`${line}\r\n`)
  for await (const answer of socket) {
    socket.destroy()
    return String(answer).trim()
  }
  throw new Error('The server said nothing.')
}

it('a Redis is there, goes when it is killed, and comes back empty at the same address', async () => {
  await using redis = await startRedis()
  expect(await say(redis.url, 'SET a 1')).toBe('+OK')
  expect(await say(redis.url, 'EXISTS a')).toBe(':1')
  await redis.kill()
  await expect(say(redis.url, 'PING')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await redis.restart()
  expect(await say(redis.url, 'EXISTS a')).toBe(':0')
})

it('a PostgreSQL makes databases, and has them still after it was killed', async () => {
  await using postgres = await startPostgres()
  const [one, two] = [await postgres.database(), await postgres.database()]
  expect(one).toMatch(/^postgres:\/\/orrery@127\.0\.0\.1:\d+\/test_1$/)
  expect(two).toMatch(/\/test_2$/)
  await postgres.kill()
  await postgres.restart()
  expect(await postgres.database()).toMatch(/\/test_3$/)
})

it('a server that is not installed is named with the way to get it', async () => {
  const command = { name: 'Nothing', program: 'orrery-no-such-program', args: [], ready: /ready/, install: '`apt-get install nothing`' }
  await expect(startServer(command)).rejects.toThrow(/Nothing could not be started \(.*ENOENT.*needs a real one: `apt-get install nothing`/)
})

it('a server that ends at once is told with what it said', async () => {
  const command = { name: 'Sh', program: 'sh', args: ['-c', 'echo no room; exit 3'], ready: /ready/, install: 'a shell' }
  await expect(startServer(command)).rejects.toThrow(/Sh could not be started \(it ended with 3\)[\s\S]*no room/)
})
