import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withClickHouse } from '@orrery/read-model/testing'
import { afterAll, expect, it } from 'vitest'
import { orrery } from './orrery.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-users-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const clickhouse = withClickHouse()

it('`orrery migrate --users` needs a password for each user, prints statements without one, and names the right that its own user lacks', async () => {
  const { url, password } = clickhouse.host.address('admin')
  const variables = { ORRERY_CLICKHOUSE_URL: url, ORRERY_CLICKHOUSE_USER: 'admin', ORRERY_CLICKHOUSE_PASSWORD: password }

  writeFileSync(join(folder, 'writer'), 'a-long-password-1\n')
  writeFileSync(join(folder, 'api'), 'short\n')
  const refused = await orrery(['migrate', '--users', folder], variables)
  expect(refused.code).toBe(2)
  expect(refused.stderr).toMatch(/Nothing was changed.*\/api has less than 12 characters.*\/analyst does not exist/s)
  expect(refused.stderr).not.toContain('writer')

  writeFileSync(join(folder, 'api'), 'a-long-password-2\n')
  writeFileSync(join(folder, 'analyst'), 'a-long-password-3\n')
  const printed = await orrery(['migrate', '--users', folder, '--print-users'], variables)
  expect(printed.code, printed.stderr).toBe(0)
  expect(printed.stdout.at(0)).toBe('CREATE SETTINGS PROFILE IF NOT EXISTS orrery_writer;')
  expect(printed.stdout).toContain('GRANT SELECT ON `orrery`.`activities` TO analyst;')
  expect(printed.stdout.join('\n')).not.toContain('a-long-password')

  const denied = await orrery(['migrate', '--users', folder], variables)
  expect(denied.code).toBe(2)
  expect(denied.stderr).toMatch(/may not create users.*--print-users/s)

  const alone = await orrery(['migrate', '--print-users'], variables)
  expect(alone.code).toBe(2)
  expect(alone.stderr).toContain('--users')
})
