import { NO_ROWS } from '@orrery/protocol-kit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openStore } from '../clickhouse-store.ts'
import { openReadModel } from '../read-model.ts'
import { poolSnapshotRow } from '../testing/example-rows.ts'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { protocolTvlByDay } from './protocol-tvl-by-day.ts'

const databases = withDatabases()

const DAY_SECONDS = 86_400
/** 2023-11-15, and six hours for each ledger: four to a day. */
const FIRST_DAY = 19_676
const LEDGERS = 48
const ALL = Array.from({ length: LEDGERS }, (_, n) => n + 1)
const timeOf = (ledger: number): number => FIRST_DAY * DAY_SECONDS + (ledger - 1) * 21_600
const dayOf = (ledger: number): number => Math.floor(timeOf(ledger) / DAY_SECONDS)
const dateOf = (day: number): string => new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10)

interface Values {
  readonly pool: string
  readonly ledger: number
  readonly tvlUsd: number
  readonly unpricedAssets: number
}

/** Six pools: one has a snapshot in every ledger, others have none for days or begin late, the last one is emptied and has none afterwards. */
const RECORDED: readonly Values[] = [0, 1, 2, 3, 4, 5].flatMap((n) =>
  ALL.filter((ledger) => ledger >= n * 5 && (n === 0 || (ledger * 7) % (5 * n + 3) < 2) && (n < 5 || ledger < 30)).map(
    (ledger, at, own) => {
      const tvlUsd = n === 5 && at === own.length - 1 ? 0 : 1_000 * (n + 1) + ledger * 3
      return { pool: `C${String(n).repeat(55)}`, ledger, tvlUsd, unpricedAssets: n === 3 ? ledger % 2 : 0 }
    },
  ),
)

/** The sum over pools of the last snapshot of each up to the day's end. */
function added(day: number, of: (values: Values) => number): number {
  const before = RECORDED.filter(({ ledger }) => dayOf(ledger) <= day)
  return [...Map.groupBy(before, ({ pool }) => pool).values()].reduce((sum, own) => sum + of(own.at(-1) as Values), 0)
}

it('each pool counts with its last snapshot, for every window of days that are over at the watermark', async () => {
  const database = await databases.database()
  const store = openStore(database.connect('writer'))
  const readModel = openReadModel(database.connect('api'))
  await store.activateIfNone('soroswap', 1, 1)
  const ledgers = ALL.map((ledger) => ({ ledger, closeTimeSeconds: timeOf(ledger), hash: '00' }))
  await store.writeLedgers(ledgers, 1n)
  const row = ({ pool, ledger, tvlUsd, unpricedAssets }: Values) =>
    poolSnapshotRow({ pool, ledger, tvlUsd: String(tvlUsd), unpricedAssets, closeTimeSeconds: timeOf(ledger) })
  const poolSnapshots = RECORDED.map(row)
  // Some rows again, in a separate write: copies that are not merged yet.
  await store.write([{ ...NO_ROWS, poolSnapshots }], 1)
  await store.write([{ ...NO_ROWS, poolSnapshots: poolSnapshots.filter((_, n) => n % 3 === 0) }], 1)

  const window = fc
    .record({ watermark: fc.integer({ min: 5, max: LEDGERS }), a: fc.nat({ max: 11 }), b: fc.nat({ max: 11 }) })
    .map(({ watermark, a, b }) => {
      const newest = dayOf(watermark) - 1
      const [first = newest, last = newest] = [a, b].map((n) => Math.min(FIRST_DAY + n, newest)).sort((x, y) => x - y)
      return { watermark, first, last }
    })
  await fc.assert(
    fc.asyncProperty(window, async ({ watermark, first, last }) => {
      const found = await readModel.query(
        protocolTvlByDay,
        {
          protocol: 'soroswap',
          first: dateOf(first),
          days: last - first + 1,
          watermark,
        },
        { tag: { route: '/v1/test', requestId: 'request-1' } },
      )
      const days = Array.from({ length: last - first + 1 }, (_, n) => first + n)
      expect(found).toEqual(
        days.map((day) => ({
          day_seconds: day * DAY_SECONDS,
          tvl_usd: String(added(day, (values) => values.tvlUsd)),
          unpriced: BigInt(added(day, (values) => values.unpricedAssets)),
        })),
      )
    }),
    { numRuns: 60 },
  )
  // A window before every snapshot, and a protocol without pools.
  for (const [protocol, day] of [
    ['soroswap', FIRST_DAY - 10],
    ['blend', FIRST_DAY],
  ] as const) {
    const params = { protocol, first: dateOf(day), days: 3, watermark: LEDGERS }
    const nothing = [0, 1, 2].map((n) => ({ day_seconds: (day + n) * DAY_SECONDS, tvl_usd: '0', unpriced: 0n }))
    expect(await readModel.query(protocolTvlByDay, params, { tag: { route: '/v1/test', requestId: 'request-1' } })).toEqual(nothing)
  }
})
