// Answers as CSV, over real HTTP: read with a library, and compared with the JSON answers to the same requests.

import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { columnsOf } from '../csv/csv-table.ts'
import { routes } from '../testing/all-routes.ts'
import { VERSION, withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, AQUA_POOL, BOB, CAROL, PAIR, POOL, timestamp, USDC, XLM } from './testing/fixtures/network.ts'
import { leg, rows } from './testing/fixtures/rows.ts'

const fixture = withFixtureApi(['soroswap', 'aquarius', 'blend', 'fxdao'])
const CSV = { accept: 'text/csv' }

const user = `/v1/users/${ALICE}`
/** The list of rows of each, and requests for it. */
const REQUESTS: readonly (readonly [list: string, path: string])[] = [
  ['activities', `${user}/activities`],
  ['activities', `${user}/activities?order=asc&activity_type=swap,deposit&from=${timestamp(102)}`],
  ['activities', `/v1/users/${BOB}/activities`],
  ['activities', `/v1/pools/${PAIR}/activities`],
  ['actions', `${user}/actions`],
  ['actions', `${user}/actions?order=asc`],
  ['points', `${user}/activities/series?interval=1d`],
  ['points', `${user}/history`],
  ['points', `${user}/history?range=24h&fill=null`],
  ['points', `${user}/positions/soroswap/${PAIR}/history`],
  ['points', `${user}/positions/soroswap/${PAIR}/history?range=24h&fill=null`],
  ['points', `${user}/positions/aquarius/${AQUA_POOL}/history`],
  ['points', `${user}/positions/blend/${POOL}/history?ledger_bucket=10&from_ledger=100&to_ledger=220`],
  ['points', `${user}/positions/blend/summary/history`],
  ['points', `${user}/positions/fxdao/USD/history`],
  ['points', `/v1/pools/${PAIR}/history?range=7d`],
  ['points', `/v1/assets/${XLM}/prices`],
  ['points', '/v1/protocols/soroswap/tvl'],
  ['prices', `/v1/prices?assets=${XLM},${USDC}`],
  ['pools', '/v1/pools'],
]

type Item = Readonly<Record<string, unknown>>

/** A member as the field of a CSV file has it. */
function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return typeof value === 'string' && /^[=+\-@]/.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text
}

async function table(path: string) {
  const answer = await fixture.api.ask(path, { headers: CSV })
  expect(answer.status, path).toBe(200)
  const [columns = [], ...lines] = parse(answer.text, { record_delimiter: '\r\n' }) as string[][]
  return { ...answer, columns, lines }
}

