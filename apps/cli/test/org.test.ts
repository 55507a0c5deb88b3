import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApiKeyAuthenticator, openIdentity } from '@orrery/identity'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { result } from './org-contract.ts'
import { orrery } from './orrery.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-org-'))
const refusals = join(folder, 'refusals.sqlite')
beforeAll(async () => {
  await using identity = await openIdentity(`sqlite:${refusals}`)
  await identity.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' }, { kind: 'operator', id: 'test', address: 'here' })
})
afterAll(() => rmSync(folder, { recursive: true }))

it('`orrery org` works on the data folder of `orrery up` as well', async () => {
  const data = join(folder, 'data')
  mkdirSync(data)
  await result(['create', '--org', 'acme', '--name', 'Acme'], { ORRERY_DATA: data })
  const { key } = await result(['key', 'create', '--org', 'acme', '--name', 'ci', '--data', data], {})
  await using identity = await openIdentity(`sqlite:${join(data, 'identity.sqlite')}`)
  await using authenticator = openApiKeyAuthenticator({ identity })
  expect(await authenticator.authenticate(String(key))).toMatchObject({ organizationSlug: 'acme' })
})

it.each([
  ['key list --org unknown', 2, /no organization "unknown"[\s\S]*orrery org list/],
  ['key revoke --org acme --id nothing', 2, /no API key with the id "nothing"[\s\S]*key list --org acme/],
  ['user disable --email unknown@example.org', 2, /no user "unknown@example.org"/],
  ['user unlock --email unknown@example.org', 2, /no user "unknown@example.org"[\s\S]*user list --org SLUG/],
  ['user unlock unknown@example.org', 2, /no user "unknown@example.org"[\s\S]*user list --org SLUG/],
  ['user unlock unknown', 2, /no user "unknown"/],
  ['user unlock a@example.org --email b@example.org', 2, /Two users are named: "a@example.org" and, with --email, "b@example.org"/],
  ['user unlock', 2, /--email \(or ORRERY_EMAIL\) must be given/],
  ['user list acme', 2, /too many arguments/],
  ['user add --org acme --email b@example.org', 2, /No password came on stdin/],
  ['user add --org acme --email unknown', 2, /No password came on stdin/],
  ['create --org -acme --name Acme', 2, /slug has 1 to 63/],
  ['create --org acme', 2, /--name \(or ORRERY_NAME\)/],
  ['plan --org acme --plan gold', 2, /no plan "gold"[\s\S]*free, pro, enterprise/],
  ['limit --org acme --requests-per-minute 0', 2, /--requests-per-minute .* above 0, or `none`/],
  ['key create --org acme --name ci --expires-at 2001-01-01T00:00:00Z', 2, /--expires-at .* must lie in the future/],
  ['key create --org acme --name ci --expires-at tomorrow', 2, /--expires-at .* RFC 3339/],
  ['user add --org acme --email b@example.org --password hunter2hunter2', 2, /unknown option/],
])('refuses `orrery org %s` with a reason and, where there is one, the way out', async (args, code, words) => {
  const run = await orrery(['org', ...args.split(' ')], { ORRERY_IDENTITY: `sqlite:${refusals}` })
  expect([run.code, run.stdout]).toEqual([code, []])
  expect(run.stderr).toMatch(words)
})

it('the help of `orrery org user unlock` names what it ends, the user and the database', async () => {
  const { code, stdout, stderr } = await orrery(['org', 'user', 'unlock', '--help'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.join('\n')).toMatch(/unlock \[options\] \[address\][\s\S]*wrong passwords[\s\S]*--email[\s\S]*--identity[\s\S]*--data/)
})

it('`orrery org` refuses a data folder that is not there, and does not make it', async () => {
  const absent = await orrery(['org', 'list', '--data', join(folder, 'nowhere')])
  expect(absent).toMatchObject({ code: 2, stderr: expect.stringMatching(/no data folder .*nowhere[\s\S]*ORRERY_IDENTITY/) })
  expect(existsSync(join(folder, 'nowhere'))).toBe(false)
})
