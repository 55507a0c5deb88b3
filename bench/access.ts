// The cost of access: authenticating a key and counting the request, in memory and with a real Redis; /v1/protocols with all middleware against
// a bare Koa that sends the same bytes; and whether the time of a login reveals that an account exists.
// `node bench/access.ts [seconds per measurement]`. Needs Linux, and redis-server for the part with Redis.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type Actor,
  type Identity,
  memoryCounter,
  openApiKeyAuthenticator,
  openIdentity,
  openRedis,
  type RateLimiter,
  rateLimiter,
  redisCounter,
  WINDOW_SECONDS,
} from '@orrery/identity'
import { startRedis } from '@orrery/testkit/servers'
import autocannon from 'autocannon'
import { startOrrery } from './src/orrery.ts'
import { figure, printLine, printMachine } from './src/print.ts'
import { cpuSeconds } from './src/process-usage.ts'
import { percentile } from './src/statistics.ts'

const SECONDS = Number(process.argv[2] ?? 5)
const CHECKS = 50_000
const LOGINS = 100
const CLIENTS = 16
/** Far above the speed of the machine, so that the limit has no effect. */
const REQUESTS_PER_MINUTE = 1_000_000_000
/** How long a running process may cache a key. */
const BELIEVED_MS = 5_000
const BENCH: Actor = { kind: 'operator', id: 'bench', address: 'local' }

async function timesOf(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const startedMs = performance.now()
    await work()
    times.push(performance.now() - startedMs)
  }
  return times.sort((a, b) => a - b)
}

/** The access part of every request, warm, one after the other. */
async function checks(identity: Identity, key: string, limiter: RateLimiter, name: string): Promise<void> {
  await using authenticator = openApiKeyAuthenticator({ identity })
  const check = async () => {
    const caller = await authenticator.authenticate(key)
    if (caller === null) throw new Error('The key is valid.')
    await limiter.take(caller.organizationId, REQUESTS_PER_MINUTE)
  }
  await timesOf(CHECKS / 10, check)
  const times = await timesOf(CHECKS, check)
  for (const share of [0.5, 0.99])
    figure(`key and limit, ${name}, p${share * 100}`, percentile(times, share) * 1000, 'µs', 'goal for p50: 300')
}

/** Alternately, so that other load of the machine affects both equally. */
async function logins(identity: Identity): Promise<void> {
  const tries = ['ann@example.org', 'unknown@example.org'].map((email) => ({ email, times: [] as number[] }))
  for (let n = 0; n < LOGINS; n++) {
    for (const { email, times } of tries) times.push(...(await timesOf(1, () => identity.userOfPassword(email, 'a wrong password'))))
  }
  for (const { email, times } of tries) {
    times.sort((a, b) => a - b)
    figure(
      `a wrong password for ${email}, p50`,
      percentile(times, 0.5),
      'ms',
      email.startsWith('unknown') ? 'there is no such account' : '',
    )
  }
}

async function bareKoa(body: string): Promise<{ readonly url: string; readonly pid: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./src/bare-koa.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(body)
  const url = (await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()).value
  if (url === undefined) throw new Error('The bare Koa ended before it printed its address.')
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

interface Load {
  readonly answersPerSecond: number
  /** CPU of one answer in the server's process, which does not depend on other load of the machine. */
  readonly cpuMs: number
}

async function load(url: string, pid: number, headers: Readonly<Record<string, string>>): Promise<Load> {
  const run = (duration: number) => autocannon({ url, connections: CLIENTS, duration, headers: { ...headers } })
  await run(1)
  const before = cpuSeconds(pid)
  const { requests, non2xx } = await run(SECONDS)
  if (non2xx > 0) throw new Error(`${non2xx} answers were not 200.`)
  return { answersPerSecond: requests.total / SECONDS, cpuMs: (1000 * (cpuSeconds(pid) - before)) / requests.total }
}

async function servers(data: string): Promise<void> {
  await using orrery = await startOrrery(data)
  await orrery.caughtUp()
  const { url, apiKey, organization } = orrery.ready
  await using identity = await openIdentity(`sqlite:${join(data, 'identity.sqlite')}`)
  const { id } = (await identity.organizationBySlug(organization)) ?? { id: '' }
  await identity.overrideRateLimit(id, REQUESTS_PER_MINUTE, BENCH)
  await delay(BELIEVED_MS) // the running process uses the new limit
  const headers = { 'x-service-api-key': apiKey }
  const body = await (await fetch(`${url}/v1/protocols`, { headers })).text()
  const bare = await bareKoa(body)
  const ours = await load(`${url}/v1/protocols`, orrery.pid, headers)
  const theirs = await load(bare.url, bare.pid, headers)
  await bare.stop()
  for (const [name, { answersPerSecond, cpuMs }] of [
    [`/v1/protocols, ${body.length} bytes, ${CLIENTS} clients`, ours],
    ['a bare Koa with the same bytes', theirs],
  ] as const) {
    figure(name, answersPerSecond, 'answers/s', `${(1000 * cpuMs).toFixed(0)} µs of CPU each`)
  }
}

printMachine()
const folder = mkdtempSync(join(tmpdir(), 'orrery-bench-access-'))
try {
  await using identity = await openIdentity(`sqlite:${join(folder, 'identity.sqlite')}`)
  const { organization } = await identity.addOrganization({ slug: 'bench', name: 'Bench', plan: 'enterprise' }, BENCH)
  const given = { organizationId: organization.id, name: 'bench', scopes: ['data:read'], expiresAtMs: null } as const
  const { key } = await identity.addApiKey(given, BENCH)
  await identity.addUser({ organizationId: organization.id, email: 'ann@example.org', password: 'correct horse battery' }, BENCH)

  await checks(identity, key, rateLimiter(memoryCounter({ windowSeconds: WINDOW_SECONDS })), 'in memory')
  await using server = await startRedis()
  const redis = await openRedis(server.url, printLine)
  await checks(identity, key, rateLimiter(redisCounter(redis, { of: 'bench', windowSeconds: WINDOW_SECONDS })), 'with Redis')
  redis.disconnect()
  await logins(identity)
  await servers(join(folder, 'data'))
} finally {
  rmSync(folder, { recursive: true })
}
