// `orrery export` of everything that has rows: each view, and series as `/v1` answers them.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseAddress } from '@orrery/read-model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXPORT_OPTIONS } from '../src/command-options.ts'
import { exportRows } from '../src/commands/export.ts'
import { exportSeries } from '../src/commands/export-series.ts'
import { readOptions } from '../src/options.ts'
import { readRunning } from '../src/running-file.ts'
import { seriesAt, seriesOf } from '../src/series/series-document.ts'
import { keptContext, queryFile } from './export-reader.ts'
import { Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-export-all-'))
const data = join(folder, 'data')
const FORMATS = ['csv', 'parquet'] as const
type Columns = readonly { readonly name: string; readonly type: string }[]

let run: Orrery
let ready: Ready
let admin: ClickHouseAddress
beforeAll(async () => {
  run = new Orrery([...upArguments(shortLake(join(folder, 'lake'), 1), data), '--log-level', 'silent'])
  ready = await run.result<Ready>()
  await run.result()
  const address = readRunning(data)?.admin
  if (address === undefined) throw new Error('orrery up names no address')
  admin = address
})
afterAll(async () => {
  await run[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function rowsOf<Row>(sql: string): Promise<Row[]> {
  return queryFile<Row>(admin, sql, { bytes: Buffer.from('n\n'), format: 'csv', columns: [{ name: 'n', type: 'UInt8' }] })
}

async function v1(path: string): Promise<{ readonly points: readonly Record<string, unknown>[] } & Record<string, unknown>> {
  const answer = await fetch(`${ready.url}${path}`, { headers: { 'x-service-api-key': ready.apiKey } })
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as { data: never }).data
}

describe('orrery export', () => {
  it('writes every row of every view, as CSV and as Parquet', async () => {
    const listed = keptContext()
    await exportRows(undefined, readOptions(EXPORT_OPTIONS, { data, json: true }, {}), listed.context)
    const { views } = JSON.parse(listed.stdout()) as { views: { name: string; columns: Columns }[] }
    const names = await rowsOf<{ name: string }>(
      `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'View' ORDER BY name`,
    )
    expect(views.map(({ name }) => name)).toEqual(names.map(({ name }) => name))

    const [stored, written]: [Record<string, number>, Record<string, number>] = [{}, {}]
    for (const { name, columns } of views) {
      const [counted] = await rowsOf<{ n: number }>(`SELECT count() AS n FROM \`${name}\``)
      for (const format of FORMATS) {
        const output = join(folder, `${name}.${format}`)
        await exportRows(name, readOptions(EXPORT_OPTIONS, { data, output }, {}), keptContext().context)
        const [found] = await queryFile<{ n: number }>(admin, 'SELECT count() AS n FROM file', {
          ...{ bytes: readFileSync(output), format, columns },
        })
        stored[`${name}.${format}`] = counted?.n ?? -1
        written[`${name}.${format}`] = found?.n ?? -2
      }
    }
    expect(written).toEqual(stored)
    // A short recording leaves some views empty, not most of them.
    const empty = views.filter(({ name }) => stored[`${name}.csv`] === 0).map(({ name }) => name)
    expect(empty.length).toBeLessThan(views.length / 4)
  })

  it.each(['net worth', 'prices', 'TVL'])('writes the points of a series that /v1 answers: %s', async (of) => {
    const request = await requestFor(of)
    const { points } = await v1(request)
    expect(points.length).toBeGreaterThan(of === 'TVL' ? 0 : 3)
    const document: unknown = await (await fetch(`${ready.url}/openapi.json`)).json()
    const columns = seriesAt(seriesOf(document) ?? [], request)?.columns ?? []
    // A list or an object of a point is JSON in its field.
    const expected = points.map((point) =>
      Object.fromEntries(
        Object.entries(point).map(([name, value]) => [name, typeof value === 'object' && value !== null ? JSON.stringify(value) : value]),
      ),
    )

    const kept = keptContext()
    await exportSeries(request, undefined, readOptions(EXPORT_OPTIONS, { data, format: 'jsonl' }, {}), kept.context)
    const written = kept.stdout().trim().split('\n')
    expect(written.map((line) => JSON.parse(line))).toEqual(expected)
    for (const format of FORMATS) {
      const output = join(folder, `series.${format}`)
      await exportSeries(request, undefined, readOptions(EXPORT_OPTIONS, { data, output }, {}), keptContext().context)
      const found = await queryFile(admin, 'SELECT * FROM file ORDER BY ledger, timestamp', {
        bytes: readFileSync(output),
        format,
        columns,
      })
      expect(found).toEqual(expected)
    }
  })

  it('reports the points that it wrote, and ends with 2 where the API refuses the request', async () => {
    const [output, request] = [join(folder, 'tvl.parquet'), await requestFor('TVL')]
    const { code, stdout } = await orrery(['export', '--data', data, '--request', request, '--output', output, '--json'])
    const { points } = await v1(request)
    expect(code).toBe(0)
    expect(JSON.parse(stdout[0] ?? '')).toMatchObject({ event: 'exported', request, format: 'parquet', rows: points.length, file: output })
    const refused = await orrery(['export', '--data', data, '--request', '/v1/users/nothing/history'])
    expect([refused.code, refused.stdout]).toEqual([2, []])
    expect(refused.stderr).toMatch(/status 400, invalid_parameter\. `address` must be/)
  })

  async function requestFor(of: string): Promise<string> {
    if (of === 'TVL') return '/v1/protocols/soroswap/tvl'
    if (of === 'prices') {
      const [found] = await rowsOf<{ asset: string }>('SELECT asset, count() AS n FROM prices GROUP BY asset ORDER BY n DESC LIMIT 1')
      return `/v1/assets/${found?.asset}/prices`
    }
    const [found] = await rowsOf<{ address: string }>(
      `SELECT address, uniqExact(ledger) AS n FROM position_snapshots GROUP BY address ORDER BY n DESC, address LIMIT 1`,
    )
    return `/v1/users/${found?.address}/history?from_ledger=1&to_ledger=4000000000`
  }
})
