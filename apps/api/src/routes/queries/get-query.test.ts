// The statements of series: the rows that an analyst gets with them are those of which the answers are made.

import { beforeAll, describe, expect, it } from 'vitest'
import { VERSION, withFixtureApi } from '../testing/fixture-api.ts'
import { ALICE, closeTime, ORACLE, PAIR, POOL, timestamp, USDC, whole, XLM } from '../testing/fixtures/network.ts'
import { rows as fixtureRows } from '../testing/fixtures/rows.ts'
import { PARAMETER_TEXTS, SERIES_STATEMENTS } from './series-statements.ts'

const fixture = withFixtureApi(['soroswap', 'blend', 'aquarius', 'fxdao'])

const PROTOCOLS = ['soroswap', 'blend', 'aquarius', 'fxdao'] as const
const at = (ledger: number) => ({ ledger, closeTimeSeconds: closeTime(ledger) })
/** Prices and reserves, which the fixtures lack. Written twice, as the log may deliver them twice. */
const MORE = fixtureRows({
  prices: PROTOCOLS.flatMap((protocol) =>
    (
      [
        [103, '0.25'],
        [118, '0.3'],
        [119, '0.31'],
        [160, '0.26'],
      ] as const
    ).map(([ledger, priceUsd]) => ({
      ...{ protocol, asset: XLM, source: `oracle:${ORACLE}`, ...at(ledger), priceUsd, observedAtSeconds: closeTime(ledger) },
    })),
  ),
  reserveSnapshots: (
    [
      [112, 1_000],
      [118, 1_050],
      [160, 1_100],
    ] as const
  ).flatMap(([ledger, units]) =>
    [USDC, XLM].map((asset) => ({
      ...{ protocol: 'blend' as const, pool: POOL, asset, ...at(ledger), heartbeat: false, supplied: whole(units), borrowed: 0n },
      ...{ suppliedUsd: String(units), borrowedUsd: '0', priceUsd: '1', priceSource: `oracle:${ORACLE}`, native: {} },
    })),
  ),
})
beforeAll(async () => {
  await fixture.store.write([MORE], VERSION)
  await fixture.store.write([MORE], VERSION)
})

interface Statement {
  readonly name: string
  readonly sql: string
  readonly sql_on_views: string
  readonly tables: readonly string[]
  readonly views: readonly string[]
  readonly parameters: readonly { readonly name: string; readonly type: string; readonly about: string; readonly value: string | null }[]
}
type Row = Readonly<Record<string, unknown>>

const path = (name: string, request?: string): string =>
  `/v1/queries/${name}${request === undefined ? '' : `?request=${encodeURIComponent(request)}`}`

async function statementOf(name: string, request?: string): Promise<Statement> {
  return (await fixture.data(path(name, request))).data as unknown as Statement
}

const seconds = (at: unknown): number => Date.parse(String(at)) / 1000
/** Buckets of ledgers, and of a window that ends before the last ledger: their points are of statements alone. */
const LEDGERS = 'ledger_bucket=10&from_ledger=100&to_ledger=220'
const HOURS = `from=${timestamp(100)}&to=${timestamp(200)}&interval=1h`
const raw = (more = ''): string => `?${more}`.replace(/\?$/, '')

interface Case {
  readonly name: string
  readonly request: string
  /** Place and value of a row, and of a point of the answer. */
  readonly row: (row: Row) => readonly unknown[]
  readonly point: (point: Row) => readonly unknown[]
  /** The rows come newest first. */
  readonly isNewestFirst?: true
  /** The rows come in no order. */
  readonly isUnordered?: true
  /** Points, where they are inside of others. */
  readonly pointsOf?: (point: Row) => readonly Row[]
  /** Rows that no point shows. */
  readonly isShown?: (row: Row) => boolean
  /** Points for which the statement has no row. */
  readonly hasRow?: (point: Row) => boolean
}

const user = `/v1/users/${ALICE}`
const position = `${user}/positions/blend/${POOL}/history`
const summary = `${user}/positions/blend/summary/history`
const pair = `/v1/pools/${PAIR}/history`
const asset = `/v1/assets/${XLM}/prices`
const byTime = (member: string) => (point: Row) => [seconds(point.timestamp), point[member]]
const byLedger = (member: string) => (point: Row) => [point.ledger, point[member]]
const byStart = (member: string) => (row: Row) => [row.start, row[member]]
const bucketed = (first: number, width: number) => (row: Row) => [first + (Number(row.bucket) - 1) * width, row.net_usd]
const inWindow = (row: Row): boolean => Number(row.bucket) > 0
const hasFlows = (point: Row): boolean => point.net_flows_usd !== '0'
const reserves = (point: Row): Row[] => (point.reserves as Row[]).map((reserve) => ({ ...reserve, ledger: point.ledger }))

