import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDoorkeeper, openIdentity, openRedis, redisBus } from '@orrery/identity'
import { type PostgresServer, type RedisServer, startPostgres, startRedis } from '@orrery/testkit/servers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orrery } from './orrery.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-org-'))
const refusals = join(folder, 'refusals.sqlite')
const PASSWORD = 'correct horse battery'
let postgres: PostgresServer
let redis: RedisServer
beforeAll(async () => {
  ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  await using identity = await openIdentity(`sqlite:${refusals}`)
  await identity.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' }, { kind: 'operator', id: 'test', address: 'here' })
})
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
  rmSync(folder, { recursive: true })
})

/** The one document of a command that succeeds. */
async function result(args: readonly string[], env: Readonly<Record<string, string>>, stdin?: string): Promise<Record<string, unknown>> {
  const run = await orrery(['org', ...args, '--json'], env, stdin)
  if (run.code !== 0) throw new Error(`orrery org ${args.join(' ')} ended with ${run.code}: ${run.stderr}`)
  expect(run.stdout).toHaveLength(1)
  return JSON.parse(run.stdout[0] ?? '')
}

/** Everything that an operator does. */
async function aDayAtTheDesk(env: Readonly<Record<string, string>>): Promise<void> {
  const run = (args: string, stdin?: string) => result(args.split(' '), env, stdin)
  expect(await run('create --org acme --name Acme --plan pro')).toMatchObject({
    event: 'organization',
    reused: false,
    slug: 'acme',
    plan: 'pro',
  })
  expect(await run('create --org acme --name Other')).toMatchObject({ reused: true, name: 'Acme', plan: 'pro' })
  const made = await run('key create --org acme --name ci --expires-at 2100-01-01T00:00:00Z')
  expect(made).toMatchObject({
    event: 'api_key',
    key: expect.stringMatching(/^ory_/),
    scopes: ['data:read'],
    expiresAt: '2100-01-01T00:00:00Z',
  })
  const { key: _, ...shown } = made
  expect(await run('key list --org acme')).toMatchObject({ keys: [{ id: made.id, prefix: made.prefix, revoked: false, lastUsedAt: null }] })
  expect(JSON.stringify(await run('key list --org acme'))).not.toContain(String(made.key).slice(13))
  expect(shown).not.toHaveProperty('hash')
  expect(await run(`key revoke --org acme --id ${made.id}`)).toMatchObject({ id: made.id, revoked: true })

  expect(await run('user add --org acme --email Ann@Example.org', `${PASSWORD}\n`)).toMatchObject({
    event: 'user',
    email: 'ann@example.org',
  })
  expect(await run('user list --org acme')).toMatchObject({ users: [{ email: 'ann@example.org', disabledAt: null }] })
  expect(await run('user disable --email ann@example.org')).toMatchObject({ disabledAt: expect.stringMatching(/Z$/) })
  expect(await run('user enable --email ann@example.org')).toMatchObject({ disabledAt: null })
  await run('user password --email ann@example.org', 'another password\n')
  expect(await run('user unlock --email ann@example.org')).toMatchObject({ event: 'user', email: 'ann@example.org' })

  expect(await run('plan --org acme --plan enterprise')).toMatchObject({ plan: 'enterprise', requestsPerMinute: 12_000 })
  expect(await run('limit --org acme --requests-per-minute 7')).toMatchObject({ requestsPerMinute: 7, requestsPerMinuteOverride: 7 })
  expect(await run('limit --org acme --requests-per-minute none')).toMatchObject({
    requestsPerMinute: 12_000,
    requestsPerMinuteOverride: null,
  })
  expect(await run('sessions revoke --org acme')).toEqual({ event: 'sessions_revoked', organization: 'acme', count: 0 })
  expect(await run('sessions revoke --org acme --email ann@example.org')).toMatchObject({ count: 0 })
  expect(await run('list')).toMatchObject({ organizations: [{ slug: 'acme' }] })

  const { entries } = (await run('audit --org acme')) as { entries: { action: string; by: { kind: string; address: string } }[] }
  expect(entries.map(({ action }) => action)).toEqual([
    ...['sessions.revoke', 'sessions.revoke', 'organization.rate_limit', 'organization.rate_limit', 'organization.plan'],
    ...[
      'user.unlock',
      'user.password',
      'user.enable',
      'user.disable',
      'user.create',
      'api_key.revoke',
      'api_key.create',
      'organization.create',
    ],
  ])
  expect(entries.every(({ by }) => by.kind === 'operator' && by.address !== '')).toBe(true)
  expect(JSON.stringify(entries)).not.toMatch(/correct horse|another password|ory_\w{8}_/)
}

