// The contract of `orrery org`, on any database of organizations.

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openIdentity } from '@orrery/identity'
import { describe, expect, it } from 'vitest'
import { orrery } from './orrery.ts'

const PASSWORD = 'correct horse battery'

/** The one document of a command that succeeds. */
export async function result(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin?: string,
): Promise<Record<string, unknown>> {
  const run = await orrery(['org', ...args, '--json'], env, stdin)
  if (run.code !== 0) throw new Error(`orrery org ${args.join(' ')} ended with ${run.code}: ${run.stderr}`)
  expect(run.stdout).toHaveLength(1)
  return JSON.parse(run.stdout[0] ?? '')
}

/** Webhooks. Their secrets go to files. */
async function webhookCommands(run: (args: string) => Promise<Record<string, unknown>>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-webhook-'))
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const key = `--webhook-key ${'5a'.repeat(32)}`
  try {
    const add = `webhook add --org acme --webhook-url https://example.org/a --protocols blend,fxdao --health-factor-below 1.1 --secret-file ${first} ${key}`
    const made = await run(add)
    expect(made).toMatchObject({
      ...{ event: 'webhook', organization: 'acme', url: 'https://example.org/a', enabled: true, protocols: ['blend', 'fxdao'] },
      ...{ events: ['activity', 'position', 'health_factor'], healthFactorBelow: '1.1', secretFile: first, lastLedger: null },
    })
    const secret = readFileSync(first, 'utf8').trim()
    expect([secret, statSync(first).mode & 0o777]).toEqual([expect.stringMatching(/^whsec_/), 0o600])
    await expect(run(add)).rejects.toThrow(/--secret-file/)
    await expect(run(`webhook add --org acme --webhook-url https://10.0.0.1/ --secret-file ${second} ${key}`)).rejects.toThrow(/private/)
    await expect(
      run(`webhook add --org acme --webhook-url https://example.org/ --events health_factor --secret-file ${second} ${key}`),
    ).rejects.toThrow(/threshold/)
    expect(existsSync(second)).toBe(false)
    const of = `--org acme --id ${made.id}`
    expect(await run('webhook list --org acme')).toMatchObject({ webhooks: [{ id: made.id }] })
    expect(await run(`webhook update ${of} --enabled false --protocols all --health-factor-below none`)).toMatchObject({
      ...{ enabled: false, protocols: [], events: ['activity', 'position'], healthFactorBelow: null, disabledAt: expect.any(String) },
    })
    expect(await run(`webhook rotate ${of} --secret-file ${second} ${key}`)).toMatchObject({
      previousSecretValidUntil: expect.stringMatching(/Z$/),
      secretFile: second,
    })
    const test = await run(`webhook test ${of}`)
    expect(test).toMatchObject({ event: 'webhook_delivery', kind: 'test', status: 'pending' })
    expect(await run(`webhook deliveries ${of} --status pending --last 5`)).toMatchObject({ deliveries: [{ id: test.id }] })
    expect(await run(`webhook redeliver ${of} --delivery ${test.id}`)).toMatchObject({ id: test.id, status: 'pending' })
    const shown = JSON.stringify(await run(`webhook show ${of}`))
    for (const file of [first, second]) expect(shown).not.toContain(readFileSync(file, 'utf8').trim().slice(6))
    expect(await run(`webhook remove ${of}`)).toEqual({ event: 'webhook_removed', organization: 'acme', id: made.id })
    await expect(run(`webhook show ${of}`)).rejects.toThrow(/has no webhook/)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Everything that an operator does. */
async function everyOperatorCommand(env: Readonly<Record<string, string>>): Promise<void> {
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
  expect(await run('user unlock Ann@example.org')).toMatchObject({ event: 'user', email: 'ann@example.org' })

  expect(await run('plan --org acme --plan enterprise')).toMatchObject({ plan: 'enterprise', requestsPerMinute: 12_000 })
  expect(await run('limit --org acme --requests-per-minute 7')).toMatchObject({ requestsPerMinute: 7, requestsPerMinuteOverride: 7 })
  expect(await run('limit --org acme --requests-per-minute none')).toMatchObject({
    requestsPerMinute: 12_000,
    requestsPerMinuteOverride: null,
  })
  expect(await run('sessions revoke --org acme')).toEqual({ event: 'sessions_revoked', organization: 'acme', count: 0 })
  expect(await run('sessions revoke --org acme --email ann@example.org')).toMatchObject({ count: 0 })
  expect(await run('list')).toMatchObject({ organizations: [{ slug: 'acme' }] })

  await webhookCommands(run)

  const { entries } = (await run('audit --org acme --last 60')) as { entries: { action: string; by: { kind: string; address: string } }[] }
  expect(entries.map(({ action }) => action)).toEqual([
    ...['webhook.delete', 'webhook.redeliver', 'webhook.test', 'webhook.rotate_secret', 'webhook.change', 'webhook.create'],
    ...['sessions.revoke', 'sessions.revoke', 'organization.rate_limit', 'organization.rate_limit', 'organization.plan'],
    ...[
      'user.unlock',
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

/** Each call of `database` makes an empty one and resolves to its URL. */
export function orgContract(engine: string, database: () => Promise<string>): void {
  describe(`orrery org on ${engine}`, () => {
    it('`orrery org` does everything that an operator does, and what it did is in the database', async () => {
      const url = await database()
      await everyOperatorCommand({ ORRERY_IDENTITY: url })
      await using identity = await openIdentity(url)
      expect(await identity.userOfPassword('ann@example.org', 'another password')).not.toBeNull()
      expect(await identity.userOfPassword('ann@example.org', PASSWORD)).toBeNull()
      expect(await identity.loginFacts('ann@example.org', '192.0.2.1')).toMatchObject({ unlocks: 2 })
    })

    it('`orrery org` shows a key alone on stdout, so that it can be piped, and tables for eyes', async () => {
      const env = { ORRERY_IDENTITY: await database() }
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

    it('`orrery org sessions revoke` ends the sessions of a user of the organization alone, and writes no audit entry when the user is of another', async () => {
      const env = { ORRERY_IDENTITY: await database() }
      for (const slug of ['acme', 'other']) await result(['create', '--org', slug, '--name', slug], env)
      await orrery(['org', 'user', 'add', '--org', 'other', '--email', 'bob@example.org'], env, PASSWORD)
      const run = await orrery(['org', 'sessions', 'revoke', '--org', 'acme', '--email', 'bob@example.org'], env)
      expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('no user "bob@example.org" in this organization') })
      expect(await result(['audit', '--org', 'acme'], env)).toMatchObject({ entries: [{ action: 'organization.create' }] })
    })

    it('`orrery org user add` refuses a short password without showing it, and a taken email address', async () => {
      const env = { ORRERY_IDENTITY: await database() }
      await orrery(['org', 'create', '--org', 'acme', '--name', 'Acme'], env)
      const add = (password: string) => orrery(['org', 'user', 'add', '--org', 'acme', '--email', 'ann@example.org'], env, password)
      const short = await add('hunter2')
      expect(short).toMatchObject({ code: 2, stderr: expect.stringContaining('12 to 256 characters') })
      expect(short.stderr).not.toContain('hunter2')
      expect(await add(PASSWORD)).toMatchObject({ code: 0 })
      expect(await add(PASSWORD)).toMatchObject({ code: 2, stderr: expect.stringContaining('is a user already') })
    })
  })
}
