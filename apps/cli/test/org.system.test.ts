import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApiKeyAuthenticator, openIdentity, openRedis, redisBus } from '@orrery/identity'
import { type PostgresServer, type RedisServer, startPostgres, startRedis } from '@orrery/testkit/servers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { orgContract, result } from './org-contract.ts'
import { orrery } from './orrery.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-org-'))
let postgres: PostgresServer
let redis: RedisServer
beforeAll(async () => {
  ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

orgContract('SQLite', async () => `sqlite:${join(folder, `${randomUUID()}.sqlite`)}`)
orgContract('PostgreSQL', () => postgres.database())

it('`orrery org` publishes a change to running instances at once where a Redis is named, and reports the delay where it is not', async () => {
  const env = { ORRERY_IDENTITY: await postgres.database(), ORRERY_REDIS: redis.url }
  await result(['create', '--org', 'acme', '--name', 'Acme'], env)
  const { key, id } = await result(['key', 'create', '--org', 'acme', '--name', 'ci'], env)
  await using identity = await openIdentity(env.ORRERY_IDENTITY)
  const connection = await openRedis(redis.url, () => undefined, { answerWithinMs: 60_000, connectWithinMs: 60_000 })
  await using bus = redisBus(connection)
  const listening = Promise.withResolvers<void>()
  const heard = Promise.withResolvers<void>()
  bus.subscribe((change) => (change === 'everything' ? listening : heard).resolve())
  await using authenticator = openApiKeyAuthenticator({ identity, bus })
  await listening.promise
  expect(await authenticator.authenticate(String(key))).toMatchObject({ organizationSlug: 'acme' })
  const revoked = await orrery(['org', 'key', 'revoke', '--org', 'acme', '--id', String(id)], env)
  expect(revoked).toMatchObject({ code: 0, stderr: '' })
  await heard.promise
  expect(await authenticator.authenticate(String(key))).toBeNull()
  connection.disconnect()

  const alone = await orrery(['org', 'plan', '--org', 'acme', '--plan', 'pro'], { ORRERY_IDENTITY: env.ORRERY_IDENTITY })
  expect(alone.stderr).toBe('Running instances see the change within five seconds.\n')
})

it('`orrery org --identity` warns that others can see a password on the command line, and names the variable to use instead', async () => {
  const url = new URL(await postgres.database())
  url.password = 'hunter2hunter2'
  const run = await orrery(['org', 'list', '--identity', url.href])
  expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/`--identity` can be seen .*ORRERY_IDENTITY/) })
  expect(run.stderr).not.toContain('hunter2')
})

it('`orrery org copy` brings organizations and keys from SQLite to PostgreSQL once, and reports equal tables', async () => {
  const from = { ORRERY_IDENTITY: `sqlite:${join(folder, 'moved.sqlite')}` }
  await result(['create', '--org', 'acme', '--name', 'Acme'], from)
  const { key } = await result(['key', 'create', '--org', 'acme', '--name', 'ci'], from)
  const target = await postgres.database()
  const { tables } = await result(['copy'], { ...from, ORRERY_TARGET_IDENTITY: target })
  expect(tables).toContainEqual({ table: 'api_keys', rows: 1, digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
  await using identity = await openIdentity(target)
  await using authenticator = openApiKeyAuthenticator({ identity })
  expect(await authenticator.authenticate(String(key))).toMatchObject({ organizationSlug: 'acme' })
  const again = await orrery(['org', 'copy'], { ...from, ORRERY_TARGET_IDENTITY: target })
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('has rows in its table organizations') })
})
