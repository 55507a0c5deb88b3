// The services of docker-compose.yml (profile `apart`) and the proxies in front of its API, without containers: real Kafka, PostgreSQL and Redis
// with the passwords of the file, and Caddy and nginx with their files. There is no ClickHouse server on a machine of the tests: the embedded
// engine is in its place, behind the same users. It stores no users, so `migrate --users` ends where it would create them.

import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { withClickHouse } from '@orrery/read-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Orrery } from '../orrery.ts'
import { shortLake } from '../short-lake.ts'
import { DeployedServices } from './deployed-services.ts'
import { startCaddy, startNginx, type TlsProxy } from './proxies.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-deployed-'))
const lake = shortLake(join(folder, 'lake'), 3)
const clickhouse = withClickHouse()
let deployed: DeployedServices
const running: { readonly name: string; readonly process: Orrery; readonly internalUrl: string }[] = []
let apiUrl = ''
let key = ''

const addressesOf = async (process: Orrery) => ({
  internalUrl: await process.waitForStderr(/"internalUrl":"([^"]+)"/),
  url: await process.waitForStderr(/"(?:url|internalUrl)":"([^"]+)"/),
})

/** The output of an `orrery org` command, in the container of the API. */
async function org(command: readonly string[], stdin?: string): Promise<string> {
  const run = deployed.start('api', { command: ['org', ...command], ...(stdin !== undefined && { stdin }) })
  const lines: string[] = []
  for (let line = await run.line(); line !== null; line = await run.line()) lines.push(line)
  expect(await run.exited, run.stderr).toBe(0)
  return lines.join('\n')
}

const get = (path: string) => fetch(`${apiUrl}${path}`, { headers: { 'x-service-api-key': key, connection: 'close' } })

