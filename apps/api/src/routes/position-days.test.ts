// Histories in buckets of days are the same from days and from all snapshots, and are read from days where these determine them.

import type { PositionSnapshotRow } from '@orrery/protocol-kit'
import { NO_ROWS } from '@orrery/protocol-kit'
import { openReadModel, openStore } from '@orrery/read-model'
import { withDatabases } from '@orrery/read-model/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type BucketWindow, timeBuckets } from '../params/bucket-window.ts'
import { type Instant, parseInstant } from '../params/date-time.ts'
import type { Fill } from '../params/history-query.ts'
import type { Interval } from '../params/interval.ts'
import type { RouteContext } from '../route.ts'
import { bucketedNetWorth } from './net-worth.ts'
import { planHistory, readHistory } from './position-history.ts'
import { readSummary } from './position-summary.ts'
import { ALICE, NETWORK, NEW_PAIR, PAIR, POOL, POOL_2 } from './testing/fixtures/network.ts'
import { positionSnapshot } from './testing/fixtures/rows.ts'

const databases = withDatabases()
const HOUR = 3_600
/** Half an hour after midnight: the ledgers of a day are no day of the clock. */
const BEGIN = Date.parse('2026-09-01T00:30:00Z') / 1_000
const LAST = 60 * 24 - 7
const secondsOf = (ledger: number): number => BEGIN + (ledger - 1) * HOUR
const at = (ledger: number) => ({ ledger, closeTimeSeconds: secondsOf(ledger) })

const usd = fc.option(
  fc.integer({ min: 0, max: 10 ** 12 }).map((n) => String(n / 10 ** 6)),
  { freq: 6 },
)
const owed = fc.option(fc.oneof(fc.constant('0'), fc.integer({ min: 1, max: 10 ** 6 }).map(String)), { freq: 6 })
const snapshot = fc.record({
  place: fc.constantFrom(['blend', POOL], ['blend', POOL_2], ['soroswap', PAIR], ['soroswap', NEW_PAIR]),
  ledger: fc.integer({ min: 1, max: LAST }),
  values: fc.record({
    ...{ suppliedUsd: usd, borrowedUsd: usd, depositedUsd: usd, netUsd: usd, effectiveCollateralUsd: usd, effectiveLiabilitiesUsd: owed },
    netApy: fc.option(
      fc.integer({ min: -500, max: 500 }).map((n) => String(n / 1_000)),
      { freq: 4 },
    ),
    unpricedAssets: fc.constantFrom(0, 0, 0, 1),
  }),
})

const rowOf = ({ place: [protocol, pool], ledger, values }: ReturnType<typeof sampled>[number]): PositionSnapshotRow => ({
  ...positionSnapshot(ledger, '0', ALICE, pool),
  ...values,
  ...{ protocol, closeTimeSeconds: secondsOf(ledger), native: {} },
})
const sampled = (numRuns: number, seed: number) => fc.sample(snapshot, { numRuns, seed })