const CASES: readonly Case[] = [
  { name: 'pool_history', request: `${pair}?${LEDGERS}`, row: byStart('tvl_usd'), point: byLedger('tvl_usd') },
  { name: 'pool_snapshots', request: pair + raw(), row: byLedger('tvl_usd'), point: byLedger('tvl_usd'), isNewestFirst: true },
  {
    ...{ name: 'pool_reserve_history', request: `/v1/pools/${POOL}/history?${LEDGERS}`, pointsOf: reserves },
    row: (row) => [row.start, row.asset, row.supplied_usd],
    point: (point) => [point.ledger, point.asset_id, point.supplied_usd],
  },
  {
    ...{ name: 'position_history', request: `${position}?${HOURS}`, isNewestFirst: true, isShown: inWindow },
    row: bucketed(seconds(timestamp(100)), 3_600),
    point: byTime('net_usd'),
  },
  {
    ...{ name: 'position_history_by_ledger', request: `${position}?${LEDGERS}`, isNewestFirst: true, isShown: inWindow },
    row: bucketed(100, 10),
    point: byLedger('net_usd'),
  },
  { name: 'position_snapshots', request: position, row: byLedger('net_usd'), point: byLedger('net_usd'), isNewestFirst: true },
  { name: 'position_summary', request: `${summary}?${LEDGERS}`, row: byStart('deposited_usd'), point: byLedger('deposited_usd') },
  {
    ...{ name: 'position_summary_snapshots', request: `${summary}?from_ledger=100&to_ledger=220`, isNewestFirst: true },
    row: byLedger('deposited_usd'),
    point: byLedger('deposited_usd'),
  },
  { name: 'net_worth', request: `${user}/history?${HOURS}`, row: byStart('deposited_usd'), point: byTime('deposited_usd') },
  { name: 'net_worth_by_ledger', request: `${user}/history?${LEDGERS}`, row: byStart('borrowed_usd'), point: byLedger('borrowed_usd') },
  {
    ...{ name: 'net_worth_snapshots', request: `${user}/history?from_ledger=100&to_ledger=220`, isNewestFirst: true },
    row: byLedger('deposited_usd'),
    point: byLedger('deposited_usd'),
  },
  {
    ...{ name: 'position_flows', request: `${user}/history?${HOURS}&fill=zero`, hasRow: hasFlows, isUnordered: true },
    row: byStart('net_flows_usd'),
    point: byTime('net_flows_usd'),
  },
  {
    ...{ name: 'position_flows_by_ledger', request: `${user}/history?${LEDGERS}&fill=zero`, hasRow: hasFlows, isUnordered: true },
    row: byStart('net_flows_usd'),
    point: byLedger('net_flows_usd'),
  },
  {
    ...{ name: 'account_activity_series', request: `${user}/activities/series?${LEDGERS}` },
    row: (row) => [row.start, row.activity_type, row.usd_volume, row.events],
    point: (point) => [point.ledger, point.activity_type, point.usd_volume, point.events],
  },
  {
    ...{ name: 'protocol_tvl_by_day', request: '/v1/protocols/soroswap/tvl?from=2026-09-01T00:00:00Z&to=2026-09-01T23:59:59Z' },
    row: (row) => [row.day_seconds, row.tvl_usd],
    point: byTime('tvl_usd'),
  },
  { name: 'asset_price_history', request: `${asset}?${LEDGERS}`, row: byStart('price_usd'), point: byLedger('price_usd') },
  { name: 'asset_prices', request: asset, row: byLedger('price_usd'), point: byLedger('price_usd'), isNewestFirst: true },
]

const texts = (values: readonly (readonly unknown[])[]): string[] => values.map((value) => value.map(String).join(' '))