describe('orrery org', () => {
  it('does everything on PostgreSQL, and what it did is there', async () => {
    const url = await postgres.database()
    await aDayAtTheDesk({ ORRERY_IDENTITY: url })
    await using identity = await openIdentity(url)
    expect(await identity.userOfPassword('ann@example.org', 'another password')).not.toBeNull()
    expect(await identity.userOfPassword('ann@example.org', PASSWORD)).toBeNull()
  })

  it('works on the data folder of `orrery up` as well', async () => {
    const data = join(folder, 'data')
    mkdirSync(data)
    await result(['create', '--org', 'acme', '--name', 'Acme'], { ORRERY_DATA: data })
    const { key } = await result(['key', 'create', '--org', 'acme', '--name', 'ci', '--data', data], {})
    await using identity = await openIdentity(`sqlite:${join(data, 'identity.sqlite')}`)
    await using doorkeeper = openDoorkeeper({ identity })
    expect(await doorkeeper.callerOf(String(key))).toMatchObject({ organizationSlug: 'acme' })
  })

  it('shows a key alone on stdout, so that it can be piped, and tables for eyes', async () => {
    const env = { ORRERY_IDENTITY: await postgres.database() }
    await orrery(['org', 'create', '--org', 'acme', '--name', 'Acme'], env)
    const created = await orrery(['org', 'key', 'create', '--org', 'acme', '--name', 'ci'], env)
    expect(created).toMatchObject({
      code: 0,
      stdout: [expect.stringMatching(/^ory_\w{8}_\w{43}$/)],
      stderr: expect.stringContaining('only time'),
    })
    const list = await orrery(['org', 'list'], env)
    expect(list.stdout[0]).toMatch(/^slug +name +plan +requests\/min +since$/)
    expect(list.stdout[1]).toMatch(/^acme +Acme +free +120 +\d{4}-/)
    const audit = await orrery(['org', 'audit', '--org', 'acme', '--last', '1'], env)
    expect(audit.stdout[1]).toMatch(/operator .*api_key\.create/)
  })

  it('tells running instances at once where a Redis is named, and says so where it is not', async () => {
    const env = { ORRERY_IDENTITY: await postgres.database(), ORRERY_REDIS: redis.url }
    await result(['create', '--org', 'acme', '--name', 'Acme'], env)
    const { key, id } = await result(['key', 'create', '--org', 'acme', '--name', 'ci'], env)
    await using identity = await openIdentity(env.ORRERY_IDENTITY)
    const connection = await openRedis(redis.url, () => undefined, { answerWithinMs: 60_000, connectWithinMs: 60_000 })
    await using bus = redisBus(connection)
    const listening = Promise.withResolvers<void>()
    const heard = Promise.withResolvers<void>()
    bus.hear((change) => (change === 'everything' ? listening : heard).resolve())
    await using doorkeeper = openDoorkeeper({ identity, bus })
    await listening.promise
    expect(await doorkeeper.callerOf(String(key))).toMatchObject({ organizationSlug: 'acme' })
    const told = await orrery(['org', 'key', 'revoke', '--org', 'acme', '--id', String(id)], env)
    expect(told).toMatchObject({ code: 0, stderr: '' })
    await heard.promise
    expect(await doorkeeper.callerOf(String(key))).toBeNull()
    connection.disconnect()

    const alone = await orrery(['org', 'plan', '--org', 'acme', '--plan', 'pro'], { ORRERY_IDENTITY: env.ORRERY_IDENTITY })
    expect(alone.stderr).toBe('Running instances see the change within five seconds.\n')
  })

  it.each([
    ['key list --org nobody', 2, /no organization "nobody"[\s\S]*orrery org list/],
    ['key revoke --org acme --id nothing', 2, /no API key with the id "nothing"[\s\S]*key list --org acme/],
    ['user disable --email nobody@example.org', 2, /no user "nobody@example.org"/],
    ['user unlock --email nobody@example.org', 2, /no user "nobody@example.org"/],
    ['user add --org acme --email b@example.org', 2, /No password came on stdin/],
    ['user add --org acme --email nobody', 2, /No password came on stdin/],
    ['create --org -acme --name Acme', 2, /slug has 1 to 63/],
    ['create --org acme', 2, /--name \(or ORRERY_NAME\)/],
    ['plan --org acme --plan gold', 2, /no plan "gold"[\s\S]*free, pro, enterprise/],
    ['limit --org acme --requests-per-minute 0', 2, /--requests-per-minute .* above 0, or `none`/],
    ['key create --org acme --name ci --expires-at 2001-01-01T00:00:00Z', 2, /--expires-at .* must lie in the future/],
    ['key create --org acme --name ci --expires-at tomorrow', 2, /--expires-at .* RFC 3339/],
    ['user add --org acme --email b@example.org --password hunter2hunter2', 2, /unknown option/],
  ])('refuses `orrery org %s` in words', async (args, code, words) => {
    const run = await orrery(['org', ...args.split(' ')], { ORRERY_IDENTITY: `sqlite:${refusals}` })
    expect([run.code, run.stdout]).toEqual([code, []])
    expect(run.stderr).toMatch(words)
  })

  it('ends the sessions of a user of the organization alone, and notes nothing when the user is of another', async () => {
    const env = { ORRERY_IDENTITY: await postgres.database() }
    for (const slug of ['acme', 'other']) await result(['create', '--org', slug, '--name', slug], env)
    await orrery(['org', 'user', 'add', '--org', 'other', '--email', 'bob@example.org'], env, PASSWORD)
    const run = await orrery(['org', 'sessions', 'revoke', '--org', 'acme', '--email', 'bob@example.org'], env)
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('no user "bob@example.org" in this organization') })
    expect(await result(['audit', '--org', 'acme'], env)).toMatchObject({ entries: [{ action: 'organization.create' }] })
  })

  it('says that a password on the command line is seen by others, and how not to', async () => {
    const url = new URL(await postgres.database())
    url.password = 'hunter2hunter2'
    const run = await orrery(['org', 'list', '--identity', url.href])
    expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/`--identity` can be seen .*ORRERY_IDENTITY/) })
    expect(run.stderr).not.toContain('hunter2')
  })

  it('refuses a short password without showing it, a taken address, and a folder that is not there', async () => {
    const env = { ORRERY_IDENTITY: await postgres.database() }
    await orrery(['org', 'create', '--org', 'acme', '--name', 'Acme'], env)
    const add = (password: string) => orrery(['org', 'user', 'add', '--org', 'acme', '--email', 'ann@example.org'], env, password)
    const short = await add('hunter2')
    expect(short).toMatchObject({ code: 2, stderr: expect.stringContaining('12 to 256 characters') })
    expect(short.stderr).not.toContain('hunter2')
    expect(await add(PASSWORD)).toMatchObject({ code: 0 })
    expect(await add(PASSWORD)).toMatchObject({ code: 2, stderr: expect.stringContaining('is a user already') })
    const absent = await orrery(['org', 'list', '--data', join(folder, 'nowhere')])
    expect(absent).toMatchObject({ code: 2, stderr: expect.stringMatching(/no data folder .*nowhere[\s\S]*ORRERY_IDENTITY/) })
    expect(existsSync(join(folder, 'nowhere'))).toBe(false)
  })
})
