// TVL through `/v1`, recomputed from recorded reserves and prices (api-decisions 7): at every checkpoint that is the first ledger of an hour,
// where every pool is valued anew, and of every day as the sum of what is stored of its pools.

import { Decimal } from '@orrery/pricing'
import { expectCounts } from '@orrery/testkit/ground-truth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Checkpoint, type Registry, readCheckpoints, readRegistry, type Words } from './truth/checkpoint.ts'
import { dayOf, isFirstOfHour, lastLedgersOfDays } from './truth/close-times.ts'
import { Compared } from './truth/compared.ts'
import { ExpectedPool, usdValueOf } from './truth/expected-blend.ts'
import { feedAt, stakeValue } from './truth/expected-fxdao.ts'
import { ExpectedLiquidityPool } from './truth/expected-liquidity.ts'
import { ExpectedPrices } from './truth/expected-prices.ts'
import { type Fraction, sum, usdText } from './truth/fraction.ts'
import { each } from './truth/recorded.ts'
import { storedRows } from './truth/stored-rows.ts'
import { WholeNetwork } from './truth/whole-network.ts'

let whole: WholeNetwork
let hours: Checkpoint[]
let registry: Registry

beforeAll(async () => {
  registry = readRegistry()
  whole = await WholeNetwork.open()
  const kinds = ['oracle.', 'blend.', 'aquarius.pool', 'soroswap.pair', 'fxdao.']
  const all = await readCheckpoints(...kinds)
  const isFirst = await Promise.all(all.map(({ ledger, closeTime }) => isFirstOfHour(whole, ledger, closeTime)))
  hours = all.filter((_, n) => isFirst[n])
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

/** Value of each pool of a protocol; null where not everything that it needs was asked at the checkpoint. */
type Tvl = (at: Checkpoint, prices: ExpectedPrices) => Fraction[] | null

const needs =
  (kinds: readonly string[], tvl: (at: Checkpoint, prices: ExpectedPrices) => Fraction[]): Tvl =>
  (at, prices) =>
    kinds.every((kind) => at.has(kind)) ? tvl(at, prices) : null

const known = (values: readonly (Fraction | null)[]): Fraction => sum(values.flatMap((value) => value ?? []))

const TVL: Readonly<Record<string, Tvl>> = {
  blend: needs(['oracle.lastprice', 'blend.pool'], (at, prices) => {
    const pools = at.of('blend.pool').filter((line) => line.from_factory === true)
    return pools.map((line) => {
      const reserves = [...new ExpectedPool(line, at, prices).reserves.values()]
      const of = (side: 'supplied' | 'borrowed') => known(reserves.map((it) => usdValueOf(it[side], it.price, it.decimals)))
      return of('supplied').minus(of('borrowed'))
    })
  }),
  aquarius: needs(['oracle.lastprice', 'aquarius.pool', 'soroswap.pair', 'fxdao.core'], (at, prices) =>
    at.of('aquarius.pool').map((line) => new ExpectedLiquidityPool(line, at, prices).tvl),
  ),
  soroswap: needs(['oracle.lastprice', 'aquarius.pool', 'soroswap.pair', 'fxdao.core'], (at, prices) =>
    at.of('soroswap.pair').map((line) => new ExpectedLiquidityPool(line, at, prices).tvl),
  ),
  // What is locked is valued where an oracle or a price pool has a price of it; of the shipped recording none has.
  fxdao: needs(['fxdao.core'], (at, prices) => {
    const { core, value } = feedAt(at, registry)
    const collateral = at.of('fxdao.currency').map((line) => value((line.vaults_info as Words).total_col ?? '', core.col_token ?? ''))
    const locked = at.of('fxdao.locking_deposit').filter(({ deposit }) => deposit !== null)
    const staked = locked.map(({ asset, deposit }) => {
      return stakeValue((deposit as Words).amount ?? '', String(asset), prices)
    })
    return [known(collateral), known(staked)]
  }),
}

/** First ledgers of an hour among the checkpoints of the shipped recording. */
const HOURS: Readonly<Record<string, number>> = { blend: 51, aquarius: 33, soroswap: 33, fxdao: 45 }

const DAYS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  blend: { day: 45 },
  aquarius: { day: 45 },
  soroswap: { day: 45 },
  fxdao: { day: 45 },
}

interface Point {
  readonly timestamp: string
  readonly tvl_usd: string
}

const dayOfPoint = ({ timestamp }: Pick<Point, 'timestamp'>): string => timestamp.slice(0, 10)

async function points(protocol: string, query: string): Promise<readonly Point[]> {
  return (await whole.get(`/v1/protocols/${protocol}/tvl${query}`)).data.points
}

describe.each(Object.keys(TVL))('TVL of %s', (protocol) => {
  it(`the TVL of ${protocol} as of the first ledger of an hour is the sum of the recorded reserves at their prices`, async () => {
    const compared = new Compared()
    await each(hours, async (at) => {
      const values = TVL[protocol]?.(at, new ExpectedPrices(at, registry)) ?? null
      if (values === null) return
      const day = dayOf(at.closeTime)
      const shown = await points(protocol, `?from=${day}T00:00:00Z&as_of_ledger=${at.ledger}`)
      const value_at = new Date(at.closeTime * 1_000).toISOString().replace('.000Z', 'Z')
      const expected = [{ timestamp: `${day}T00:00:00Z`, ledger: at.ledger, value_at, tvl_usd: usdText(sum(values)) }]
      compared.equal('ledger', { protocol, ledger: at.ledger }, shown, expected)
    })
    compared.print(`of the TVL of ${protocol}`)
    expectCounts(`the TVL of ${protocol}`, compared.counts.ledger, HOURS[protocol])
  }, 900_000)

  it(`the TVL of ${protocol} of a day is the sum of each pool’s last snapshot up to then, and that of the last day the value as of its last ledger`, async () => {
    const { meta } = await whole.get(`/v1/protocols/${protocol}/tvl`)
    const lastOfDay = await lastLedgersOfDays(whole, registry.first_ledger, meta.last_indexed_ledger)
    const [first] = lastOfDay.keys()
    const shown = await points(protocol, `?from=${first}T00:00:00Z`)
    const compared = new Compared()
    // A day without ledgers, if the recording has one, is shown too: nothing changed in it.
    for (const point of shown.filter((it) => lastOfDay.has(dayOfPoint(it)))) {
      const ledger = lastOfDay.get(dayOfPoint(point)) ?? 0
      const [asOf] = await points(protocol, `?from=${point.timestamp}&as_of_ledger=${ledger}`)
      const isLast = ledger === meta.last_indexed_ledger
      const tvl_usd = isLast ? asOf?.tvl_usd : await sumOfSnapshots(protocol, ledger)
      compared.equal('day', { protocol, ledger }, point, { ...asOf, tvl_usd })
    }
    expect(shown.map(dayOfPoint)).toEqual(expect.arrayContaining([...lastOfDay.keys()]))
    expectCounts(`days of ${protocol}`, compared.counts, DAYS[protocol])
  }, 900_000)
})

/** Of stored rows, added up here: the series has them by day, and adds up their changes. */
async function sumOfSnapshots(protocol: string, ledger: number): Promise<string> {
  const rows = await storedRows(
    `SELECT toString(argMax(tvl_usd, pool_snapshots.ledger)) AS tvl FROM orrery.pool_snapshots
     WHERE protocol = '${protocol}' AND pool_snapshots.ledger <= ${ledger} GROUP BY pool`,
  )
  return rows.reduce((total, { tvl = '0' }) => total.plus(tvl), new Decimal(0)).toFixed()
}