describe('a statement with the parameters of a request', () => {
  it.each(CASES.map((one) => [one.name, one] as const))(
    '%s gives the analyst the points of the answer, on tables and on views',
    async (_, asked) => {
      const { name, request, row, point, isNewestFirst, isUnordered, pointsOf, isShown = () => true, hasRow = () => true } = asked
      const answer = await fixture.data(request)
      const points = (answer.data.points as Row[]).flatMap((one) => pointsOf?.(one) ?? [one]).filter(hasRow)
      const statement = await statementOf(name, request)
      const values = Object.fromEntries(statement.parameters.map((parameter) => [parameter.name, parameter.value ?? 'null']))
      for (const sql of [statement.sql, statement.sql_on_views]) {
        const rows = (await fixture.analystRows(sql, values)).filter(isShown)
        const found = texts((isNewestFirst === true ? rows.reverse() : rows).map(row))
        const shown = texts(points.map(point))
        expect(isUnordered === true ? found.sort() : found).toEqual(isUnordered === true ? shown.sort() : shown)
        expect(rows.length).toBeGreaterThan(0)
      }
    },
  )

  it('every statement is compared with an answer', () => {
    expect(CASES.map(({ name }) => name).sort()).toEqual([...SERIES_STATEMENTS.keys()].sort())
  })

  it('the enrichment is that of the answer to the request', async () => {
    const request = `${pair}?${LEDGERS}`
    const [answer, statement] = await Promise.all([fixture.data(request), fixture.data(path('pool_history', request))])
    expect(statement.enrichment).toEqual(answer.enrichment)
    expect(Object.keys(statement.enrichment.contracts)).toContain(PAIR)
  })
})

describe('a statement without a request', () => {
  it.each([...SERIES_STATEMENTS])(
    '%s is the text that the API sends, with what it reads and what each parameter is',
    async (name, { query }) => {
      const statement = await statementOf(name)
      const words = (sql: string): string[] => sql.trim().split(/\s+/)
      expect(words(statement.sql)).toEqual(words(query.sql))
      expect(statement.tables.every((table) => /_v\d+$/.test(table))).toBe(true)
      expect(statement.views).toEqual(statement.tables.map((table) => table.replace(/_v\d+$/, '')))
      expect(statement.sql_on_views).not.toMatch(/_v\d|\bFINAL\b/)
      expect(statement.parameters.filter(({ about }) => about === '')).toEqual([])
      const given = Object.fromEntries(statement.parameters.flatMap(({ name: one, value }) => (value === null ? [] : [[one, value]])))
      expect(given).toEqual({ active: "[('aquarius',1),('blend',1),('fxdao',1),('soroswap',1)]", watermark: '220' })
    },
  )

  it('every text about a parameter is of one that a statement has', () => {
    const used = new Set(
      [...SERIES_STATEMENTS.values()].flatMap(({ query }) => [...query.sql.matchAll(/\{(\w+):/g)].map(([, name = '']) => name)),
    )
    expect(Object.keys(PARAMETER_TEXTS).filter((name) => !used.has(name))).toEqual([])
  })
})

describe('400', () => {
  it('a name of no statement is refused with the names that there are', async () => {
    const { status, code, message } = await fixture.refusal('/v1/queries/owner_state')
    expect([status, code]).toEqual([400, 'invalid_parameter'])
    expect(message).toContain('`net_worth`')
  })

  it.each([
    ['of no series', `/v1/users/${ALICE}/positions`, '`request` must be a path of an operation for a series, with its query.'],
    ['of another statement', `${pair}?${LEDGERS}`, '`request` does not run this statement. It runs `pool_history`'],
    ['of the statement itself', '/v1/queries/net_worth', '`request` must be a path of an operation for a series, with its query.'],
    ['with a bad parameter', `${user}/history?range=1y`, '`request` is refused by its operation. `range` must be'],
    ['with a broken rule', `${user}/history?fill=zero`, '`request` is refused by its operation. `fill`'],
    ['with an address of nothing', `/v1/users/nothing/history`, '`request` is refused by its operation. `address` must be'],
    ['of another server', 'https://example.com/v1/pools', '`request` must be a path that begins with `/v1/`'],
    ['with a space', `${user}/history?range=24h `, '`request` must be a path that begins with `/v1/`'],
  ])('a request %s is refused', async (_, request, message) => {
    const refused = await fixture.refusal(path('net_worth', request))
    expect([refused.status, refused.code]).toEqual([400, 'invalid_parameter'])
    expect(refused.message.startsWith(message), refused.message).toBe(true)
  })

  it('a request that the operation does not find is not found', async () => {
    const request = `/v1/pools/${XLM}/history`
    expect(await fixture.refusal(path('pool_snapshots', request))).toEqual(await fixture.refusal(request))
  })
})

it('a request costs what it costs its operation', async () => {
  const request = `${user}/history?from_ledger=100&to_ledger=220&ledger_bucket=1`
  const cost = async (asked: string): Promise<unknown> => (await fixture.api.ask(asked)).headers['ratelimit-cost']
  expect(await cost(path('net_worth_by_ledger', request))).toBe(await cost(request))
  expect(await cost(path('net_worth'))).toBe('1')
})
