// An activity series is the same from rows that are added up here and from the statement that adds them up in the engine.

import { type ActivityRow, NO_ROWS, rowNumber } from '@orrery/protocol-kit'
import { openReadModel, openStore } from '@orrery/read-model'
import { withDatabases } from '@orrery/read-model/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readSeries } from './activity-series.ts'
import { ALICE, USDC } from './testing/fixtures/network.ts'
import { leg } from './testing/fixtures/rows.ts'

const databases = withDatabases()
const LAST = 220

const action = fc.record({
  ledger: fc.integer({ min: 101, max: LAST }),
  protocol: fc.constantFrom<ActivityRow['protocol']>('blend', 'soroswap'),
  activityType: fc.constantFrom<ActivityRow['activityType']>('swap', 'deposit', 'transfer'),
  legs: fc.array(
    fc.record({
      direction: fc.constantFrom<ActivityRow['direction']>('sent', 'received', 'none'),
      usdValue: fc.option(fc.integer({ min: 0, max: 10 ** 9 }).map((n) => String(n / 10 ** 6))),
      hasVolume: fc.boolean(),
      assetId: fc.constantFrom('', USDC),
      priceSource: fc.constantFrom('', 'oracle:a', 'pool:b'),
      priceAgeSeconds: fc.integer({ min: 0, max: 900 }),
      confidence: fc.constantFrom<ActivityRow['confidence']>(1, 0.9, 0.5),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

function rowsOf(actions: readonly (typeof action extends fc.Arbitrary<infer T> ? T : never)[]): ActivityRow[] {
  return actions.flatMap(({ legs, ...of }, n) =>
    legs.map(({ hasVolume, ...values }, row) => ({
      ...leg({ ...of, ...values, tx: n, row, volumeUsd: hasVolume ? (values.usdValue ?? '0') : '0', counts: row === 0 ? 1 : 0 }),
      key: { ledger: of.ledger, txOrder: n, opIndex: 0, eventIndex: row, row: rowNumber(of.protocol, row) },
      actionId: n.toString(16).padStart(32, '0'),
    })),
  )
}

async function setUp(rows: readonly ActivityRow[]) {
  const database = await databases.database()
  const store = openStore(database.connect('writer'))
  const readModel = openReadModel(database.connect('api'))
  for (const protocol of ['blend', 'soroswap'] as const) await store.activateIfNone(protocol, 1, 1)
  await store.write([{ ...NO_ROWS, activities: rows }], 1)
  // Copies that are not merged yet.
  await store.write([{ ...NO_ROWS, activities: rows.filter((_, n) => n % 3 === 0) }], 1)
  const ran: string[] = []
  const query = ((asked, params, options) => {
    ran.push(asked.name)
    return readModel.query(asked, params, options)
  }) as typeof readModel.query
  const watched = { ...readModel, query }
  const call = { tag: { route: '/v1/test', requestId: 'test' }, signal: new AbortController().signal }
  const seconds = (ledger: number): number => rows.find(({ key }) => key.ledger >= ledger)?.closeTimeSeconds ?? 0
  const read = async (isShown: boolean, protocol: string, window: Parameters<typeof readSeries>[1]) => {
    const found = await readSeries({ address: ALICE, protocol, watermark: LAST }, window, { readModel: watched, call, isShown })
    return found.map((point) => ({ ...point, price_sources: point.price_sources.toSorted() }))
  }
  return { read, ran, seconds }
}

it('for windows of time and of ledgers, of all protocols and of one', async () => {
  const [actions = []] = fc.sample(fc.array(action, { minLength: 150, maxLength: 150 }), { numRuns: 1, seed: 3 })
  const { read, ran, seconds } = await setUp(rowsOf(actions))
  const ledger = fc.integer({ min: 95, max: LAST + 5 })
  const windows = fc.record({
    isTime: fc.boolean(),
    width: fc.integer({ min: 1, max: 30 }),
    a: ledger,
    b: ledger,
    protocol: fc.constantFrom('', 'blend'),
  })
  for (const { isTime, width, a, b, protocol } of fc.sample(windows, { numRuns: 60, seed: 4 })) {
    const [from_ledger, to_ledger] = [Math.min(a, b), Math.max(a, b)]
    const axis = isTime
      ? ({ axis: 'time', first: seconds(101) - width, width: width * 700 } as const)
      : ({ axis: 'ledger', first: from_ledger, width } as const)
    const window = { ...axis, from_ledger, to_ledger }
    expect(await read(false, protocol, window), JSON.stringify(window)).toEqual(await read(true, protocol, window))
  }
  expect(new Set(ran.filter((_, n) => n % 2 === 0))).toEqual(new Set(['account_series_rows']))
  expect(new Set(ran.filter((_, n) => n % 2 === 1))).toEqual(new Set(['account_activity_series']))
})

it('of an account with many rows in the window is left to the engine', async () => {
  const [one] = rowsOf([
    { ledger: 150, protocol: 'soroswap', activityType: 'swap', legs: [] },
    ...fc.sample(action, { numRuns: 1, seed: 5 }),
  ])
  if (one === undefined) throw new Error('No row.')
  // In two ledgers: the first 1,500 and the others.
  const many = Array.from({ length: 2_001 }, (_, n) => ({
    ...one,
    key: { ...one.key, ledger: n < 1_500 ? 152 : 158, txOrder: n },
    actionId: n.toString(16).padStart(32, '0'),
  }))
  const { read, ran } = await setUp(many)
  const window = { axis: 'ledger', first: 101, width: 10, from_ledger: 101, to_ledger: LAST } as const
  const [point, ...others] = await read(false, '', window)
  expect([point?.events, others]).toEqual([2_001 * one.counts, []])
  expect(ran.splice(0)).toEqual(['account_series_rows', 'account_activity_series'])

  // Not once more in vain, unless the window leaves some of them out.
  await read(false, '', { ...window, from_ledger: 152, to_ledger: 158 })
  expect(ran.splice(0)).toEqual(['account_activity_series'])
  for (const part of [{ from_ledger: 153 }, { to_ledger: 157 }]) {
    const events = (await read(false, '', { ...window, ...part })).reduce((sum, point) => sum + point.events, 0)
    expect(events).toBe(('from_ledger' in part ? 501 : 1_500) * one.counts)
  }
  await read(false, one.protocol, window)
  expect(ran).toEqual(['account_series_rows', 'account_series_rows', 'account_series_rows', 'account_activity_series'])
})
