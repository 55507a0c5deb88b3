// Adapters and the API on three shards, beside `orrery up` on one engine: both read the same event log.

import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { createClient } from '@orrery/client'
import { PROTOCOLS } from '@orrery/protocols'
import { openClickHouse, openReadModel, type ReadModel } from '@orrery/read-model'
import type { TestCluster } from '@orrery/read-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { indexOnShards, serveShards, urlOf, variables } from './cluster/sharded-index.ts'
import { allQueries, answersOf, type Facts, parametersOf } from './cluster/statements.ts'
import { Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'
import { ANALYST_STATEMENT_BYTES, openAnalyst } from './truth/open-analyst.ts'
import { viewContents } from './view-contents.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-cluster-'))
const stack = new AsyncDisposableStack()
afterAll(async () => {
  await stack.disposeAsync()
  rmSync(folder, { recursive: true, force: true })
})

interface StatementOfRequest {
  readonly sql: string
  readonly sql_on_views: string
  readonly parameters: readonly { readonly name: string; readonly value: string | null }[]
}

let cluster: TestCluster
let single: Ready
let one: ReadModel
let three: ReadModel
let facts: Facts
let index: { readonly registry: string; readonly log: string; readonly identity: string }

beforeAll(async () => {
  const lake = shortLake(join(folder, 'lake'), 5)
  const data = join(folder, 'data')
  const up = stack.use(new Orrery(upArguments(lake, data)))
  single = await up.result<Ready>()
  index = { registry: lake.registry, log: `lmdb:${join(data, 'log')}`, identity: `sqlite:${join(data, 'identity.sqlite')}` }
  await up.result()
  const sharded = await indexOnShards(stack, index)
  cluster = sharded.cluster
  three = sharded.readModel
  one = stack.use(openReadModel(openAnalyst(single.clickhouseUrl), { statementBytes: ANALYST_STATEMENT_BYTES }))
  await sharded.indexed(lake.lastLedger)
  facts = await factsOf(lake.lastLedger)
})

async function rowsOf<Row>(connection: ReturnType<typeof openClickHouse>, query: string): Promise<Row[]> {
  return (await connection.client.query({ query, format: 'JSONEachRow' })).json<Row>()
}

async function factsOf(watermark: number): Promise<Facts> {
  await using connection = openAnalyst(single.clickhouseUrl)
  const most = (columns: string, view: string, count: number) =>
    rowsOf<never>(connection, `SELECT ${columns} FROM ${view} GROUP BY ${columns} ORDER BY count() DESC, ${columns} LIMIT ${count}`)
  const [first] = await rowsOf<{ ledger: number; seconds: number; last: number }>(
    connection,
    'SELECT min(ledger) AS ledger, toUnixTimestamp(min(close_time)) AS seconds, toUnixTimestamp(max(close_time)) AS last FROM ledgers',
  )
  const positions: { address: string; protocol: string; pool: string }[] = []
  const busiest: { address: string }[] = await most('address', 'activities', 1)
  const pools: { protocol: string; pool: string }[] = []
  for (const { id } of PROTOCOLS) {
    const query = `SELECT protocol, pool FROM pool_snapshots WHERE protocol = '${id}' GROUP BY ALL ORDER BY count() DESC, pool LIMIT 1`
    pools.push(...(await rowsOf<{ protocol: string; pool: string }>(connection, query)))
    positions.push(
      ...(await most(
        'address, protocol, pool',
        `position_snapshots WHERE protocol = '${id}' AND (borrowed_usd > 0 OR protocol IN ('aquarius', 'soroswap'))`,
        1,
      )),
    )
  }
  return {
    watermark,
    firstLedger: first?.ledger ?? 0,
    firstSeconds: first?.seconds ?? 0,
    lastSeconds: first?.last ?? 0,
    accounts: [...new Set([...busiest, ...positions].map(({ address }) => address))],
    pools,
    positions,
    assets: await most('asset, protocol, source', 'prices', 2),
    transactions: await most('tx_hash, ledger, tx_order', 'activities', 4),
    parts: await rowsOf(
      connection,
      `SELECT DISTINCT protocol, pool, part.1 AS side, part.2 AS asset
      FROM (SELECT protocol, pool, arrayJoin(arrayZip(side, asset)) AS part FROM open_positions_latest) ORDER BY ALL`,
    ),
  }
}

