import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../schema/migrate.ts'
import { analystOf, runStatement } from '../testing/send-statement.ts'
import { type ClickHouseHost, startClickHouseHost } from './start-host.ts'

const isRoot = process.getuid?.() === 0
/** The system's unprivileged user: another person on the machine. */
const OTHER_UID = 65_534
const folder = mkdtempSync(join(tmpdir(), 'orrery-other-user-'))
const dir = join(folder, 'clickhouse')
const secretFile = join(folder, 'secrets.json')
let host: ClickHouseHost

beforeAll(async () => {
  writeFileSync(secretFile, '{"adminToken":"of the operator"}', { mode: 0o600 })
  host = await startClickHouseHost({ dir })
  await migrate(host.address('admin'))
})
afterAll(async () => {
  await host.stop()
  rmSync(folder, { recursive: true, force: true })
})

// Only root may become another user. Elsewhere this part is reported as skipped.
describe.runIf(isRoot)('another user of the machine (needs root to become one)', () => {
  /** Runs `code` as that user and gives what it prints. */
  async function asOther(code: string, args: readonly string[] = []): Promise<string> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code, ...args], {
      uid: OTHER_UID,
      gid: OTHER_UID,
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
    return printed
  }

  it('reads no file of the engine, and is answered by neither the engine nor the address for analysts', async () => {
    const code = `
      import { readFileSync, readdirSync } from 'node:fs'
      const [engine, analysts, dir, secretFile] = process.argv.slice(1)
      const result = { uid: process.getuid() }
      const attempt = async (name, work) => { result[name] = await Promise.resolve().then(work).catch((error) => error.code ?? error.message) }
      for (const path of [dir, dir + '/config', dir + '/run']) await attempt(path, () => readdirSync(path))
      for (const path of [secretFile, dir + '/passwords.json', '/proc/${host.pid}/environ']) await attempt(path, () => readFileSync(path, 'utf8'))
      const statement = "SELECT file('" + secretFile + "')"
      const runStatement = async (url, init = {}) => { const it = await fetch(url, init); await it.text(); return [it.status, it.headers.get('access-control-allow-origin')] }
      for (const base of [engine, analysts]) {
        await attempt(base + ' plain', () => runStatement(base, { method: 'POST', body: statement }))
        await attempt(base + ' default', () => runStatement(base + '/?user=default&password=', { method: 'POST', body: statement }))
        await attempt(base + ' header', () => runStatement(base, { method: 'POST', body: statement, headers: { 'x-clickhouse-user': 'default' } }))
        await attempt(base + ' page', () => runStatement(base + '/?add_http_cors_header=1&query=' + encodeURIComponent(statement), { headers: { origin: 'https://evil.example' } }))
        await attempt(base + ' stop', () => runStatement(base + '/?user=default', { method: 'POST', body: 'SYSTEM STOP LISTEN HTTP' }))
      }
      console.log(JSON.stringify(result))`
    const analysts = analystOf(host).url
    const result = JSON.parse(await asOther(code, [host.url, analysts, dir, secretFile]))
    const refusedBy = (base: string, plain: number, wrong: number, page: number) => ({
      [`${base} plain`]: [plain, null],
      [`${base} default`]: [wrong, null],
      [`${base} header`]: [wrong, null],
      [`${base} page`]: [page, null],
      [`${base} stop`]: [wrong, null],
    })
    expect(result).toEqual({
      uid: OTHER_UID,
      ...Object.fromEntries(
        [dir, join(dir, 'config'), join(dir, 'run'), secretFile, join(dir, 'passwords.json'), `/proc/${host.pid}/environ`].map((it) => [
          it,
          'EACCES',
        ]),
      ),
      ...refusedBy(host.url, 404, 404, 404),
      ...refusedBy(analysts, 401, 403, 403),
    })
    expect(await runStatement(host, 'api', 'SELECT 1')).toBe('1')
  })

  it('a user who runs a separate engine has it confined as well, without any privilege', async () => {
    const home = join(folder, 'home')
    mkdirSync(home)
    chownSync(home, OTHER_UID, OTHER_UID)
    chmodSync(folder, 0o711)
    const module = fileURLToPath(new URL('./start-host.ts', import.meta.url))
    const code = `
      import { writeFileSync } from 'node:fs'
      const [module, home] = process.argv.slice(1)
      const { startClickHouseHost } = await import(module)
      writeFileSync(home + '/secret', 'of its own', { mode: 0o600 })
      const host = await startClickHouseHost({ dir: home + '/clickhouse' })
      const { url, user, password } = host.analyst ?? {}
      const headers = { authorization: 'Basic ' + Buffer.from(user + ':' + password).toString('base64') }
      const runStatement = async (body) => (await (await fetch(url, { method: 'POST', headers, body })).text()).slice(0, 9)
      const own = await runStatement("SELECT file('" + home + "/secret')")
      const passwd = await runStatement("SELECT file('/etc/passwd')")
      const one = await runStatement('SELECT 1')
      await host.stop()
      console.log(JSON.stringify({ uid: process.getuid(), unconfined: host.unconfined, own, passwd, one }))`
    expect(JSON.parse(await asOther(code, [module, home]))).toEqual({
      ...{ uid: OTHER_UID, unconfined: null },
      ...{ own: 'Code: 76.', passwd: 'Code: 76.', one: '1\n' },
    })
  })
})
