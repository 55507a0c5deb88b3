import { type ActivityRow, NO_ROWS, rowNumber } from '@orrery/protocol-kit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openStore } from '../clickhouse-store.ts'
import { openReadModel } from '../read-model.ts'
import { activityRow, closeTimeOf, EXAMPLE } from '../testing/example-rows.ts'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { accountActivitySeries } from './account-activity-series.ts'

const databases = withDatabases()

const LAST = 40
const TYPES = ['swap', 'deposit'] as const

/** A leg: cents of USD, or no price. */
interface Leg {
  readonly direction: ActivityRow['direction']
  readonly cents: number | null
  readonly isVolume: boolean
  readonly hasAsset: boolean
  readonly age: number
  readonly confidence: 1 | 0.9 | 0.5
}

interface Action {
  readonly ledger: number
  readonly activityType: (typeof TYPES)[number]
  readonly legs: readonly Leg[]
}

const leg: fc.Arbitrary<Leg> = fc.record({
  direction: fc.constantFrom('sent', 'received', 'none'),
  cents: fc.option(fc.integer({ min: 0, max: 1_000 })),
  isVolume: fc.boolean(),
  hasAsset: fc.boolean(),
  age: fc.integer({ min: 0, max: 900 }),
  confidence: fc.constantFrom(1, 0.9, 0.5),
})
const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.record({
    ledger: fc.integer({ min: 1, max: LAST }),
    activityType: fc.constantFrom(...TYPES),
    legs: fc.array(leg, { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 30, maxLength: 60 },
)

const usd = (cents: number): string => (cents / 100).toFixed(2)
const volumeOf = ({ cents, isVolume }: Leg): number => (isVolume ? (cents ?? 0) : 0)
const sourceOf = ({ cents, age }: Leg): string => (cents === null ? '' : `oracle:${age % 3}`)
const idOf = (action: number): string => String(action).padStart(32, '0')

function rowsOf(all: readonly Action[]): ActivityRow[] {
  return all.flatMap(({ ledger, activityType, legs }, action) =>
    legs.map((one, n) =>
      activityRow({
        key: { ledger, txOrder: action, opIndex: 0, eventIndex: n, row: rowNumber('soroswap', n) },
        ...{ activityType, actionId: idOf(action), counts: n === 0 ? 1 : 0, direction: one.direction, confidence: one.confidence },
        ...{
          assetId: one.hasAsset ? EXAMPLE.token : '',
          usdValue: one.cents === null ? null : usd(one.cents),
          volumeUsd: usd(volumeOf(one)),
        },
        ...{ priceSource: sourceOf(one), priceAgeSeconds: one.age },
      }),
    ),
  )
}

/** The legs that give an action its value, and those without a price among the legs that should. */
function decisive(legs: readonly Leg[]): { readonly valued: readonly Leg[]; readonly unpriced: readonly Leg[] } {
  for (const direction of ['sent', 'received'] as const) {
    const own = legs.filter((one) => one.direction === direction)
    if (own.length > 0) return { valued: own, unpriced: own.filter(({ cents }) => cents === null) }
  }
  return {
    valued: legs.filter((one) => volumeOf(one) !== 0),
    unpriced: legs.filter(({ cents, hasAsset }) => cents === null && hasAsset),
  }
}

interface Window {
  readonly axis: 'time' | 'ledger'
  readonly first: number
  readonly width: number
  readonly from_ledger: number
  readonly to_ledger: number
  readonly watermark: number
}

function expected(all: readonly Action[], { axis, first, width, from_ledger, to_ledger, watermark }: Window) {
  const inside = all.filter(({ ledger }) => ledger >= from_ledger && ledger <= Math.min(to_ledger, watermark))
  const startOf = ({ ledger }: Action): number => {
    const place = axis === 'time' ? closeTimeOf(ledger) : ledger
    return first + Math.floor((place - first) / width) * width
  }
  const groups = [...Map.groupBy(inside, (action) => `${startOf(action)} ${action.activityType}`).values()]
  return groups
    .map((group) => {
      const parts = group.map(({ legs }) => decisive(legs))
      const valued = parts.flatMap((part) => part.valued)
      const last = Math.max(...group.map(({ ledger }) => ledger))
      return {
        start: startOf(group[0] as Action),
        activity_type: (group[0] as Action).activityType,
        ledger: last,
        close_time_seconds: closeTimeOf(last),
        events: group.length,
        usd_volume: String(valued.reduce((sum, { cents }) => sum + (cents ?? 0), 0) / 100),
        confidence: Math.min(...group.flatMap(({ legs }) => legs.map(({ confidence }) => confidence))),
        unpriced: parts.some(({ unpriced }) => unpriced.length > 0),
        price_sources: [...new Set(valued.map(sourceOf))].sort(),
        oldest_price_seconds: Math.max(0, ...valued.map(({ age }) => age)),
      }
    })
    .sort((a, b) => a.start - b.start || (a.activity_type < b.activity_type ? -1 : 1))
}

it('each action counts once, with the legs that give it its value, for every window of ledgers', async () => {
  const database = await databases.database()
  const store = openStore(database.connect('writer'))
  const readModel = openReadModel(database.connect('api'))
  await store.activateIfNone('soroswap', 1, 1)
  const [all = []] = fc.sample(actions, { numRuns: 1, seed: 7 })
  const activities = rowsOf(all)
  await store.write([{ ...NO_ROWS, activities }], 1)
  // Some rows again, in a separate write: copies that are not merged yet.
  await store.write([{ ...NO_ROWS, activities: activities.filter((_, n) => n % 3 === 0) }], 1)

  const ledger = fc.integer({ min: 0, max: LAST + 2 })
  const windows = fc.record({ isTime: fc.boolean(), width: fc.integer({ min: 1, max: 9 }), a: ledger, b: ledger, watermark: ledger })
  await fc.assert(
    fc.asyncProperty(windows, async ({ isTime, width, a, b, watermark }) => {
      const from_ledger = Math.min(a, b)
      const window: Window = {
        ...(isTime
          ? { axis: 'time', first: closeTimeOf(from_ledger) - width, width: width * 7 }
          : { axis: 'ledger', first: from_ledger, width }),
        ...{ from_ledger, to_ledger: Math.max(a, b), watermark },
      }
      const params = { address: EXAMPLE.account, protocol: '', ...window }
      const found = await readModel.query(accountActivitySeries, params, { tag: { route: '/v1/test', requestId: 'request-1' } })
      const sorted = found.map((row) => ({ ...row, price_sources: [...row.price_sources].sort() }))
      expect(sorted).toEqual(expected(all, window))
    }),
    { numRuns: 80 },
  )
})
