// Load on a running `orrery up`: clients that never wait request paths in turn; measures time and CPU per answer.

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openIdentity } from '@orrery/identity'
import autocannon from 'autocannon'
import type { Orrery, ReadyEvent } from './orrery.ts'
import { printLine } from './print.ts'
import { cpuSeconds } from './process-usage.ts'
import { percentile } from './statistics.ts'

const WARM_UP_SECONDS = 1
const CLIENTS = [1, 16]
/** Far above the speed of the machine, so that the limiter has no effect. */
const REQUESTS_PER_MINUTE = 1_000_000_000
const OPERATOR = { kind: 'operator', id: 'bench', address: 'local' } as const

export interface Endpoint {
  readonly name: string
  /** Requested in turn by all clients together, from the end of the previous measurement. Repeats may be answered from the response cache. */
  readonly paths: readonly string[]
  /** What it should take, printed beside the times of one client. */
  readonly goal?: string
}

/** The keys to use in turn, and the resulting kind of answers. An answer is cached for its organization. */
interface Askers {
  readonly answers: string
  readonly keys: readonly string[]
}

/** Rows of a statement, queried as an analyst. */
export async function queryRows<Row>({ clickhouseUrl }: ReadyEvent, sql: string): Promise<Row[]> {
  const { origin, username, password } = new URL(clickhouseUrl)
  const response = await fetch(`${origin}/?database=orrery`, {
    method: 'POST',
    body: `${sql} FORMAT JSONEachRow`,
    headers: { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': decodeURIComponent(password) },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
}

export interface Load {
  /** Milliseconds of each answer, sorted. */
  readonly latencies: readonly number[]
  /** Answers other than 200. */
  readonly refused: number
  /** Requests without an answer: connections that broke, and no answer within ten seconds. */
  readonly unanswered: number
}

/** An endless sequence of texts. */
export function* cycle(texts: readonly string[]): Generator<string, never> {
  for (;;) yield* texts
}

/** Paths and keys, both endless. */
export interface Questions {
  readonly paths: Generator<string, never>
  readonly keys: Generator<string, never>
}

export async function load({ url }: ReadyEvent, { paths, keys }: Questions, connections: number, seconds: number): Promise<Load> {
  const latencies: number[] = []
  let refused = 0
  const ended = Promise.withResolvers<autocannon.Result>()
  const options = {
    url,
    connections,
    duration: seconds,
    requests: [
      {
        setupRequest: (request: autocannon.Request) => ({
          ...request,
          path: paths.next().value,
          headers: { 'x-service-api-key': keys.next().value },
        }),
      },
    ],
  }
  const running = autocannon(options, (error, result) => (error ? ended.reject(error) : ended.resolve(result)))
  running.on('response', (_client, status, _bytes, milliseconds) => {
    latencies.push(milliseconds)
    if (status !== 200) refused++
  })
  const { errors } = await ended.promise // with those that took too long
  return { latencies: latencies.sort((a, b) => a - b), refused, unanswered: errors }
}

async function measure(orrery: Orrery, name: string, questions: Questions, connections: number, seconds: number): Promise<string> {
  await load(orrery.ready, questions, connections, WARM_UP_SECONDS)
  const pids = [orrery.pid, orrery.enginePid]
  const before = pids.map(cpuSeconds)
  const { latencies, refused } = await load(orrery.ready, questions, connections, seconds)
  const shown = `${name.padEnd(48)}${String(connections).padStart(8)}`
  if (latencies.length === 0) return `${shown}  no answer within ${seconds} s`
  const cpu = pids.map((pid, n) => (1000 * (cpuSeconds(pid) - (before[n] ?? 0))) / latencies.length)
  const figures = [...[0.5, 0.95, 0.99].map((share) => percentile(latencies, share)), latencies.length / seconds, ...cpu]
  const cells = figures.map((value) => value.toFixed(1).padStart(9)).join('')
  return `${shown}${cells}${refused === 0 ? '' : `  ${refused} answers were not 200`}`
}

/** Raises the limit, so that the limiter has no effect. */
export async function liftLimit(data: string, { organization }: ReadyEvent): Promise<void> {
  await using identity = await openIdentity(`sqlite:${join(data, 'identity.sqlite')}`)
  const found = await identity.organizationBySlug(organization)
  if (found === null) throw new Error(`There is no organization ${organization}.`)
  await identity.overrideRateLimit(found.id, REQUESTS_PER_MINUTE, OPERATOR)
}

/** Keys of this many organizations: each makes so few requests that answers are computed, and none is limited. */
export async function keysOfOthers(data: string, count: number): Promise<readonly string[]> {
  await using identity = await openIdentity(`sqlite:${join(data, 'identity.sqlite')}`)
  const keys: string[] = []
  // A data folder that is measured again has the organizations of earlier runs.
  const run = randomUUID().slice(0, 8)
  for (let n = 0; n < count; n++) {
    const { organization } = await identity.addOrganization({ slug: `bench-${run}-${n}`, name: `Bench ${n}`, plan: 'enterprise' }, OPERATOR)
    const apiKey = { organizationId: organization.id, name: 'bench', scopes: ['data:read'], expiresAtMs: null } as const
    keys.push((await identity.addApiKey(apiKey, OPERATOR)).key)
  }
  return keys
}

/** A line for each endpoint, set of keys and count of clients. Times in milliseconds; CPU in milliseconds for one request. */
export async function report(
  orrery: Orrery,
  endpoints: readonly Endpoint[],
  seconds: number,
  askers: readonly Askers[] = [{ answers: '', keys: [orrery.ready.apiKey] }],
  clients: readonly number[] = CLIENTS,
): Promise<void> {
  const heads = ['p50', 'p95', 'p99', 'answers/s', 'our CPU', 'engine'].map((head) => head.padStart(9)).join('')
  printLine(`${''.padEnd(48)}${'clients'.padStart(8)}${heads}`)
  // One sequence for all endpoints: no key repeats a request before all keys have made it.
  const turns = askers.map(({ answers, keys }) => ({ answers, keys: cycle(keys) }))
  for (const { name, paths, goal } of endpoints) {
    const cycled = cycle(paths)
    for (const { answers, keys } of turns) {
      const shown = `${name.padEnd(39)}${answers}`
      for (const connections of clients) {
        const line = await measure(orrery, shown, { paths: cycled, keys }, connections, seconds)
        printLine(goal === undefined || connections > 1 ? line : `${line}  goal ${goal}`)
      }
    }
  }
}
