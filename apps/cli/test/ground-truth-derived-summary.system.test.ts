// The history of an account's summary in Blend through `/v1`: a point at a checkpoint is recomputed from the contracts' answers, a point anywhere is
// the sum of the pages of its pools, and `as_of_ledger` and buckets show the last point at or before them.
//
// A pool counts in a point with its last snapshot. At which ledgers there are snapshots is read from the stored rows, without their values: at the
// first ledger of an hour there must be one of everything from 1 USD on; the rest is asked at the ledger that it was written at.

import { seededRandom } from '@orrery/testkit'
import { expectCounts } from '@orrery/testkit/ground-truth'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { type Checkpoint, type Registry, readCheckpoints, readRegistry } from './truth/checkpoint.ts'
import { dayOf, isFirstOfHour } from './truth/close-times.ts'
import { Compared } from './truth/compared.ts'
import { type ExpectedPart, type ExpectedSummary, grossUsd, isEmpty, partsAt, summaryOf } from './truth/expected-blend-summary.ts'
import { largest, smallest, weighted } from './truth/expected-portfolio.ts'
import { Fraction, sum, usdText } from './truth/fraction.ts'
import { each } from './truth/recorded.ts'
import { expectCounts as expectSampled, sampleOf } from './truth/sampled.ts'
import { storedRows } from './truth/stored-rows.ts'
import { WholeNetwork } from './truth/whole-network.ts'

type Shown = Answer['data']
type Point = ExpectedSummary & { readonly ledger: number; readonly timestamp: string; readonly value_at: string | null }

const SEED = 26
const POINTS_OF_ACCOUNT = 2
/** What is worth less is written every day instead of every hour (api-decisions 4). */
const SMALL = Fraction.of(1)

let whole: WholeNetwork
let checkpoints: Checkpoint[]
let registry: Registry
/** By account, of each pool the ledgers that have a snapshot, ascending. */
const snapshots = new Map<string, Map<string, number[]>>()
/** Raw points by account, ascending. */
const rawPoints = new Map<string, readonly Point[]>()