describe('200: text/csv', () => {
  it.each(REQUESTS)('the rows are `%s` of the JSON answer: %s', async (list, path) => {
    const { data, meta } = await fixture.data(path)
    const items = data[list] as Item[]
    const { columns, lines, headers } = await table(path)
    expect(lines).toEqual(items.map((item) => columns.map((name) => fieldOf(item[name]))))
    for (const item of items) expect(columns.toSorted()).toEqual(Object.keys(item).sort())
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'x-orrery-last-indexed-ledger': String(meta.last_indexed_ledger),
      'x-orrery-partial-result': String(meta.partial_result),
      'x-orrery-attribution-confidence': String(meta.attribution_confidence),
      'ratelimit-cost': expect.stringMatching(/^1[1-9]$/),
    })
    const codes = new Set((meta.warnings as { code: string }[]).map(({ code }) => code))
    expect(new Set(headers['x-orrery-warnings']?.split(', '))).toEqual(codes.size === 0 ? new Set(['']) : codes)
    for (const [name, value] of Object.entries(data)) {
      if (name === list || name === 'next_cursor') continue
      expect(headers[`x-orrery-${name.replaceAll('_', '-')}`]).toBe(String(value))
    }
    expect(headers.link).toBeUndefined()
  })

  it('every route with CSV is among the requests, and has columns', () => {
    const withCsv = routes.filter(({ csv }) => csv !== null)
    const asked = (path: string) => {
      const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
      return REQUESTS.some(([, request]) => pattern.test(request.split('?')[0] ?? ''))
    }
    expect(withCsv.filter(({ path }) => !asked(path)).map(({ path }) => path)).toEqual([])
    expect(withCsv).toHaveLength(15)
    for (const { data, csv } of withCsv) if (csv !== null) expect(columnsOf(data, csv).length).toBeGreaterThan(1)
  })

  it('an empty table has its header line', async () => {
    const { columns, lines } = await table(`${user}/activities?activity_type=claim`)
    expect([columns.slice(0, 3), lines]).toEqual([['id', 'activity_type', 'address'], []])
  })

  it.each([`${user}/activities?order=asc`, `${user}/actions`, `/v1/pools/${PAIR}/activities`, '/v1/pools?sort=volume'])(
    'pages follow `Link`, and have every row once: %s',
    async (path) => {
      const whole = await table(path)
      const found: string[][] = []
      let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=2`
      while (next !== undefined) {
        const page = await table(next)
        expect(page.lines.length).toBeLessThanOrEqual(2)
        found.push(...page.lines)
        next = /^<([^>]+)>; rel="next"$/.exec(page.headers.link ?? '')?.[1]
      }
      expect(found).toEqual(whole.lines)
      expect(found.length).toBeGreaterThan(2)
    },
  )

  it('a page has more rows than one of JSON can', async () => {
    const many = Array.from({ length: 1_203 }, (_, n) => ({
      ...leg({ ledger: 160, tx: 300, address: CAROL }),
      key: { ledger: 160, txOrder: 3, opIndex: 0, eventIndex: n, row: 0 },
      actionId: String(n).padStart(32, '0'),
    }))
    await fixture.store.write([rows({ activities: many })], VERSION)
    const of = `/v1/users/${CAROL}`
    for (const list of ['activities', 'actions']) {
      const all = await table(`${of}/${list}?from_ledger=160&to_ledger=160`)
      expect(all.lines).toHaveLength(1_203)
      expect(new Set(all.lines.map(([id]) => id)).size).toBe(1_203)
      expect((await table(`${of}/${list}?from_ledger=160&to_ledger=160&limit=1202`)).headers.link).toContain('cursor=')
    }
  })

  it('a text that a spreadsheet would compute is a text there, and a number stays a number', async () => {
    const strange = leg({ ledger: 161, tx: 301, address: CAROL, assetSymbol: '=HYPERLINK("x","y"),\n', counterparty: '' })
    await fixture.store.write([rows({ activities: [strange] })], VERSION)
    const { columns, lines } = await table(`/v1/users/${CAROL}/activities?from_ledger=161&to_ledger=161`)
    expect(lines[0]?.[columns.indexOf('asset_symbol')]).toBe('\'=HYPERLINK("x","y"),\n')
    expect(lines[0]?.[columns.indexOf('amount')]).toBe('250')
    expect(JSON.parse(lines[0]?.[columns.indexOf('metadata')] ?? '')).toMatchObject({ event: 'SoroswapPair/deposit' })
  })
})

describe('304', () => {
  it('CSV and JSON have tags of their own, and both can be not modified', async () => {
    const path = `${user}/activities`
    const [csv, json] = [await fixture.api.ask(path, { headers: CSV }), await fixture.api.ask(path)]
    expect(csv.headers.etag).not.toBe(json.headers.etag)
    const again = (accept: string, tag = '') => fixture.api.ask(path, { headers: { accept, 'if-none-match': tag } })
    expect((await again('text/csv', csv.headers.etag)).status).toBe(304)
    expect((await again('text/csv', json.headers.etag)).status).toBe(200)
    expect((await again('application/json', csv.headers.etag)).status).toBe(200)
  })
})

describe('the format', () => {
  it.each([
    ['*/*', 'json'],
    ['', 'json'],
    ['application/json', 'json'],
    ['text/csv', 'csv'],
    ['text/*', 'csv'],
    ['TEXT/CSV', 'csv'],
    ['text/csv;q=0.9, application/json;q=0.8', 'csv'],
    ['text/csv;q=0.5, */*', 'json'],
    ['application/json;q=0.2, text/csv', 'csv'],
    ['text/csv;q=0', 'json'],
    ['application/xml', 'json'],
    ['text/html, */*;q=0.1', 'json'],
    [';;;', 'json'],
  ])('`Accept: %s` is answered with %s', async (accept, format) => {
    const { headers, status } = await fixture.api.ask(`${user}/actions`, { headers: accept === '' ? {} : { accept } })
    expect([status, headers['content-type']?.includes(format)]).toEqual([200, true])
    expect(headers.vary?.toLowerCase().split(', ')).toEqual(expect.arrayContaining(['accept', 'x-service-api-key']))
  })

  it('a route without a table is JSON for every client, and does not depend on `Accept`', async () => {
    const { headers } = await fixture.api.ask('/v1/protocols', { headers: CSV })
    expect(headers['content-type']).toContain('json')
    expect(headers.vary?.toLowerCase().split(', ')).not.toContain('accept')
  })
})

describe('errors of requests for CSV are JSON', () => {
  const feed = `${user}/activities`
  it.each([
    ['a page of nothing', `${feed}?limit=0`, 400, 'invalid_parameter'],
    ['a page of 50,001', `${feed}?limit=50001`, 400, 'invalid_parameter'],
    ['actions of 50,001', `${user}/actions?limit=50001`, 400, 'invalid_parameter'],
    ['50,001 of a pool', `/v1/pools/${PAIR}/activities?limit=50001`, 400, 'invalid_parameter'],
    ['50,001 pools', '/v1/pools?limit=50001', 400, 'invalid_parameter'],
    ['an unknown name', `${feed}?format=csv`, 400, 'unknown_parameter'],
    ['an invented cursor', `${feed}?cursor=abc`, 400, 'invalid_cursor'],
    ['two last bounds', `${user}/actions?to_ledger=1&as_of_ledger=1`, 400, 'conflicting_parameters'],
    ['too many buckets', `${user}/history?interval=5m&from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z`, 400, 'too_many_points'],
    ['an unknown pool', `/v1/pools/${USDC}/activities`, 404, 'not_found'],
    ['a wrong key', feed, 401, 'unauthorized'],
  ])('%s', async (about, path, status, code) => {
    const key = about === 'a wrong key' ? { 'x-service-api-key': 'ory_aaaaaaaa_wrong' } : {}
    const answer = await fixture.api.ask(path, { headers: { ...CSV, ...key } })
    expect({ status: answer.status, code: answer.body?.error?.code }).toEqual({ status, code })
    expect(answer.headers['content-type']).toContain('application/json')
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-orrery'))).toEqual([])
  })

  it('JSON keeps its own limit', async () => {
    expect(await fixture.refusal(`${feed}?limit=101`)).toMatchObject({ status: 400, code: 'invalid_parameter' })
    expect((await fixture.api.ask(`${feed}?limit=101`, { headers: CSV })).status).toBe(200)
  })
})
