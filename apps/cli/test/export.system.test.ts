import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-export-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const data = join(folder, 'data')
const file = (name: string) => join(folder, name)
const lines = (text: string) => text.trim().split('\n')

let stored: Record<string, string>
beforeAll(async () => {
  const lake = shortLake(join(folder, 'lake'), 1)
  await using run = new Orrery([...upArguments(lake, data), '--log-level', 'silent'])
  const { clickhouseUrl } = await run.result<Ready>()
  await run.result()
  stored = await viewContents(clickhouseUrl)
  expect((await orrery(['export', 'activities', '--data', data, '--output', file('running.csv')])).code).toBe(0)
  run.signal('SIGTERM')
  await run.exited
})

describe('orrery export', () => {
  it('lists every view with its meaning', async () => {
    const { code, stdout } = await orrery(['export', '--data', data, '--json'])
    const { views } = JSON.parse(stdout[0] ?? '')
    expect(code).toBe(0)
    for (const view of Object.keys(stored))
      expect(views).toContainEqual(expect.objectContaining({ name: view, description: expect.stringMatching(/./) }))
  })

  it('writes the rows that readers see, the same from a running index and from a stopped one', async () => {
    const expected = lines(stored.activities ?? '')
    const { code, stdout } = await orrery(['export', 'activities', '--data', data, '--output', file('stopped.csv'), '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout[0] ?? '')).toMatchObject({ event: 'exported', view: 'activities', format: 'csv', rows: expected.length })
    expect(expected.length).toBeGreaterThan(10)
    expect(readFileSync(file('stopped.csv'), 'utf8')).toBe(readFileSync(file('running.csv'), 'utf8'))
    expect(lines(readFileSync(file('stopped.csv'), 'utf8'))).toHaveLength(expected.length + 1)
  })

  it('writes to stdout, of one protocol and up to a ledger', async () => {
    const { stdout } = await orrery(['export', 'activities', '--data', data, '--format', 'jsonl', '--protocol', 'blend'])
    const rows = stdout.map((line) => JSON.parse(line))
    expect(new Set(rows.map(({ protocol }) => protocol))).toEqual(new Set(['blend']))
    const last = rows[Math.floor(rows.length / 2)].ledger
    const until = await orrery(['export', 'activities', '--data', data, '--format', 'jsonl', '--protocol', 'blend', '--to', String(last)])
    expect(until.stdout.map((line) => JSON.parse(line))).toEqual(rows.filter(({ ledger }) => ledger <= last))
  })

  it.each([
    [['export', 'no_such_view'], /There is no view "no_such_view"/],
    [['export', 'activities', '--output', file('rows.xlsx')], /End it with \.csv, \.jsonl or \.parquet/],
    [['export', 'active_versions', '--to', '7'], /are of no ledger/],
    [['export', 'ledgers', '--protocol', 'blend'], /are of no protocol/],
    [['export', 'activities', '--protocol', 'uniswap'], /has no index of "uniswap"/],
    [['export', 'activities', '--format', 'xml'], /--format .* must be one of csv, jsonl, parquet/],
  ])('refuses %j and writes nothing', async (args, message) => {
    const { code, stdout, stderr } = await orrery([...args, '--data', data])
    expect(stderr).toMatch(message)
    expect([code === 0, stdout, existsSync(file('rows.xlsx'))]).toEqual([false, [], false])
  })

  it('leaves nothing where a file cannot be written', async () => {
    const { code, stderr } = await orrery(['export', 'activities', '--data', data, '--output', join(folder, 'absent', 'rows.csv')])
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${join(folder, 'absent', 'rows.csv')} cannot be written (ENOENT)`)])
  })
})
