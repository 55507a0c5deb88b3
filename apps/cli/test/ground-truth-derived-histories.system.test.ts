// Histories and series: three points of each position's history are the position's page as of their ledgers (pages are compared with the
// contracts' answers by other tests), its days are the last raw points in them, and the series of activities is made from the feed. What is
// locked in FxDAO has no history in `/v1`: there the stored snapshots are compared. This test does not check which snapshots exist, only that
// existing ones are right. The summary of Blend has a separate test.

import { seededRandom } from '@orrery/testkit'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { type Checkpoint, readCheckpoints, type Words } from './truth/checkpoint.ts'
import { dayOf } from './truth/close-times.ts'
import { Compared } from './truth/compared.ts'
import { Fraction, sum, usdText } from './truth/fraction.ts'
import { each } from './truth/recorded.ts'
import { expectCounts, sampleOf } from './truth/sampled.ts'
import { storedRows } from './truth/stored-rows.ts'
import { WholeNetwork } from './truth/whole-network.ts'

type Shown = Answer['data']

const SEED = 26
let whole: WholeNetwork
let checkpoints: Checkpoint[]

beforeAll(async () => {
  checkpoints = await readCheckpoints(
    'blend.user',
    'blend.backstop_user',
    'soroswap.shares',
    'aquarius.user',
    'fxdao.vault',
    'fxdao.locking',
  )
  whole = await WholeNetwork.open()
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

/** A position that the recording knows: `pool` is what the path of its history names. */
interface Position {
  readonly protocol: 'blend' | 'aquarius' | 'soroswap' | 'fxdao'
  readonly address: string
  readonly pool: string
}

/** Every position of which a contract ever answered that something is in it. */
function positions(): Position[] {
  const found = new Map<string, Position>()
  const add = (protocol: Position['protocol'], address: unknown, pool: unknown): void => {
    found.set(`${protocol} ${address} ${pool}`, { protocol, address: String(address), pool: String(pool) })
  }
  for (const at of checkpoints) {
    for (const line of at.of('blend.user')) {
      const sides = [line.supply, line.collateral, line.liabilities] as Words[]
      if (line.from_factory !== false && sides.some((side) => Object.keys(side).length > 0)) add('blend', line.address, line.contract)
    }
    for (const line of at.of('blend.backstop_user'))
      if (line.from_factory !== false && line.all_shares !== '0') add('blend', line.address, line.pool)
    for (const line of at.of('soroswap.shares')) if (line.shares !== '0') add('soroswap', line.address, line.contract)
    for (const line of at.of('aquarius.user')) {
      const { raw_liquidity = '0' } = (line.snapshot ?? {}) as Words
      if ((line.share_balance ?? raw_liquidity) !== '0') add('aquarius', line.address, line.contract)
    }
    for (const line of at.of('fxdao.vault')) if (line.vault !== null) add('fxdao', line.address, line.denomination)
  }
  return [...found.values()]
}

/** USD values. An open position of which next to nothing is left is worth 0 too: `raw_amount` of its shares says so. */
interface Value {
  readonly supplied_usd: string | null
  readonly borrowed_usd: string | null
  readonly net_usd: string | null
}

/** Of a point. */
interface Place {
  readonly ledger: number
  readonly timestamp: string
  readonly value_at: string | null
}

/** What the page of a position shows as of a ledger, as a point of its history would. */
async function valueAsOf({ protocol, address, pool }: Position, ledger: number): Promise<Value> {
  const path = protocol === 'blend' ? `blend/${pool}` : protocol
  const { data } = await whole.get(`/v1/users/${address}/positions/${path}?as_of_ledger=${ledger}`)
  if (protocol === 'blend') return valueOfParts(data.pool.supply, data.pool.borrow)
  if (protocol === 'fxdao') {
    const vault = data.vaults.find((it: Shown) => it.currency === pool)
    return valueOfParts(vault ? [{ usd_value: vault.collateral_usd }] : [], vault ? [{ usd_value: vault.debt_usd }] : [])
  }
  const held = [...(data.pools ?? []), ...(data.pairs ?? [])].find((it) => (it.pool_address ?? it.pair_address) === pool)
  return valueOfParts(held?.tokens ?? [], [])
}

/** Whether shares that are worth nothing are left: the account holds them, and its position is open. */
async function hasLeftover({ protocol, address, pool }: Position, ledger: number): Promise<boolean> {
  if (protocol !== 'soroswap' && protocol !== 'aquarius') return false
  const { data } = await whole.get(`/v1/users/${address}/positions/${protocol}?as_of_ledger=${ledger}`)
  const held = [...(data.pools ?? []), ...(data.pairs ?? [])].find((it) => (it.pool_address ?? it.pair_address) === pool)
  return held !== undefined && held.metadata.raw_amount !== '0'
}

type Part = { readonly usd_value: string | null }

/** Null as soon as one part has no price. */
function valueOfParts(supplied: readonly Part[], borrowed: readonly Part[]): Value {
  const total = (parts: readonly Part[]): Fraction | null =>
    parts.some(({ usd_value }) => usd_value === null) ? null : sum(parts.map(({ usd_value }) => Fraction.of(usd_value ?? 0)))
  const [held, owed] = [total(supplied), total(borrowed)]
  const text = (value: Fraction | null): string | null => (value === null ? null : usdText(value))
  return { supplied_usd: text(held), borrowed_usd: text(owed), net_usd: text(held === null || owed === null ? null : held.minus(owed)) }
}

describe('histories of positions', () => {
  it('a raw point of a position’s history is the position as of its ledger, and the bucket of a day is the last raw point of that day', async () => {
    const compared = new Compared()
    const random = seededRandom(SEED)
    const end: { readonly ledger: number; readonly timestamp: string } = (await whole.get('/v1/ledgers?at=2100-01-01T00:00:00Z')).data
    // Of every position: one point anywhere, the last one where something was left, and the one that closed it, if any did.
    const sampled = sampleOf(positions()).map((position) => ({ position, place: random() }))
    await each(sampled, async ({ position, place }) => {
      const { protocol, address, pool } = position
      const path = `/v1/users/${address}/positions/${protocol}/${pool}/history`
      const raw = (await whole.get(path)).data.points as (Value & Place)[]
      const isClosing = ({ supplied_usd, borrowed_usd }: Value): boolean => supplied_usd === '0' && borrowed_usd === '0'
      const taken = [raw[Math.floor(place * raw.length)], raw.findLast((it) => !isClosing(it)), raw.findLast(isClosing)]
      for (const point of new Set(taken.filter((it) => it !== undefined))) {
        const { ledger, timestamp, value_at, ...value } = point
        const expected = { ...(await valueAsOf(position, ledger)), value_at: timestamp }
        compared.equal(`${protocol} point`, { ...position, ledger }, { ...value, value_at }, expected)
      }
      const byDay = new Map(raw.map((point) => [dayOf(Date.parse(point.timestamp) / 1_000), point]))
      const days = (await whole.get(`${path}?interval=1d`)).data.points
      // The day of the last indexed ledger shows an open position as it is then.
      const now = await valueAsOf(position, end.ledger)
      const lastDay = dayOf(Date.parse(end.timestamp) / 1_000)
      const points = new Map([...byDay].map(([day, point]) => [day, { ...point, timestamp: `${day}T00:00:00Z` }]))
      if (!isClosing(now) || (await hasLeftover(position, end.ledger)))
        points.set(lastDay, { ...now, ledger: end.ledger, timestamp: `${lastDay}T00:00:00Z`, value_at: end.timestamp })
      compared.equal(`${protocol} days`, position, days, [...points.values()])
    })
    compared.print('of points of histories')
    // How many points there are to take from depends on when snapshots are written; how many positions there are does not.
    const days = Object.fromEntries(Object.entries(compared.counts).filter(([what]) => what.endsWith('days')))
    expectCounts('histories', days, { 'blend days': 208, 'soroswap days': 194, 'aquarius days': 227, 'fxdao days': 95 })
  }, 1_800_000)

  it('a stored snapshot of what an account has locked in FxDAO has the value of its stakes as of that ledger', async () => {
    const compared = new Compared()
    const random = seededRandom(SEED)
    const stakes = checkpoints.flatMap((at) => at.of('fxdao.locking_deposit')).filter(({ deposit }) => deposit !== null)
    const holders = new Map(stakes.map(({ address, contract }) => [`${address} ${contract}`, { address, contract }]))
    const sampled = [...holders.values()].map((holder) => ({ ...holder, place: random() }))
    await each(sampled, async ({ address, contract, place }) => {
      const of = `WHERE protocol = 'fxdao' AND address = '${address}' AND pool = '${contract}'`
      const columns = 'DISTINCT ledger, open, toString(supplied_usd) AS supplied, toString(borrowed_usd) AS borrowed'
      const rows = await storedRows(`SELECT ${columns} FROM orrery.position_snapshots ${of} ORDER BY ledger`)
      const taken = new Set([rows[0], rows[Math.floor(place * rows.length)], rows.at(-1)].filter((it) => it !== undefined))
      for (const { ledger, open, supplied, borrowed } of taken) {
        const { data } = await whole.get(`/v1/users/${address}/positions/fxdao?as_of_ledger=${ledger}`)
        const locked: Part[] = data.locked.filter((it: Shown) => it.contract === contract && it.amount !== '0')
        const value = valueOfParts(locked, []).supplied_usd
        const shown = [open, supplied === null ? null : usdText(Fraction.of(supplied ?? '')), Number(borrowed)]
        compared.equal(value === null ? 'snapshot without a price' : 'snapshot', { address, contract, ledger }, shown, [
          locked.length > 0,
          value,
          0,
        ])
      }
      compared.count('holder')
    })
    compared.print('of snapshots of stakes')
    expectCounts('snapshots of stakes', compared.counts, { holder: 26, snapshot: 22, 'snapshot without a price': 53 })
  }, 900_000)
})

interface Row {
  readonly id: string
  readonly activity_type: string
  readonly ledger: number
  readonly timestamp: string
  readonly usd_value: string | null
  readonly contract: string
  readonly counterparty: string
  readonly direction: 'sent' | 'received' | 'none'
  readonly metadata: { readonly action_id: string; readonly reason?: string; readonly path_step?: number }
}

/** Everything that an account did, oldest first. */
async function feedOf(address: string): Promise<Row[]> {
  const rows: Row[] = []
  let cursor = ''
  do {
    const { data } = await whole.get(`/v1/users/${address}/activities?limit=100${cursor}`)
    rows.push(...data.activities)
    cursor = data.next_cursor === null ? '' : `&cursor=${encodeURIComponent(data.next_cursor)}`
  } while (cursor !== '')
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Types that always have two sides: which of them carries the value is each adapter's choice (docs/protocols), and no rule of the feed. */
const TWO_SIDED = ['auction', 'bad_debt', 'liquidation', 'redemption', 'emission', 'admin']

/** What an action is worth to its account: what it sent, else what it received, else what others paid for it (api-decisions 12.3). */
function volumeOf(rows: readonly Row[]): Fraction {
  const of = (side: Row['direction']) => rows.filter(({ direction, metadata }) => direction === side && metadata.path_step === undefined)
  // BLND that a claim turns into shares counts with the claim.
  const others = of('none').filter(({ metadata }) => metadata.reason !== 'auto_compound')
  const legs = [of('sent'), of('received'), others].find((found) => found.length > 0) ?? []
  return sum(legs.map(({ usd_value }) => Fraction.of(usd_value ?? 0)))
}

describe('series of activities', () => {
  it('the series of an account’s activities counts every action of the feed once, with the value that it moved', async () => {
    const compared = new Compared()
    const accounts = new Set(
      checkpoints
        .flatMap((at) => ['blend.user', 'soroswap.shares', 'fxdao.vault'].flatMap((kind) => at.of(kind)))
        .map(({ address }) => String(address)),
    )
    await each(accounts, async (address) => {
      const rows = await feedOf(address)
      if (rows.length === 0) return
      const { data } = await whole.get(`/v1/users/${address}/activities/series?interval=1d`)
      const expected = Map.groupBy(rows, ({ timestamp, activity_type }) => `${timestamp.slice(0, 10)} ${activity_type}`)
      const shown = data.points.map((point: Shown) => {
        const isTwoSided = TWO_SIDED.includes(point.activity_type)
        return { ...point, usd_volume: isTwoSided ? null : point.usd_volume }
      })
      const points = [...expected]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, ofPoint]) => {
          const [day = '', type = ''] = key.split(' ')
          const actions = [...Map.groupBy(ofPoint, ({ metadata }) => metadata.action_id).values()]
          return {
            activity_type: type,
            events: actions.length,
            ledger: Math.max(...ofPoint.map(({ ledger }) => ledger)),
            timestamp: `${day}T00:00:00Z`,
            usd_volume: TWO_SIDED.includes(type) ? null : usdText(sum(actions.map((action) => volumeOf(action)))),
            value_at: ofPoint
              .map(({ timestamp }) => timestamp)
              .sort()
              .at(-1),
          }
        })
      compared.equal('account', { address }, shown, points)
      for (const point of points) compared.count(point.usd_volume === null ? 'events' : 'events and volume')
    })
    compared.print('of series of activities')
    expectCounts('series of activities', compared.counts, { account: 46, events: 397, 'events and volume': 3_383 })
  }, 900_000)
})
