// TVL of past days is the same from rows of pools and from the statement that takes the sums, and is added up here where the rows are few.

import type { PoolSnapshotRow } from '@orrery/protocol-kit'
import { NO_ROWS } from '@orrery/protocol-kit'
import { openReadModel, openStore } from '@orrery/read-model'
import { withDatabases } from '@orrery/read-model/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openKeptDays } from '../kept-days.ts'
import type { RouteContext } from '../route.ts'
import { readPoolDays } from './pool-days.ts'
import { NEW_PAIR, PAIR, POOL, POOL_2 } from './testing/fixtures/network.ts'

const databases = withDatabases()
const DAY = 86_400
const HOUR = 3_600
/** Start of the first day of the index. A ledger closes each hour, half an hour after it has begun. */
const FIRST_DAY = Date.parse('2026-09-01T00:00:00Z') / 1_000
const secondsOf = (ledger: number): number => FIRST_DAY + (ledger - 1) * HOUR + 1_800
const startOf = (day: number): number => FIRST_DAY + day * DAY
/** The last ledger of a day; 0 is the first one. */
const endOf = (day: number): number => 24 * (day + 1)
const LAST = endOf(59)

type Values = Pick<PoolSnapshotRow, 'pool' | 'ledger' | 'tvlUsd' | 'unpricedAssets'>

const rowOf = (values: Values): PoolSnapshotRow => ({
  ...values,
  ...{ protocol: 'soroswap', closeTimeSeconds: secondsOf(values.ledger), heartbeat: false, shareSupply: 1n, native: {} },
})

const values = fc.record({
  pool: fc.constantFrom(PAIR, NEW_PAIR, POOL),
  ledger: fc.integer({ min: 1, max: LAST }),
  tvlUsd: fc.oneof(
    fc.constant('0'),
    fc.integer({ min: 0, max: 10 ** 15 }).map((n) => String(n / 10 ** 6)),
    fc.constantFrom('0.00000001', '999999999999999999999999999999.99999999'),
  ),
  unpricedAssets: fc.constantFrom(0, 0, 0, 1, 2),
})

/** @param partitions Of which the first one is quarantined at a ledger, if one is given. */
async function setUp({ partitions = 1, quarantinedAt }: { readonly partitions?: number; readonly quarantinedAt?: number } = {}) {
  const database = await databases.database()
  const store = openStore(database.connect('writer'))
  const readModel = openReadModel(database.connect('api'), { tipForMs: 0 })
  await store.activateIfNone('soroswap', 1, partitions)
  for (let partition = 0; partition < partitions; partition++) {
    const ledger = partition === 0 ? (quarantinedAt ?? LAST) : LAST
    const at = { ledger, closeTimeSeconds: secondsOf(ledger) }
    await store.moveCheckpoint({ protocol: 'soroswap', partition }, 1, { ...at, offset: 1n, rollingHash: '' })
  }
  if (quarantinedAt !== undefined) await store.reportHealth([QUARANTINED])
  let ran: string[] = []
  const watched = {
    ...readModel,
    query: ((query, params, options) => {
      ran.push(query.name)
      return readModel.query(query, params, options)
    }) as typeof readModel.query,
  }
  const call = { tag: { route: '/v1/test', requestId: 'test' }, signal: new AbortController().signal }
  const keptDays = openKeptDays()
  const read = async (isShown: boolean, first: number, days: number, watermark: number) => {
    ran = []
    const context = { readModel: watched, call, keptDays, isShown } as unknown as RouteContext
    const asked = { protocol: 'soroswap', first: startOf(first), days, end: startOf(first + days) } as const
    const found = await readPoolDays(asked, watermark, context)
    return { found, ran }
  }
  return {
    admin: database.connect('admin'),
    write: (rows: readonly Values[], version = 1) => store.write([{ ...NO_ROWS, poolSnapshots: rows.map(rowOf) }], version),
    /** Days from one on, both ways, and the statements that ran for the first. */
    both: async (first: number, days: number, watermark = LAST) => {
      const { found: added, ran: statements } = await read(false, first, days, watermark)
      const { found: ofEngine, ran: shown } = await read(true, first, days, watermark)
      expect(shown).toEqual(['protocol_tvl_by_day'])
      return { added, ofEngine, statements }
    },
  }
}