/** As the page for analysts sends it. Rows as lines, in any order. */
async function sendStatement(clickhouseUrl: string, sql: string, { parameters }: StatementOfRequest): Promise<string[]> {
  const { origin, username, password } = new URL(clickhouseUrl)
  const values = Object.fromEntries(parameters.map(({ name, value }) => [`param_${name}`, value ?? '\\N']))
  const response = await fetch(`${origin}/?${new URLSearchParams({ database: 'orrery', ...values })}`, {
    method: 'POST',
    body: `${sql} FORMAT JSONEachRow`,
    headers: { 'x-clickhouse-user': username, 'x-clickhouse-key': password, connection: 'close' },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .toSorted()
}

/** Times of reports are those of the run. */
function withoutTimes(answers: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(answers, (name, value) => (/_ms$/.test(name) ? 0 : typeof value === 'bigint' ? `${value}n` : value), 1)
}

describe('three shards', () => {
  it('have in every view what one engine has, whichever shard is asked', async () => {
    const expected = await viewContents(single.clickhouseUrl)
    for (const shard of [0, 2]) {
      const found = await viewContents(urlOf(cluster.address('analyst', shard)))
      for (const [view, rows] of Object.entries(expected)) expect(found[view], view).toBe(rows)
      expect(Object.keys(found)).toEqual(Object.keys(expected))
    }
  })

  it('hold parts of the rows each', async () => {
    for (const shard of [0, 1, 2]) {
      await using connection = openClickHouse(cluster.address('admin', shard))
      const [counts] = await rowsOf<{ own: string; all: string }>(
        connection,
        'SELECT (SELECT count() FROM activities_v1_local) AS own, (SELECT count() FROM activities_v1) AS all',
      )
      expect(Number(counts?.own)).toBeGreaterThan(0)
      expect(Number(counts?.own)).toBeLessThan(Number(counts?.all))
    }
  })

  it('answer every statement of the API as one engine does', async () => {
    const parameters = parametersOf(facts)
    expect(Object.keys(parameters).toSorted()).toEqual([...allQueries().keys()].toSorted())
    const expected = await answersOf(one, parameters)
    const found = await answersOf(three, parameters)
    for (const name of Object.keys(expected)) {
      expect(withoutTimes({ [name]: found[name] }), name).toBe(withoutTimes({ [name]: expected[name] }))
    }
    // Equal answers without a row would show nothing. The read model's own test has rows for these.
    const empty = Object.entries(expected).flatMap(([name, answers]) => (answers.every((rows) => rows.length === 0) ? [name] : []))
    expect(empty).toEqual(['gaps_in_log', 'last_verification', 'notices_by_reason', 'pool_auction_keys'])
  })

  it('answer `/v1` through `orrery api` as one engine does', async () => {
    await using serving = new AsyncDisposableStack()
    // The organizations and keys of `up`.
    const url = await serveShards(serving, cluster, index)
    const ask = async (origin: string, path: string): Promise<{ readonly data: unknown; readonly enrichment: unknown }> => {
      const response = await fetch(`${origin}${path}`, { headers: { 'x-service-api-key': single.apiKey } })
      expect(response.status, path).toBe(200)
      // Each API signs its cursors with a key of its own.
      const text = (await response.text()).replaceAll(/"next_cursor":"[^"]+"/g, '"next_cursor":"more"')
      const { data, enrichment } = JSON.parse(text) as { readonly data: unknown; readonly enrichment: unknown }
      return { data, enrichment }
    }
    const { accounts, pools, transactions, watermark } = facts
    const paths = [
      ...accounts.flatMap((address) =>
        ['positions', 'activities?limit=100', 'actions?limit=100', 'history?range=30d'].map((rest) => `/v1/users/${address}/${rest}`),
      ),
      ...pools.flatMap(({ pool }) =>
        ['', '/history?range=30d', '/activities'].map((rest) => `/v1/pools/${encodeURIComponent(pool)}${rest}`),
      ),
      ...transactions.map(({ tx_hash }) => `/v1/transactions/${tx_hash}`),
      ...PROTOCOLS.flatMap(({ id }) => ['tvl', 'reserves', 'emissions'].map((rest) => `/v1/protocols/${id}/${rest}`)),
      ...[
        '/v1/pools',
        '/v1/assets?limit=100',
        `/v1/positions?addresses=${accounts.join(',')}&as_of_ledger=${watermark - 20}`,
        `/v1/ledgers/${watermark}`,
      ],
      ...['/v1/protocols/blend/accounts?sort=health_factor', '/v1/protocols/fxdao/accounts?sort=borrowed_usd'],
    ]
    for (const path of paths) expect(await ask(url, path), path).toEqual(await ask(single.url, path))
  })

  it('answer the examples for analysts as one engine does', async () => {
    const page = readFileSync(new URL('../../../docs/analysts.md', import.meta.url), 'utf8')
    const examples = [...page.matchAll(/```sql\n([\s\S]+?)```/g)].map(([, sql = '']) => sql)
    expect(examples).toHaveLength(11)
    await using single_ = openAnalyst(single.clickhouseUrl)
    await using sharded = openClickHouse(cluster.address('analyst', 1))
    for (const sql of examples) expect(await rowsOf(sharded, sql), sql).toEqual(await rowsOf(single_, sql))
  })

  it('answer an analyst the statements on views that `/v1/queries` has of a request, as one engine does', async () => {
    const [{ pool = '' } = {}] = facts.pools
    const [address] = facts.accounts
    const ledgers = `ledger_bucket=16&from_ledger=${facts.firstLedger}&to_ledger=${facts.watermark}`
    const requests = {
      account_activity_series: `/v1/users/${address}/activities/series?${ledgers}`,
      pool_history: `/v1/pools/${pool}/history?${ledgers}`,
    }
    for (const [name, request] of Object.entries(requests)) {
      const response = await fetch(`${single.url}/v1/queries/${name}?request=${encodeURIComponent(request)}`, {
        headers: { 'x-service-api-key': single.apiKey },
      })
      expect(response.status, name).toBe(200)
      const { data } = (await response.json()) as { readonly data: StatementOfRequest }
      const expected = await sendStatement(single.clickhouseUrl, data.sql, data)
      expect(expected.length, name).toBeGreaterThan(0)
      const analyst = urlOf(cluster.address('analyst', 1))
      expect(await sendStatement(analyst, data.sql_on_views, data), name).toEqual(expected)
      await expect(sendStatement(analyst, data.sql, data), name).rejects.toThrow(/Not enough privileges/)
    }
  })

  it.each([
    ['activities', 'csv'],
    ['state', 'jsonl'],
    ['prices', 'parquet'],
  ])('are written by `orrery export %s` as one engine writes them, as %s', async (view, format) => {
    const written = async (name: string, args: readonly string[], env: Record<string, string> = {}): Promise<Buffer> => {
      const file = join(folder, `${name}.${format}`)
      const { code, stderr } = await orrery(['export', view, '--output', file, ...args], env)
      expect(code, stderr).toBe(0)
      return readFileSync(file)
    }
    const expected = await written('of-one', ['--data', join(folder, 'data')])
    const found = await written('of-three', [], variables(cluster.addresses('api')))
    expect(found.length).toBeGreaterThan(1_000)
    expect(found.equals(expected)).toBe(true)
  })

  it('send by `orrery notify` the events that the stream of one engine has', async () => {
    const expected = new Set<string>()
    const client = createClient({ baseUrl: single.url, apiKey: single.apiKey })
    for await (const { id, event } of client.stream({ from_ledger: 1, events: 'activity,position,ledger' })) {
      if (event === 'ledger' && Number(id) >= facts.watermark) break
      if (event !== 'ledger' && id !== null) expected.add(id)
    }
    expect(expected.size).toBeGreaterThan(100)

    await using notifying = new AsyncDisposableStack()
    const received = new Set<unknown>()
    const receiver = createServer(async (request, response) => {
      const { id } = (await json(request)) as { readonly id: unknown }
      received.add(id)
      response.writeHead(204).end()
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    notifying.defer(() => {
      receiver.closeAllConnections()
      receiver.close()
    })
    const identity = { ORRERY_IDENTITY: `sqlite:${join(folder, 'notified.sqlite')}`, ORRERY_WEBHOOK_KEY: '5a'.repeat(32) }
    const webhook = ['--webhook-url', `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`, '--webhook-allow-private']
    for (const args of [
      ['create', '--name', 'Acme'],
      ['webhook', 'add', ...webhook, '--from-ledger', '1', '--secret-file', join(folder, 'webhook-secret')],
    ]) {
      const { code, stderr } = await orrery(['org', ...args, '--org', 'acme'], identity)
      expect(code, stderr).toBe(0)
    }
    const env = { ORRERY_NETWORK: index.registry, ORRERY_INTERNAL_PORT: '0', ...identity, ...variables(cluster.addresses('api')) }
    const notify = notifying.use(new Orrery(['notify', '--webhook-allow-private'], env))
    await expect.poll(() => received.size, { interval: 500 }).toBe(expected.size)
    expect(received).toEqual(expected)
    notify.signal('SIGTERM')
    expect(await notify.exited, notify.stderr).toBe(0)
  })

  it('are found equal to their ledgers by `orrery verify`', async () => {
    const { registry, log } = index
    const address = variables(cluster.addresses('admin'))
    const { code, stdout, stderr } = await orrery(['verify', '--json', '--network', registry, '--log', log], address)
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout.at(-1) ?? '')).toMatchObject({ event: 'verified', verdict: 'equal' })
  })

  it('answer `/v1` with 503 while one of them is away, and as before after it has returned', async () => {
    await using serving = new AsyncDisposableStack()
    const url = await serveShards(serving, cluster, index)
    const [address] = facts.accounts
    // Not the shard that the API asks first, and one that has rows of each of these.
    const paths = [`/v1/users/${address}/activities`, `/v1/users/${address}/history?range=30d`, '/v1/pools', '/v1/assets']
    const statuses = async (): Promise<unknown[]> => {
      const answers = []
      for (const path of paths) {
        const { status } = await fetch(`${url}${path}`, { headers: { 'x-service-api-key': single.apiKey, connection: 'close' } })
        answers.push([path, status])
      }
      return answers
    }
    await cluster.stop(2)
    expect(await statuses()).toEqual(paths.map((path) => [path, 503]))
    await cluster.start(2)
    expect(await statuses()).toEqual(paths.map((path) => [path, 200]))
  })

  it('give `orrery status` an error that names the shard that is away, and its answer again after the shard has returned', async () => {
    const status = () => orrery(['status'], variables(cluster.addresses('api')))
    const before = await status()
    expect(before.code, before.stderr).toBe(0)
    await cluster.stop(2)
    const away = await status()
    expect(away.code).toBe(75)
    expect(away.stderr).toMatch(/cannot reach another server that the statement needs: \w+ \(279\)/)
    await cluster.start(2)
    expect((await status()).stdout.at(0)).toBe(before.stdout.at(0))
    expect(await viewContents(urlOf(cluster.address('analyst', 0)))).toEqual(await viewContents(single.clickhouseUrl))
  })
})