/** @param blendAt The ledger with which the rows of Blend end: its partition is quarantined if it is not the last one. */
async function setUp(blendAt = LAST) {
  const database = await databases.database()
  const store = openStore(database.connect('writer'))
  const readModel = openReadModel(database.connect('api'), { tipForMs: 0 })
  for (const protocol of ['blend', 'soroswap'] as const) {
    await store.activateIfNone(protocol, 1, 1)
    await store.moveCheckpoint({ protocol, partition: 0 }, 1, { ...at(protocol === 'blend' ? blendAt : LAST), offset: 1n, rollingHash: '' })
  }
  if (blendAt < LAST) await store.reportHealth([QUARANTINED])
  await store.writeLedgers(
    Array.from({ length: LAST }, (_, n) => ({ ...at(n + 1), hash: '00' })),
    1n,
  )
  const write = (...positionSnapshots: readonly PositionSnapshotRow[]) => store.write([{ ...NO_ROWS, positionSnapshots }], 1)
  const indexed = { first: at(1), last: at(LAST) }
  let ran: string[] = []
  const watched = {
    ...readModel,
    query: ((query, params, options) => {
      ran.push(query.name)
      return readModel.query(query, params, options)
    }) as typeof readModel.query,
  }
  const call = { tag: { route: '/v1/test', requestId: 'test' }, signal: new AbortController().signal }
  const context = (isShown: boolean) => ({ readModel: watched, call, isShown }) as unknown as RouteContext
  /** The histories of a window, from days and from all snapshots, and the statements that ran for the former. */
  const histories = async (interval: Interval, fill: Fill, bounds: { readonly from?: Instant; readonly to?: Instant } | '30d') => {
    const query = bounds === '30d' ? { range: bounds, fill, interval } : { ...bounds, interval, fill }
    const read = async (isShown: boolean) => {
      const of = { protocol: 'blend', address: ALICE }
      const position = { ...of, pool: POOL }
      const plan = await planHistory(position, query, indexed, context(isShown))
      const worth = { address: ALICE, protocols: ['blend', 'soroswap'], indexed }
      return [
        await readSummary(of, query, indexed, context(isShown)),
        await readHistory(plan, position, query, indexed, context(isShown)),
        await bucketedNetWorth(worth, plan.window as BucketWindow, fill, null, NETWORK, context(isShown)),
      ]
    }
    ran = []
    const ofDays = await read(false)
    const statements = ran
    ran = []
    return { ofDays, ofSnapshots: await read(true), statements }
  }
  return { admin: database.connect('admin'), store, write, histories }
}

const QUARANTINED = {
  ...{ protocol: 'blend', partition: 0, indexVersion: 1, reportedAtMs: 1, state: 'quarantined' as const, checkpointLedger: 1 },
  ...{ checkpointCloseTimeSeconds: 1, seenLedger: 1, seenCloseTimeSeconds: 1, sourceEnded: false, sourceHeardAtMs: 0 },
  ...{ progressedAtMs: 0, gap: null, error: '', errorsLastHour: 0, contractsTracked: 0 },
} as const
const DAYS = ['net_worth_days', 'position_days', 'position_flows', 'summary_days']
const SNAPSHOTS = ['net_worth', 'position_flows', 'position_history', 'position_summary']
const instant = (seconds: number): Instant => {
  const parsed = parseInstant(new Date(seconds * 1_000).toISOString())
  if (parsed === null) throw new Error('No instant.')
  return parsed
}

it('whatever the window, the interval and the snapshots are', async () => {
  const { write, histories } = await setUp()
  await write(...sampled(400, 3).map(rowOf))
  // Written again, a part of the rows are not merged yet.
  await write(...sampled(400, 3).slice(200).map(rowOf))
  const window = fc.record({
    interval: fc.constantFrom<Interval>('1d', '1d', '1w', '4h'),
    fill: fc.constantFrom<Fill>('none', 'locf', 'null', 'zero'),
    from: fc.integer({ min: -3 * 24, max: 55 * 24 }),
    days: fc.integer({ min: 0, max: 40 }),
    end: fc.constantFrom('day', 'last', 'any'),
  })
  const used = { days: 0, snapshots: 0 }
  for (const { interval, fill, from: hours, days, end } of fc.sample(window, { numRuns: 60, seed: 7 })) {
    const from = BEGIN + hours * HOUR + 17
    const day = from - (from % 86_400) + days * 86_400
    const to = end === 'last' ? undefined : instant(end === 'day' ? day + 86_399 : Math.max(from, day + 5 * HOUR))
    const bounds = { from: instant(from), ...(to !== undefined && { to }) }
    if (timeBuckets({ from: bounds.from, to: to ?? null }, interval, { first: at(1), last: at(LAST) }).count === 0) continue
    const { ofDays, ofSnapshots, statements } = await histories(interval, fill, { ...bounds, to: to ?? instant(secondsOf(LAST)) })
    expect(ofDays, JSON.stringify({ interval, fill, ...bounds })).toEqual(ofSnapshots)
    used[statements.includes('summary_days') ? 'days' : 'snapshots'] += 1
  }
  expect(used.days).toBeGreaterThan(20)
  expect(used.snapshots).toBeGreaterThan(10)
})

