// `orrery export --request`: pages, waits and refusals, with an API that has them.

import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { EXPORT_OPTIONS } from '../src/command-options.ts'
import { exportSeries } from '../src/commands/export-series.ts'
import { readOptions } from '../src/options.ts'
import { keptContext } from './export-reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-export-series-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const document = readFileSync(new URL('../../../docs/openapi/released.json', import.meta.url))
const REQUEST = '/v1/assets/CDEMO/prices'
const HEADER = 'timestamp,ledger,value_at,price_usd,price_source,observed_at'
const csvOf = (...ledgers: number[]) => {
  const time = (ledger: number) => `2026-09-01T00:00:${String(ledger).padStart(2, '0')}Z`
  const lines = ledgers.map((n) => `${time(n)},${n},${time(n)},${n === 2 ? ',,' : `0.${n},oracle:CDEMO,${time(n)}`}`)
  return [HEADER, ...lines, ''].join('\r\n')
}
interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: string | Buffer
}
const CSV = { 'content-type': 'text/csv; charset=utf-8; header=present' }
let replies: Record<string, Reply[]>
let asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
const server = createServer((request, response) => {
  const path = request.url ?? ''
  asked.push({ path, headers: request.headers })
  const { status = 200, headers = {}, body } = replies[path]?.shift() ?? { status: 500, body: '' }
  response.writeHead(status, headers).end(body)
})
let url = ''
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  asked = []
  replies = { '/openapi.json': [{ body: document }] }
})

async function exported(
  flags: Record<string, unknown> = {},
  { request = REQUEST, view, env = { ORRERY_API_KEY: 'ory_given' } }: Asked = {},
) {
  const kept = keptContext(env)
  const options = readOptions(EXPORT_OPTIONS, { url, data: join(folder, 'absent'), format: 'jsonl', ...flags }, {})
  await exportSeries(request, view, options, kept.context)
  return { rows: kept.stdout(), stderr: kept.stderr() }
}
interface Asked {
  readonly request?: string
  readonly view?: string
  readonly env?: Record<string, string>
}

it('all pages are written in ascending order, and a used-up minute is waited for', async () => {
  const older = `${REQUEST}?as_of_ledger=3`
  const next = { link: `<${older}>; rel="next"`, 'x-orrery-warnings': 'history_cut, stale_price' }
  replies[REQUEST] = [
    { status: 429, headers: { 'retry-after': '0' }, body: '{}' },
    { headers: { ...CSV, ...next }, body: csvOf(4, 5) },
  ]
  replies[older] = [{ headers: CSV, body: csvOf(1, 2, 3) }]
  const { rows, stderr } = await exported()
  const read = rows
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(read.map(({ ledger, price_usd }) => [ledger, price_usd])).toEqual([
    [1, '0.1'],
    [2, null],
    [3, '0.3'],
    [4, '0.4'],
    [5, '0.5'],
  ])
  expect(read[1]).toMatchObject({ timestamp: '2026-09-01T00:00:02Z', price_source: null, observed_at: null })
  expect(stderr).toBe('The answer has warnings: stale_price. The JSON answer has their places and texts.\n')
  // The document is public: its request has no key.
  expect(asked.map(({ path, headers }) => [path, headers['x-service-api-key']])).toEqual([
    ['/openapi.json', undefined],
    ...[REQUEST, REQUEST, older].map((path) => [path, 'ory_given']),
  ])
})

it('a page that fails leaves no file', async () => {
  const output = join(folder, 'prices.parquet')
  replies[REQUEST] = [{ headers: { ...CSV, link: `<${REQUEST}?as_of_ledger=3>; rel="next"` }, body: csvOf(4) }]
  await expect(exported({ format: undefined, output })).rejects.toMatchObject({ code: 'api_unreachable' })
  expect(readdirSync(folder)).toEqual([])
})

const refusal = { error: { code: 'not_found', message: 'There is no asset `CDEMO`.' } }
it.each<[string, RegExp, Reply | null, Record<string, unknown>, Asked]>([
  ['no_series', /^\/v1\/pools is no request for a series.*\n {2}\/v1\/users\/\{address\}/, null, {}, { request: '/v1/pools' }],
  ['no_series', /no request for a series/, null, {}, { request: '/v1/assets//prices' }],
  [
    'request_refused',
    /status 404, not_found\. There is no asset `CDEMO`\. Nothing/,
    { status: 404, body: JSON.stringify(refusal) },
    {},
    {},
  ],
  ['request_refused', /the response has the status 200\. Nothing/, { body: '<html>' }, {}, {}],
  ['export_of_two', /no view, --protocol/, null, {}, { view: 'activities' }],
  ['export_of_two', /no view, --protocol/, null, { from: '7' }, {}],
  ['export_format_unknown', /End it with/, null, { format: undefined, output: 'a.xlsx' }, {}],
  ['api_key_missing', /There is no API key in the data folder .*Nothing was written/, null, {}, { env: {} }],
  ['api_unreachable', /does not answer: .*Nothing was written/, null, { url: 'http://127.0.0.1:1' }, {}],
])('%s: the message is %s', async (code, message, reply, flags, given) => {
  if (reply !== null) replies[REQUEST] = [reply]
  await expect(exported(flags, given)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
})

it('an address without the document of an Orrery API is refused before a key is sent', async () => {
  replies['/openapi.json'] = [{ body: '{"paths":{}}' }]
  await expect(exported()).rejects.toMatchObject({ code: 'api_document_absent' })
  expect(asked.map(({ path }) => path)).toEqual(['/openapi.json'])
})