const QUARANTINED = {
  ...{ protocol: 'soroswap', partition: 0, indexVersion: 1, reportedAtMs: 1, state: 'quarantined' as const, checkpointLedger: 1 },
  ...{ checkpointCloseTimeSeconds: 1, seenLedger: 1, seenCloseTimeSeconds: 1, sourceEnded: false, sourceHeardAtMs: 0 },
  ...{ progressedAtMs: 0, gap: null, error: '', errorsLastHour: 0, contractsTracked: 0 },
} as const

it('pools that are quiet, that begin within the window and whose day has several snapshots count with their last value', async () => {
  const { write, both } = await setUp()
  const one = (pool: string, ledger: number, tvlUsd: string, unpricedAssets = 0): Values => ({ pool, ledger, tvlUsd, unpricedAssets })
  await write([one(PAIR, endOf(3), '900'), one(PAIR, endOf(4), '1000')])
  await write([one(NEW_PAIR, endOf(8), '90'), one(NEW_PAIR, endOf(10), '100')])
  await write([one(NEW_PAIR, endOf(12) - 5, '140'), one(NEW_PAIR, endOf(12), '150.5')])
  await write([one(POOL, endOf(13), '7', 2), one(POOL, endOf(14), '7.25')])
  const expected = [
    [10, '1100', 0n], // 1000 + 100
    [11, '1100', 0n],
    [12, '1150.5', 0n], // 1000 + 150.5
    [13, '1157.5', 2n], // and 7
    [14, '1157.75', 0n], // and 7.25
    [15, '1157.75', 0n],
  ].map(([day, tvl_usd, unpriced]) => ({ day_seconds: startOf(Number(day)), tvl_usd, unpriced }))
  const { added, ofEngine, statements } = await both(10, 6)
  expect(added).toEqual(expected)
  expect(ofEngine).toEqual(expected)
  expect(statements).toEqual(['pool_days'])
  // Before the first row of any pool, and before the index.
  const nothing = (day: number) => ({ day_seconds: startOf(day), tvl_usd: '0', unpriced: 0n })
  expect((await both(-5, 8)).added).toEqual([-5, -4, -3, -2, -1, 0, 1, 2].map(nothing))
  expect((await both(-5, 8)).ofEngine).toEqual([-5, -4, -3, -2, -1, 0, 1, 2].map(nothing))
  // After PAIR has its last row, before NEW_PAIR has one.
  expect((await both(7, 1)).added).toEqual([{ day_seconds: startOf(7), tvl_usd: '1000', unpriced: 0n }])
})

it('whatever the window and the rows are, days are those of the statement that takes the sums', async () => {
  const { write, both } = await setUp()
  const many = fc.sample(values, { numRuns: 250, seed: 3 })
  // Of a pool that was quiet since the first days.
  const quiet = fc.sample(values, { numRuns: 5, seed: 4 }).map((row) => ({ ...row, pool: POOL_2, ledger: 1 + (row.ledger % 100) }))
  // One row for each pool and ledger.
  const rows = [...new Map([...many, ...quiet].map((row) => [`${row.pool} ${row.ledger}`, row])).values()]
  await write(rows)
  // Copies that are not merged yet, later rows of days that are stored, and rows of a version that is not active.
  await write(rows.filter((_, n) => n % 3 === 0))
  await write(
    rows.slice(0, 40).map((row) => ({ ...row, ledger: row.ledger + 1, tvlUsd: '5' })),
    2,
  )
  const windows = fc.record({ first: fc.integer({ min: -5, max: 58 }), days: fc.integer({ min: 1, max: 40 }), later: fc.nat({ max: 30 }) })
  for (const { first, days: asked, later } of fc.sample(windows, { numRuns: 80, seed: 5 })) {
    const days = Math.min(asked, 60 - first)
    // All days are over at the watermark, and the index has rows of later ledgers.
    const watermark = Math.max(1, endOf(first + days - 1)) + later
    const { added, ofEngine, statements } = await both(first, days, watermark)
    expect(added, JSON.stringify({ first, days, watermark })).toEqual(ofEngine)
    expect(added).toHaveLength(days)
    expect(statements).toEqual(['pool_days'])
  }
})

