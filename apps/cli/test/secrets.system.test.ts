// The secrets in the output of `orrery up`, its addresses, and its trusted proxies.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Announcer } from '../src/announcer.ts'
import { Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const lake = shortLake(join(folder, 'lake'), 2)
const forEyes = (args: readonly string[]) => args.filter((arg) => arg !== '--json')
const demo = (data: string) => ['up', '--port', '0', '--internal-port', '0', '--data', data]

/** Every line of stdout up to the one about secrets, and the text on stderr until then. */
async function shownUntilReady(run: Orrery): Promise<string> {
  const lines: string[] = []
  for (let line = await run.line(); line !== null; line = await run.line()) {
    lines.push(line)
    if (line.includes('orrery secrets --data')) return `${lines.join('\n')}\n${run.stderr}`
  }
  throw new Error(`orrery ended: ${run.stderr}`)
}

async function secretsOf(data: string): Promise<Record<string, string>> {
  return JSON.parse((await orrery(['secrets', '--json', '--data', data])).stdout[0] ?? '')
}

describe('orrery up without --json', () => {
  it('orrery up without --json names the files of its secrets and shows none of them, at the first start and at the next one', async () => {
    const data = join(folder, 'lake data')
    for (let start = 0; start < 2; start++) {
      await using run = new Orrery(forEyes(upArguments(lake, data)))
      const shown = await shownUntilReady(run)
      const { apiKey = '', apiKeyFile, adminToken = '', userPassword = '', clickhouseUrl = '' } = await secretsOf(data)
      expect(shown).toContain(`Key         in ${apiKeyFile}`)
      expect(shown).toContain(`npx orrery secrets --data '${data}'`)
      const { password } = new URL(clickhouseUrl)
      for (const secret of [apiKey, adminToken, userPassword, password]) {
        expect(secret).not.toBe('')
        expect(shown).not.toContain(secret)
      }
      run.signal('SIGTERM')
      expect(await run.exited).toBe(0)
    }
  })

  it('orrery up without --json shows the key of the demo at the start that makes it, and no other secret and not again', async () => {
    const data = join(folder, 'demo')
    for (const isFirst of [true, false]) {
      await using run = new Orrery(demo(data))
      const shown = await shownUntilReady(run)
      const { apiKey = '', adminToken = '', userPassword = '', clickhouseUrl = '' } = await secretsOf(data)
      expect(shown.includes(apiKey)).toBe(isFirst)
      for (const secret of [adminToken, userPassword, new URL(clickhouseUrl).password]) expect(shown).not.toContain(secret)
      run.signal('SIGTERM')
      expect(await run.exited).toBe(0)
    }
  })

  it('orrery up without --json offers requests whose key the shell reads from its file, whatever the name of the folder', () => {
    const odd = join(folder, "it's $HOME")
    mkdirSync(odd)
    const apiKeyFile = join(odd, 'demo-key')
    execFileSync('/bin/sh', ['-c', 'echo ory_key > "$0"', apiKeyFile])
    let text = ''
    const output = { write: (chunk: string) => (text += chunk) }
    new Announcer(false, { stdout: output, stderr: output }).invite('http://127.0.0.1:1', apiKeyFile, [{ about: 'A', path: '/v1/health' }])
    const [line = ''] = text.split('\n').filter((one) => one.startsWith('curl'))
    const printed = execFileSync('/bin/sh', ['-c', line.replace(/^curl/, "printf '%s|'")], { encoding: 'utf8' })
    expect(printed).toBe('-s|-H|x-service-api-key: ory_key|http://127.0.0.1:1/v1/health|')
  })
})

describe('orrery secrets', () => {
  it('orrery secrets shows the secrets of a data folder, also when nothing is running, and reports a folder without secrets', async () => {
    const data = join(folder, 'shown')
    await using run = new Orrery(upArguments(lake, data))
    const ready = await run.result<Ready>()
    expect(await secretsOf(data)).toMatchObject({
      event: 'secrets',
      apiKey: ready.apiKey,
      apiKeyFile: ready.apiKeyFile,
      adminToken: ready.adminToken,
      clickhouseUrl: ready.clickhouseUrl,
      userPassword: readFileSync(ready.userPasswordFile, 'utf8').trim(),
    })
    run.signal('SIGTERM')
    await run.exited
    const stopped = await orrery(['secrets', '--data', data])
    expect(stopped.stdout.join('\n')).toContain(ready.apiKey)
    const { password } = new URL(ready.clickhouseUrl)
    expect(stopped.stdout).toContain(`ClickHouse   analyst   password ${password}   (not running; each start chooses another port)`)
    expect(await secretsOf(data)).toMatchObject({ clickhouseUrl: null, clickhousePassword: password })
    rmSync(join(data, 'clickhouse', 'passwords.json'))
    expect(await secretsOf(data)).toMatchObject({ clickhouseUrl: null, clickhousePassword: null })
    const nothing = await orrery(['secrets', '--data', join(folder, 'nothing')])
    expect(nothing).toMatchObject({ code: 2, stdout: [], stderr: expect.stringMatching(/no secrets in the data folder .*nothing/) })
  })
})

describe('the addresses of orrery up', () => {
  it('the addresses of orrery up keep the internal port on 127.0.0.1 wherever the API listens, unless it is given an address of its own', async () => {
    const args = upArguments(lake, join(folder, 'hosts'))
    for (const [given, internal] of [
      [[], '127.0.0.1'],
      [['--internal-host', '127.0.0.3'], '127.0.0.3'],
    ] as const) {
      await using run = new Orrery([...args, '--host', '127.0.0.2', ...given])
      const { url, internalUrl } = await run.result<Ready>()
      expect([new URL(url).hostname, new URL(internalUrl).hostname]).toEqual(['127.0.0.2', internal])
      expect((await fetch(`${internalUrl}/livez`)).status).toBe(200)
      run.signal('SIGTERM')
      await run.exited
    }
  })

  it('the addresses of orrery up give analysts the same ClickHouse port at each start when it is named, and name the option where that port is taken', async () => {
    await using taken = new Orrery(upArguments(lake, join(folder, 'port')))
    const { port } = new URL((await taken.result<Ready>()).clickhouseUrl)
    const args = upArguments(lake, join(folder, 'named port'))
    const refused = await orrery([...args, '--clickhouse-port', port])
    expect(refused).toMatchObject({ code: 2, stdout: [] })
    expect(refused.stderr).toMatch(new RegExp(`port ${port} of 127\\.0\\.0\\.1: another program has it[\\s\\S]*--clickhouse-port`))
    taken.signal('SIGTERM')
    await taken.exited
    await using run = new Orrery(args, { ORRERY_CLICKHOUSE_PORT: port })
    expect(new URL((await run.result<Ready>()).clickhouseUrl).port).toBe(port)
    run.signal('SIGTERM')
    expect(await run.exited).toBe(0)
  })

  it('the addresses of orrery up count the callers behind a trusted proxy separately', async () => {
    await using run = new Orrery(upArguments(lake, join(folder, 'proxies')), { ORRERY_TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1' })
    const { url } = await run.result<Ready>()
    const wrongFrom = async (address: string) =>
      (await fetch(`${url}/v1/health`, { headers: { 'x-service-api-key': 'wrong', 'x-forwarded-for': address } })).status
    for (let n = 0; n < 50; n++) expect(await wrongFrom('203.0.113.1')).toBe(401)
    expect([await wrongFrom('203.0.113.1'), await wrongFrom('203.0.113.2')]).toEqual([429, 401])
  })

  it('the addresses of orrery up are refused as proxies when they are invalid', async () => {
    for (const ranges of ['true', '10.0.0.0/33', '10.0.0.0/8,', '10.0.0.1/8/8', 'fd00::/129']) {
      const run = await orrery(['up', '--trusted-proxies', ranges])
      expect(run).toMatchObject({ code: 2, stdout: [] })
      expect(run.stderr).toContain('--trusted-proxies (or ORRERY_TRUSTED_PROXIES) must be addresses or ranges')
    }
  })
})

it('orrery up closes a data folder that was open to others', async () => {
  const data = join(folder, 'open')
  mkdirSync(data)
  chmodSync(data, 0o755)
  await orrery([...upArguments(lake, data), '--exit-when-caught-up'])
  const isOpen = (path: string) => (statSync(path).mode & 0o077) !== 0
  expect([data, ...readdirSync(data).map((name) => join(data, name))].filter(isOpen)).toEqual([])
})