it('are read from days alone up to the last ledger, and from snapshots where the last day has one of a ledger after it', async () => {
  const { write, histories } = await setUp()
  await write(...sampled(300, 4).map(rowOf))
  const before = await histories('1d', 'locf', '30d')
  expect(before.statements.filter((name) => DAYS.includes(name)).sort()).toEqual(DAYS)
  expect(before.statements.filter((name) => !DAYS.includes(name))).toEqual([])
  expect(before.ofDays).toEqual(before.ofSnapshots)
  // Of a ledger of which other rows may be missing yet.
  const [later] = sampled(1, 5)
  if (later === undefined) throw new Error('No row.')
  await write({ ...rowOf({ ...later, place: ['blend', POOL], ledger: LAST + 1 }) })
  const after = await histories('1d', 'locf', '30d')
  expect(after.statements.filter((name) => SNAPSHOTS.includes(name)).sort()).toEqual(SNAPSHOTS)
  expect(after.ofDays).toEqual(before.ofDays)
})

it('have a row that a repair wrote again before it is merged', async () => {
  const { admin, write, histories } = await setUp()
  for (const table of ['position_daily_v1', 'position_snapshots_v1']) await admin.client.command({ query: `SYSTEM STOP MERGES ${table}` })
  const [one] = sampled(1, 5)
  if (one === undefined) throw new Error('No row.')
  const row = rowOf({ ...one, place: ['blend', POOL], ledger: LAST - 30 })
  for (const suppliedUsd of ['5', '600', '70']) await write({ ...row, suppliedUsd })
  const { ofDays, statements } = await histories('1d', 'locf', '30d')
  expect(statements).toContain('position_days')
  const [, history] = ofDays
  expect(new Set(history?.points.map((point) => (point as { readonly supplied_usd?: unknown }).supplied_usd))).toEqual(new Set(['70']))
})

it('begin before the index, or before time', async () => {
  const { write, histories } = await setUp()
  await write(...sampled(300, 6).map(rowOf))
  for (const [interval, from] of [
    ['1w', 0],
    ['1d', BEGIN - 20 * 86_400],
  ] as const) {
    const { ofDays, ofSnapshots, statements } = await histories(interval, 'none', { from: instant(from), to: instant(secondsOf(LAST)) })
    expect(ofDays).toEqual(ofSnapshots)
    expect(statements).toContain('position_days')
    expect(ofDays.map((one) => one.points.length > 5)).toEqual([true, true, true])
  }
})

it('are read from snapshots while a partition is quarantined, without its pools', async () => {
  const { write, histories } = await setUp(LAST - 100)
  await write(...sampled(300, 4).map(rowOf))
  const { ofDays, ofSnapshots, statements } = await histories('1d', 'locf', '30d')
  expect(statements.filter((name) => SNAPSHOTS.includes(name)).sort()).toEqual(SNAPSHOTS)
  expect(ofDays).toEqual(ofSnapshots)
  const [summary, , worth] = ofDays
  expect(summary?.points).toEqual([])
  expect(worth?.points.length).toBeGreaterThan(0)
})

it('are read from snapshots where there are too many rows, or too many positions for the buckets', async () => {
  const { write, histories } = await setUp()
  const many = Array.from({ length: 300 }, (_, n) => ({
    ...positionSnapshot(40 * 24, '7', ALICE, `C${String(n).padStart(55, '0')}`),
    protocol: 'blend' as const,
  }))
  await write(...many.map((row) => ({ ...row, closeTimeSeconds: secondsOf(row.ledger) })))
  const { ofDays, ofSnapshots, statements } = await histories('1d', 'locf', { from: instant(BEGIN), to: instant(secondsOf(LAST)) })
  expect(ofDays).toEqual(ofSnapshots)
  expect(statements).toContain('position_summary')
  const more = Array.from({ length: 4_701 }, (_, n) => ({
    ...positionSnapshot(45 * 24, '7', ALICE, `C${String(n).padStart(55, 'D')}`),
    protocol: 'blend' as const,
  }))
  await write(...more.map((row) => ({ ...row, closeTimeSeconds: secondsOf(row.ledger) })))
  const last = instant(secondsOf(LAST))
  const { statements: ofTooManyRows } = await histories('1d', 'none', { from: last, to: last })
  expect(ofTooManyRows).toContain('position_summary')
})
