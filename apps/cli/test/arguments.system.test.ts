import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { orrery } from './orrery.ts'

describe('the command line', () => {
  it.each([
    [['up', '--prot', '80'], /unknown option '--prot'[\s\S]*Did you mean --port\?[\s\S]*`orrery up --help`/],
    [['pu'], /unknown command 'pu'[\s\S]*Did you mean up\?/],
    [['adapter'], /missing required argument 'protocol'/],
    [['up', 'now'], /too many arguments/],
    [['adapter', 'uniswap'], /There is no adapter for "uniswap"[\s\S]*soroswap/],
  ])('the command line answers %j with 2, the nearest right word and nothing on stdout', async (args, message) => {
    const { code, stdout, stderr } = await orrery(args)
    expect(stderr).toMatch(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: [] })
  })

  it('the command line reports all bad options at once, by flag and by variable', async () => {
    const { code, stderr } = await orrery(['up', '--port', '70000', '--from-ledger', '-1'], {
      ORRERY_INTERNAL_PORT: 'nine',
      ORRERY_JSON: 'maybe',
    })
    expect(code).toBe(2)
    expect(stderr).toMatch(/4 options cannot be used/)
    for (const name of ['--port (or ORRERY_PORT)', '--from-ledger (or ORRERY_FROM_LEDGER)', '--internal-port (or', '--json (or'])
      expect(stderr).toContain(name)
  })

  it('the command line distinguishes missing options from invalid ones, and does not accept an empty folder or address', async () => {
    const { code, stderr } = await orrery(['migrate', '--clickhouse-url', 'clickhouse:8123', '--clickhouse-user', ''])
    expect(code).toBe(2)
    expect(stderr).toMatch(/--clickhouse-url .* must be an http or https address/)
    expect(stderr).toMatch(/--clickhouse-user .* must not be empty/)
    expect(stderr).toMatch(/--clickhouse-password .* must be given/)
    expect((await orrery(['up', '--data', '', '--lake', ''])).stderr).toMatch(/2 options cannot be used/)
  })

  it('the command line takes every option from the environment as well, and a flag wins', async () => {
    const env = { ORRERY_LAKE: '/nowhere', ORRERY_NETWORK: 'demo', ORRERY_PORT: '70000' }
    expect((await orrery(['up', '--port', '0'], env)).stderr).toMatch(/no lake in \/nowhere/)
  })

  it('the command line names every variable that a process of its own lacks', async () => {
    const { code, stderr } = await orrery(['adapter', 'soroswap', '--network', 'demo'], { ORRERY_CLICKHOUSE_URL: 'http://127.0.0.1:1' })
    expect(code).toBe(2)
    expect(stderr).toContain('ORRERY_LOG')
    expect(stderr).toContain('ORRERY_CLICKHOUSE_PASSWORD')
    expect(stderr).not.toContain('ORRERY_NETWORK')
  })

  it('the command line reports that no process runs on the data folder, and exits with 75 so that the caller tries later', async () => {
    expect(await orrery(['status', '--data', '/nowhere/data'])).toMatchObject({
      code: 75,
      stderr: expect.stringContaining('No `orrery up` is running'),
    })
  })

  it.each([
    [
      ['--url', 'http://api.example'],
      {},
      /is not on this machine, so the API key of the data folder .* is not sent to it[\s\S]*ORRERY_API_KEY/,
    ],
    [['--url', 'http://127.0.0.1@api.example'], {}, /--url .* must not contain credentials/],
    [['--url', 'ftp://api.example'], {}, /--url .* must be an http or https address/],
    [['--http-port', '65536'], {}, /--http-port .* must be a whole number/],
    [[], { ORRERY_API_KEY: 'two words' }, /ORRERY_API_KEY: must be an API key, without spaces/],
    [[], { ORRERY_URL: 'http://localhost:1', ORRERY_DATA: '/nowhere' }, /There is no API key in the data folder \/nowhere/],
  ])('orrery mcp %j %j sends nothing and exits with 2', async (args, env, message) => {
    const { code, stdout, stderr } = await orrery(['mcp', ...args], env)
    expect(stderr).toMatch(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: [] })
  })

  it('the command line prints its version and its help on stdout', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    for (const args of [['--version'], ['version']]) expect(await orrery(args)).toMatchObject({ code: 0, stdout: [version], stderr: '' })
    const help = await orrery(['--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    for (const command of ['up', 'ingest', 'adapter', 'api', 'migrate', 'status', 'mcp'])
      expect(help.stdout.join('\n')).toMatch(new RegExp(`^  ${command} `, 'm'))
  })
})