beforeAll(async () => {
  const users = ['admin', 'writer', 'api', 'analyst'] as const
  const passwords = Object.fromEntries(users.map((user) => [user, clickhouse.host.address(user).password ?? '']))
  const { url } = clickhouse.host.address('admin')
  deployed = await DeployedServices.prepare({ folder, lake: lake.directory, clickhouse: { url, passwords } })
  await deployed.startServers()
})
afterAll(async () => {
  await deployed?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

describe('the services of the profile `apart`', () => {
  it('migrate the tables with the user `admin`, and ask for the other users', async () => {
    const migrate = deployed.start('migrate')
    // What a server with storage for users does next is not run here.
    expect(await migrate.exited, migrate.stderr).toBe(2)
    expect(migrate.stderr).toMatch(/does not let this user create the others.*The tables are up to date; 0 of the statements/s)
  })

  it('index the recording with their own users and secrets, and answer /v1', async () => {
    for (const name of deployed.processes('apart').filter((it) => it !== 'migrate')) {
      const process = deployed.start(name)
      running.push({ name, process, ...(await addressesOf(process)) })
    }
    expect(running.map(({ name }) => name)).toEqual([
      ...['ingest', 'adapter-blend', 'adapter-aquarius', 'adapter-soroswap', 'adapter-soroswap', 'adapter-fxdao', 'api', 'notify'],
    ])
    const api = running.find(({ name }) => name === 'api')
    apiUrl = (await api?.process.waitForStderr(/"url":"([^"]+)","internalUrl"/)) ?? ''

    await org(['create', '--org', 'acme', '--name', 'Acme'])
    key = await org(['key', 'create', '--org', 'acme', '--name', 'first'])
    for (;;) {
      const answer = await get('/v1/health')
      expect(answer.status).toBe(200)
      const { data } = (await answer.json()) as {
        readonly data: { readonly adapters: readonly { readonly last_sync_ledger: number | null }[] }
      }
      // Not by the watermark: an adapter that has not started yet does not hold it back.
      if (data.adapters.every(({ last_sync_ledger }) => last_sync_ledger === lake.lastLedger)) break
      await delay(1_000) // of its units for a minute, the organization needs some for what follows
    }
    const pools = await get('/v1/pools')
    expect(pools.status).toBe(200)
    const answer = (await pools.json()) as { readonly data: { readonly pools: readonly { readonly protocol: string }[] } }
    expect(new Set(answer.data.pools.map(({ protocol }) => protocol)).size).toBeGreaterThan(1)
  })

  it('pass their health checks', () => {
    for (const { name, internalUrl } of running) expect(deployed.health(name, internalUrl), name).toBe(0)
    for (const name of ['kafka', 'postgres', 'redis']) expect(deployed.health(name), name).toBe(0)
  })

  it('refuse a process with a wrong password, whose message names the service', async () => {
    const wrong = 'wrong'.repeat(8)
    const identity = deployed.secret('identity-url').replace(/:[0-9a-f]{64}@/, `:${wrong}@`)
    const refused = [
      { process: deployed.start('ingest', { secrets: { 'kafka-password': wrong } }), says: 'Invalid username or password' },
      { process: deployed.start('adapter-blend', { secrets: { 'clickhouse-writer': wrong } }), says: 'AUTHENTICATION_FAILED' },
      { process: deployed.start('api', { secrets: { 'identity-url': identity } }), says: 'password authentication failed' },
    ]
    for (const { process, says } of refused) {
      expect(await process.exited, process.stderr).toBeGreaterThan(0)
      expect(process.stderr).toContain(says)
      expect(process.stderr).not.toContain(wrong)
    }
    expect(await sendLine(deployed.redisPort, 'PING')).toMatch(/^-NOAUTH/)
    expect(await sendLine(deployed.redisPort, `AUTH ${deployed.secret('redis-password')}`)).toBe('+OK')
  })
})

async function sendLine(port: number, line: string): Promise<string> {
  const socket = createConnection({ host: '127.0.0.1', port })
  socket.write(`${line}\r\n`)
  for await (const answer of socket) {
    socket.destroy()
    return String(answer).trim()
  }
  throw new Error('Redis did not answer.')
}

describe('a proxy in front of the API', () => {
  const email = 'ann@acme.example'
  /** By the address of 127.0.0.0/8 from which a client logs in through it. */
  let proxies: Readonly<Record<string, TlsProxy>>
  beforeAll(async () => {
    const upstream = new URL(apiUrl).host
    proxies = {
      '127.0.0.7': await startCaddy(join(folder, 'caddy'), upstream),
      '127.0.0.8': await startNginx(join(folder, 'nginx'), upstream),
    }
  })
  afterAll(() => Promise.all(Object.values(proxies ?? {}).map((proxy) => proxy[Symbol.asyncDispose]())))

  it('serves /v1 over TLS, and no page of the internal port', async () => {
    for (const proxy of Object.values(proxies)) {
      const answer = await proxy.request('/v1/protocols', { headers: { 'x-service-api-key': key } })
      expect(answer.status).toBe(200)
      expect(answer.headers['strict-transport-security']).toBe('max-age=31536000')
      expect(JSON.parse(answer.body).meta.last_indexed_ledger).toBe(lake.lastLedger)
      for (const path of ['/metrics', '/readyz', '/livez', '/status']) expect((await proxy.request(path)).status, path).toBe(404)
    }
  })

  it('sends the API the address of its connection, whatever address the client invents', async () => {
    await org(['user', 'add', '--org', 'acme', '--email', email], 'correct horse battery staple')
    for (const [from, proxy] of Object.entries(proxies)) {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' }
      const body = JSON.stringify({ email, password: 'a wrong one' })
      expect((await proxy.request('/v1/auth/login', { method: 'POST', from, headers, body })).status).toBe(401)
    }
    let audit = ''
    while (!Object.keys(proxies).every((address) => audit.includes(address))) audit = await org(['audit', '--org', 'acme', '--json'])
    expect(audit).toContain('login.fail')
    expect(audit).not.toContain('203.0.113.9')
  })
})
