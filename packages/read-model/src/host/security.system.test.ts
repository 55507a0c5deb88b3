import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../schema/migrate.ts'
import { analystOf, basic, numberOf, runStatement, send } from '../testing/send-statement.ts'
import { HOST_USERS, SECRET_HEADER } from './credentials.ts'
import { type ClickHouseHost, startClickHouseHost } from './start-host.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-secrets-'))
const dir = join(folder, 'clickhouse')
const secretFile = join(folder, 'secrets.json')
let host: ClickHouseHost

beforeAll(async () => {
  writeFileSync(secretFile, '{"adminToken":"of the operator"}', { mode: 0o600 })
  host = await startClickHouseHost({ dir, queryLog: true })
  await migrate(host.address('admin'))
})
afterAll(async () => {
  await host.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** '' for a file that a merge has removed meanwhile. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return ''
    throw cause
  }
}

const literal = (path: string): string => `'${path}'`

describe('a request without a secret', () => {
  const WITHOUT = [
    ['nothing', '', {}],
    ['the user default', '?user=default', {}],
    ['the user default with an empty password', '?user=default&password=', {}],
    ['default by Basic', '', basic('default', '')],
    ["default by ClickHouse's own header", '', { 'x-clickhouse-user': 'default' }],
    ['a user that exists', '?user=admin', {}],
    ['the analyst by Basic', '', basic('analyst', '')],
    ['a secret that is none', '', { [SECRET_HEADER]: 'x'.repeat(43) }],
    ['an empty secret', '', { [SECRET_HEADER]: '' }],
  ] as const

  it.each(WITHOUT)('a request without a secret with %s reaches no user of the engine', async (_, query, headers) => {
    for (const statement of ['SELECT 1', `SELECT length(file(${literal(secretFile)}))`, 'SYSTEM STOP LISTEN HTTP']) {
      const { status, body } = await send(`${host.url}/${query}`, statement, headers)
      expect([status, body.split('\n')[0]]).toEqual([404, `There is no handle /${query}`])
    }
    expect(await runStatement(host, 'api', 'SELECT currentUser()')).toBe('api')
  })

  it('a request without a secret with a secret and another user is refused, or is of the user of the secret', async () => {
    const { url, headers } = host.address('analyst')
    expect((await send(`${url}/?user=default&password=`, 'SELECT currentUser()', headers)).body).toBe('analyst\n')
    for (const other of [basic('default', ''), { 'x-clickhouse-user': 'default' }])
      expect((await send(url, 'SELECT currentUser()', { ...headers, ...other })).status).toBe(403)
  })
})

describe('the secrets of a start', () => {
  it('the secrets of a start are in no file once the engine answers, and the remaining files are readable only by their owner', () => {
    const secrets = HOST_USERS.map((user) => host.address(user).headers?.[SECRET_HEADER] ?? expect.fail(`no secret of ${user}`))
    expect(new Set(secrets).size).toBe(HOST_USERS.length)
    const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((it) => it.isFile())
    expect(files.length).toBeGreaterThan(10)
    for (const file of files) {
      const content = contentOf(join(file.parentPath, file.name))
      for (const secret of secrets) expect(content.includes(secret), file.name).toBe(false)
    }
    expect(readdirSync(join(dir, 'config'))).toEqual([])
    for (const path of ['', 'data', 'config', 'run']) expect(statSync(join(dir, path)).mode & 0o777, path).toBe(0o700)
    expect(statSync(join(dir, 'passwords.json')).mode & 0o777).toBe(0o600)
  })

  it('the secrets of a start are in no table that a user of the engine can read, in no error, and not on the command line or in the environment', async () => {
    const { url, user, password } = analystOf(host)
    const secrets = [password, ...HOST_USERS.map((it) => host.address(it).headers?.[SECRET_HEADER] ?? '')]
    await send(`${url}/?user=${user}&password=${password}&query=SELECT+1`, '')
    await send(`${url}/?user=${user}&password=${password}`, 'SELECT no_such_column')
    await runStatement(host, 'admin', 'SYSTEM FLUSH LOGS')
    const found: string[] = []
    const look = (where: string, content: string): void => {
      if (secrets.some((secret) => content.includes(secret))) found.push(where)
    }
    const tables = String(
      await runStatement(host, 'admin', "SELECT name FROM system.tables WHERE database = 'system' ORDER BY name"),
    ).split('\n')
    expect(tables).toEqual(expect.arrayContaining(['query_log', 'processes', 'server_settings', 'users', 'settings', 'macros']))
    // numbers and zeros never end; models waits two minutes for a program that Orrery does not bring, and has no rows
    for (const reader of ['admin', 'analyst'] as const)
      for (const table of tables.filter((name) => !/^(numbers|zeros|primes|stack_trace|remote_data_paths|models)/.test(name)))
        look(
          `system.${table} as ${reader}`,
          String(await runStatement(host, reader, `SELECT * FROM system.${table} LIMIT 2000 FORMAT JSONEachRow`)),
        )
    look('show create', String(await runStatement(host, 'admin', 'SHOW CREATE USER analyst')))
    look('an error', (await send(`${url}/?user=${user}&password=${password}x`, 'SELECT 1')).body)
    look('a missing handler', (await send(`${host.url}/`, 'SELECT 1', { [SECRET_HEADER]: 'wrong' })).body)
    look('the command line', readFileSync(`/proc/${host.pid}/cmdline`, 'latin1'))
    expect(readFileSync(`/proc/${host.pid}/environ`, 'latin1')).toBe('')
    expect(found).toEqual([])
  })

  it('the secrets of a start cannot be read back by a statement', async () => {
    for (const user of HOST_USERS) {
      const { url, headers } = host.address(user)
      const read = `SELECT getClientHTTPHeader('${SECRET_HEADER}')`
      for (const switched of ['?allow_get_client_http_header=1', '']) {
        const settings = switched === '' ? ' SETTINGS allow_get_client_http_header = 1' : ''
        expect(numberOf((await send(`${url}/${switched}`, read + settings, headers)).body), user).toBe(452)
      }
    }
  })
})