beforeAll(async () => {
  registry = readRegistry()
  checkpoints = await readCheckpoints('blend.', 'oracle.')
  whole = await WholeNetwork.open()
  const rows = "SELECT DISTINCT address, pool, ledger FROM orrery.position_snapshots WHERE protocol = 'blend' ORDER BY ledger"
  for (const { address = '', pool = '', ledger } of await storedRows(rows)) {
    const ofAccount = snapshots.get(address) ?? new Map<string, number[]>()
    snapshots.set(address, ofAccount.set(pool, [...(ofAccount.get(pool) ?? []), Number(ledger)]))
  }
  // In one order, whichever answer comes first: what is sampled depends on it.
  for (const address of [...snapshots.keys()].sort()) rawPoints.set(address, [])
  await each(snapshots.keys(), async (address) => {
    rawPoints.set(address, await points(address))
  })
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

async function points(address: string, query = ''): Promise<Point[]> {
  return (await whole.get(`/v1/users/${address}/positions/blend/summary/history${query}`)).data.points
}

/** Of each pool its last snapshot at or before a ledger, and the one after that. */
function snapshotsAt(address: string, ledger: number): (readonly [pool: string, ledger: number, next: number])[] {
  return [...(snapshots.get(address) ?? [])].flatMap(([pool, ledgers]) => {
    const n = ledgers.findLastIndex((it) => it <= ledger)
    const last = ledgers[n]
    return last === undefined ? [] : [[pool, last, ledgers[n + 1] ?? Number.POSITIVE_INFINITY] as const]
  })
}

describe('the summary of an account in lending pools', () => {
  it('the point of the summary’s history at every checkpoint is the sum of what the contracts answered, by the prices and rates of the ledger', async () => {
    const compared = new Compared()
    const parts = new Map(checkpoints.map((at) => [at.ledger, partsAt(at, registry)]))
    const answers = answersOf(parts)
    for (const at of checkpoints) {
      const ofLedger = parts.get(at.ledger) ?? new Map<string, ExpectedPart>()
      const isHour = await isFirstOfHour(whole, at.ledger, at.closeTime)
      for (const address of new Set([...ofLedger.keys()].map((key) => key.split(' ')[0] ?? ''))) {
        const about = { ledger: at.ledger, address }
        const written = snapshotsAt(address, at.ledger)
        for (const [pool, ledger] of written) {
          const now = ofLedger.get(`${address} ${pool}`)
          if (!isHour || now === undefined || isEmpty(now) || grossUsd(now)?.isLessThan(SMALL) === true) continue
          compared.equal('position of an hour', { ...about, pool }, ledger, at.ledger)
        }
        const byPool = written.map(([pool, ledger, next]) => partOf(answers.get(`${address} ${pool}`) ?? [], ledger, next))
        for (const [key, part] of ofLedger) {
          const [owner, pool] = key.split(' ')
          if (owner !== address || isEmpty(part)) continue
          compared.equal('has a snapshot', { ...about, pool }, written.map(([it]) => it).includes(pool ?? ''), true)
        }
        const shown = rawPoints.get(address)?.find(({ ledger }) => ledger === at.ledger)
        if (shown === undefined || byPool.includes(null)) {
          count(compared, shown === undefined ? 'without a point' : 'not asked for everything')
          continue
        }
        const expected = summaryOf(byPool.filter((part) => part !== null))
        const timestamp = new Date(at.closeTime * 1_000).toISOString().replace('.000', '')
        const place = { ledger: at.ledger, timestamp, value_at: timestamp }
        compared.equal(isHour ? 'first ledger of an hour' : 'ledger', about, shown, { ...expected, ...place })
        if (expected.health_factor !== null) count(compared, 'with a health factor')
        if (expected.deposited_usd !== expected.supplied_usd) count(compared, 'with a backstop')
        if (written.length > 1) count(compared, 'of several pools')
      }
    }
    compared.print('of points of summaries')
    expectCounts('points of summaries', compared.counts, {
      'first ledger of an hour': 361,
      'has a snapshot': 18_656,
      ledger: 5,
      'not asked for everything': 1_532,
      'of several pools': 316,
      'position of an hour': 3_788,
      'with a backstop': 151,
      'with a health factor': 196,
      'without a point': 6_964,
    })
  }, 900_000)
})

function count({ counts }: Compared, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1
}

interface PartAt {
  readonly ledger: number
  readonly part: ExpectedPart
}

/** Everything that the contracts answered about an account in a pool, by `address pool`, ascending. */
function answersOf(parts: ReadonlyMap<number, ReadonlyMap<string, ExpectedPart>>): Map<string, PartAt[]> {
  const answers = new Map<string, PartAt[]>()
  for (const [ledger, ofLedger] of parts) {
    for (const [key, part] of ofLedger) {
      const known = answers.get(key) ?? []
      answers.set(key, known)
      known.push({ ledger, part })
    }
  }
  return answers
}

/**
 * What an account has in a pool by a snapshot of `ledger`, up to the `next` one; null where that is not recorded. A missing line does not mean zero.
 * But what changes writes a snapshot: whatever is empty at one ledger between two snapshots is empty from the first of them on.
 */
function partOf(answers: readonly PartAt[], ledger: number, next: number): ExpectedPart | null {
  const now = answers.find((it) => it.ledger === ledger)?.part
  const meanwhile = answers.filter((it) => it.ledger >= ledger && it.ledger < next).map(({ part }) => part)
  const isKnown = (side: keyof ExpectedPart): boolean =>
    answers.every(({ part }) => part[side] === null) ||
    (now !== undefined && now[side] !== null) ||
    meanwhile.some((part) => part[side] !== null && isEmpty({ account: null, deposit: null, [side]: part[side] }))
  return isKnown('account') && isKnown('deposit') ? { account: now?.account ?? null, deposit: now?.deposit ?? null } : null
}

/** What the pages of the pools show as of the ledgers of their snapshots, added up. */
async function sumOfPages(
  address: string,
  written: readonly (readonly [pool: string, ledger: number, next: number])[],
): Promise<ExpectedSummary> {
  const pages: Shown[] = []
  for (const [pool, ledger] of written) {
    pages.push((await whole.get(`/v1/users/${address}/positions/blend/${pool}?as_of_ledger=${ledger}`)).data.pool)
  }
  const total = (values: readonly (string | null)[]): string | null =>
    values.includes(null) ? null : usdText(sum(values.map((value) => Fraction.of(value ?? 0))))
  const values = (side: 'supply' | 'borrow') => pages.flatMap((page) => page[side].map((it: Shown) => it.usd_value))
  const deposits = pages.map(({ backstop }) => (backstop === null ? '0' : backstop.usd_value))
  return {
    borrow_limit_pct: largest(pages.map((page) => page.borrow_limit_pct)),
    borrowed_usd: total(values('borrow')),
    deposited_usd: total([...values('supply'), ...deposits]),
    health_factor: smallest(pages.map((page) => page.health_factor)),
    net_apy: usdText(weighted(pages.map((page) => [Fraction.of(page.net_usd), Fraction.of(page.net_apy)]))),
    supplied_usd: total(values('supply')),
  }
}

describe('histories of summaries', () => {
  it('a raw point of the summary’s history is the sum of the pools’ pages as of their last snapshots, and the summary as of any ledger is the last point', async () => {
    const compared = new Compared()
    const random = seededRandom(SEED)
    const sampled = sampleOf([...rawPoints], 4).map(([address, raw]) => ({
      address,
      raw,
      places: Array.from({ length: POINTS_OF_ACCOUNT }, random),
    }))
    await each(sampled, async ({ address, raw, places }) => {
      for (const n of new Set(places.map((place) => Math.floor(place * raw.length)))) {
        const point = raw[n]
        if (point === undefined) continue
        const { ledger, timestamp, value_at, ...values } = point
        const about = { address, ledger }
        compared.equal(
          'sum of pages',
          about,
          { ...values, value_at },
          {
            ...(await sumOfPages(address, snapshotsAt(address, ledger))),
            value_at: timestamp,
          },
        )
        compared.equal('as of its ledger', about, await points(address, `?as_of_ledger=${ledger}`), [point])
        const next = raw[n + 1]?.ledger ?? ledger + 1
        if (next > ledger + 1) compared.equal('as of a later ledger', about, await points(address, `?as_of_ledger=${next - 1}`), [point])
      }
    })
    compared.print('of raw points of summaries')
    expectSampled('raw points of summaries', compared.counts, { 'as of a later ledger': 89, 'as of its ledger': 90, 'sum of pages': 90 })
  }, 900_000)

  it('a bucket of hours, days or ledgers of the summary’s history is the last raw point in it', async () => {
    const compared = new Compared()
    const random = seededRandom(SEED)
    const sampled = sampleOf([...rawPoints], 4).map(([address, raw]) => ({ address, raw, place: random() }))
    await each(sampled, async ({ address, raw, place }) => {
      const [first, last] = [raw[0], raw.at(-1)]
      if (first === undefined || last === undefined) return
      const days = await points(address, `?interval=1d&from=${dayOf(seconds(first))}T00:00:00Z&to=${last.timestamp}`)
      compared.equal('days', { address }, days, inBuckets(raw, seconds, 86_400))

      // A week from one of the points on.
      const from = Math.floor(seconds(raw[Math.floor(place * raw.length)] ?? first) / 3_600) * 3_600
      // A window that ends before the last indexed ledger: the bucket of that one shows the current position.
      const to = Math.min(from + 7 * 86_400 - 1, seconds(last))
      const hours = await points(address, `?interval=1h&from=${timeText(from)}&to=${timeText(to)}`)
      const ofWeek = raw.filter((point) => seconds(point) >= from && seconds(point) <= to)
      compared.equal('hours', { address }, hours, inBuckets(ofWeek, seconds, 3_600))

      const width = Math.max(100, Math.ceil((last.ledger - first.ledger + 1) / 5_000))
      const ledgers = await points(address, `?ledger_bucket=${width}&from_ledger=${first.ledger}&to_ledger=${last.ledger}`)
      compared.equal('ledgers', { address }, ledgers, inLedgerBuckets(raw, first.ledger, width))
    })
    compared.print('of buckets of summaries')
    expectSampled('buckets of summaries', compared.counts, { days: 45, hours: 45, ledgers: 45 })
  }, 900_000)

  it('the summary’s history of an account ends in the figures of its portfolio', async () => {
    const compared = new Compared()
    await each(sampleOf([...rawPoints.keys()], 4), async (address) => {
      const { data } = await whole.get(`/v1/users/${address}/positions`)
      const entry = data.protocols.find(({ protocol_id }: Shown) => protocol_id === 'blend')
      const isOpen = entry !== undefined && Object.values(entry.positions as Record<string, Shown[]>).some((items) => items.length > 0)
      if (!isOpen) return
      const { borrowed_usd, deposited_usd, health_factor, net_apy, estimates } = entry
      const inBackstop = sum(entry.positions.backstop.map((it: Shown) => Fraction.of(it.usd_value ?? 0)))
      const { ledger, timestamp, value_at, ...last } = (await points(address, '?range=24h&fill=locf')).at(-1) ?? ({} as Point)
      compared.equal('end', { address }, last, {
        ...{ borrow_limit_pct: estimates.borrow_limit_pct, borrowed_usd, deposited_usd, health_factor, net_apy },
        supplied_usd: usdText(Fraction.of(deposited_usd).minus(inBackstop)),
      })
    })
    compared.print('of ends of summaries')
  }, 900_000)
})

const seconds = ({ timestamp }: Point): number => Date.parse(timestamp) / 1_000
const timeText = (of: number): string => new Date(of * 1_000).toISOString().replace('.000', '')

function inBuckets(raw: readonly Point[], place: (point: Point) => number, width: number): Point[] {
  const lasts = new Map(raw.map((point) => [Math.floor(place(point) / width) * width, point]))
  return [...lasts].map(([start, point]) => ({ ...point, timestamp: timeText(start) }))
}

function inLedgerBuckets(raw: readonly Point[], first: number, width: number): Point[] {
  const lasts = new Map(raw.map((point) => [first + Math.floor((point.ledger - first) / width) * width, point]))
  return [...lasts].map(([start, point]) => ({ ...point, ledger: start }))
}