it('a row after the watermark does not count', async () => {
  const { write, both } = await setUp()
  await write([{ pool: PAIR, ledger: endOf(3), tvlUsd: '5', unpricedAssets: 0 }])
  await write([{ pool: PAIR, ledger: endOf(4), tvlUsd: '6', unpricedAssets: 1 }])
  const { added, ofEngine } = await both(3, 2, endOf(3))
  expect(added.map(({ tvl_usd }) => tvl_usd)).toEqual(['5', '5'])
  expect(ofEngine).toEqual(added)
})

it('a row that a repair wrote again counts before it is merged', async () => {
  const { admin, write, both } = await setUp()
  await admin.client.command({ query: 'SYSTEM STOP MERGES pool_daily_v1' })
  const row = (tvlUsd: string): Values => ({ pool: PAIR, ledger: endOf(3), tvlUsd, unpricedAssets: 0 })
  await write([row('5')])
  await write([row('600')])
  await write([row('70')])
  const { added, ofEngine, statements } = await both(3, 2)
  expect(added.map(({ tvl_usd }) => tvl_usd)).toEqual(['70', '70'])
  expect(ofEngine).toEqual(added)
  expect(statements).toEqual(['pool_days'])
})

it('pools of a quarantined partition do not count after its ledger', async () => {
  const rows = [PAIR, NEW_PAIR, POOL, POOL_2].map((pool, n) => ({ pool, ledger: endOf(2), tvlUsd: String(10 ** n), unpricedAssets: 0 }))
  const { write, both } = await setUp({ partitions: 2, quarantinedAt: endOf(30) })
  await write(rows)
  const { added: before } = await both(2, 3, endOf(30))
  expect(before.map(({ tvl_usd }) => tvl_usd)).toEqual(['1111', '1111', '1111'])
  const { added: after, ofEngine, statements } = await both(2, 3, endOf(30) + 1)
  expect(after).toEqual(ofEngine)
  expect(statements).toEqual(['pool_days'])
  // Of four pools in two partitions.
  expect(Number(after[0]?.tvl_usd)).toBeGreaterThan(0)
  expect(Number(after[0]?.tvl_usd)).toBeLessThan(1111)
})

/** Rows of pools with a value of 1 for each day from the first one on. */
const rowsOfPools = (pools: number, days: number): string => `
  INSERT INTO pool_daily_v1 (protocol, pool, day, ledger, close_time, tvl_usd, unpriced_assets, adapter_version)
  SELECT 'soroswap', concat('C', leftPad(toString(number % ${pools}), 55, 'A')), toDate(close_time_), 24 * (1 + intDiv(number, ${pools})), close_time_, 1, 0, 1
  FROM (SELECT number, toDateTime(${FIRST_DAY} + ${DAY} * intDiv(number, ${pools}), 'UTC') AS close_time_ FROM numbers(${pools * days}))`

it('the engine takes the sums where the window has too many rows', async () => {
  const { admin, both } = await setUp()
  await admin.client.command({ query: rowsOfPools(101, 20) })
  const few = await both(1, 19) // 1,919 rows
  expect(few.statements).toEqual(['pool_days'])
  const many = await both(0, 20) // 2,020 rows
  expect(many.statements).toEqual(['pool_days', 'protocol_tvl_by_day'])
  for (const { added, ofEngine } of [few, many]) {
    expect(added).toEqual(ofEngine)
    expect(new Set(added.map(({ tvl_usd }) => tvl_usd))).toEqual(new Set(['101']))
  }
  expect((await both(1, 19)).statements).toEqual(['pool_days'])
  // Not once more in vain.
  expect((await both(0, 20)).statements).toEqual(['protocol_tvl_by_day'])
})

it('the engine takes the sums where it would have to read too many rows of the days before, and is not asked for them again soon', async () => {
  const { admin, both } = await setUp()
  await admin.client.command({ query: rowsOfPools(60, 600) })
  const end = endOf(599)
  const first = await both(590, 10, end)
  expect(first.statements).toEqual(['pool_days', 'protocol_tvl_by_day'])
  const second = await both(595, 5, end)
  expect(second.statements).toEqual(['protocol_tvl_by_day'])
  for (const { added } of [first, second]) expect(new Set(added.map(({ tvl_usd }) => tvl_usd))).toEqual(new Set(['60']))
})
