// The history of net worth through `/v1`: its last point is the portfolio, a raw point is the sum of the stored snapshots at its ledger, a day's flows
// are those of the feed, and what an account in Blend gains in a ledger in which it moved something is next to nothing.

import { Decimal } from '@orrery/pricing'
import { isShippedRecording, seededRandom } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { dayOf } from './truth/close-times.ts'
import { feedOf } from './truth/feeds.ts'
import { each } from './truth/recorded.ts'
import { sampleOf } from './truth/sampled.ts'
import { storedRows } from './truth/stored-rows.ts'
import { WholeNetwork } from './truth/whole-network.ts'

type Shown = Answer['data']

const SEED = 31
const POINTS_OF_ACCOUNT = 3
const DAYS = '?interval=1d&from=2020-01-01T00:00:00Z&to=2030-01-01T00:00:00Z&fill=locf'

interface Snapshot {
  readonly protocol: string
  readonly pool: string
  readonly ledger: number
  readonly deposited: string | null
  readonly borrowed: string | null
}

let whole: WholeNetwork
/** Snapshots by account, ascending. */
const snapshots = new Map<string, Snapshot[]>()
let accounts: string[] = []

beforeAll(async () => {
  whole = await WholeNetwork.open()
  const columns = 'address, protocol, pool, ledger, toString(deposited_usd) AS deposited, toString(borrowed_usd) AS borrowed'
  for (const { address = '', ledger, ...row } of await storedRows(`SELECT ${columns} FROM orrery.position_snapshots ORDER BY ledger`)) {
    const ofAccount = snapshots.get(address) ?? []
    snapshots.set(address, ofAccount)
    ofAccount.push({ ...(row as unknown as Snapshot), ledger: Number(ledger) })
  }
  accounts = sampleOf([...snapshots.keys()].sort(), 8)
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

const sum = (values: readonly (string | null)[]) => values.reduce((total, value) => total.plus(value ?? 0), new Decimal(0))

async function points(address: string, query = ''): Promise<Shown[]> {
  return (await whole.get(`/v1/users/${address}/history${query}`)).data.points
}

/** Pools of BLND and USDC, whose shares a backstop takes. Who joins one has no position in Blend yet: the shares are in the wallet. */
function cometPools(): ReadonlySet<string> {
  return new Set((whole.network.deployments.blend as readonly { readonly backstopToken: string }[]).map((it) => it.backstopToken))
}

/** Each position's last snapshot at or before the ledger. */
function heldAt(address: string, ledger: number): Snapshot[] {
  const written = (snapshots.get(address) ?? []).filter((it) => it.ledger <= ledger)
  return [...new Map(written.map((it) => [`${it.protocol} ${it.pool}`, it])).values()]
}

describe('the net worth of an account over time', () => {
  it('the net worth of every account ends at the total of its portfolio, in whole and by protocol', async () => {
    let open = 0
    await each(snapshots.keys(), async (address) => {
      const { data } = await whole.get(`/v1/users/${address}/positions`)
      for (const query of ['?range=24h&fill=locf', '?range=30d&interval=1w&fill=zero', DAYS]) {
        const last = (await points(address, query)).at(-1)
        const net = data.protocols.map((it: Shown) => [it.protocol_id, new Decimal(it.deposited_usd).minus(it.borrowed_usd).toFixed()])
        const expected = { aquarius: '0', blend: '0', fxdao: '0', soroswap: '0', ...Object.fromEntries(net) }
        expect({ address, query, net: last?.net_usd, by: last?.by_protocol }).toEqual({
          address,
          query,
          net: data.total_value_usd,
          by: expected,
        })
      }
      if (data.total_value_usd !== '0') open++
    })
    expect(open).toBeGreaterThan(isShippedRecording ? 5 : 0)
  }, 900_000)

  it('a raw point is the sum of each position’s last stored snapshot at its ledger, and `as_of_ledger` gives the latest one', async () => {
    const random = seededRandom(SEED)
    const sampled = accounts.map((address) => ({ address, places: Array.from({ length: POINTS_OF_ACCOUNT }, () => random()) }))
    let compared = 0
    await each(sampled, async ({ address, places }) => {
      const raw = await points(address)
      const ledgers = [...new Set((snapshots.get(address) ?? []).map(({ ledger }) => ledger))].slice(-5_000)
      expect({ address, ledgers: raw.map(({ ledger }) => ledger) }).toEqual({ address, ledgers })
      for (const place of places) {
        const point = raw[Math.floor(place * raw.length)]
        const held = heldAt(address, point.ledger)
        const netOf = (some: readonly Snapshot[]) =>
          sum(some.map((it) => it.deposited))
            .minus(sum(some.map((it) => it.borrowed)))
            .toFixed()
        const by = Object.fromEntries(
          ['aquarius', 'blend', 'fxdao', 'soroswap'].map((id) => [id, netOf(held.filter(({ protocol }) => protocol === id))]),
        )
        expect({ address, ...point }).toMatchObject({
          address,
          deposited_usd: sum(held.map((it) => it.deposited)).toFixed(),
          borrowed_usd: sum(held.map((it) => it.borrowed)).toFixed(),
          net_usd: netOf(held),
          net_flows_usd: null,
          by_protocol: by,
        })
        const next = raw[raw.indexOf(point) + 1]
        const until = next === undefined ? point.ledger : next.ledger - 1
        expect(await points(address, `?as_of_ledger=${until}`)).toEqual([point])
        compared++
      }
    })
    expect(compared).toBeGreaterThan(isShippedRecording ? 20 : 0)
  }, 900_000)

  it('the flows of a day are those of the activities of that day', async () => {
    const comet = cometPools()
    let days = 0
    await each(accounts, async (address) => {
      const byDay = Map.groupBy(
        (await feedOf(whole, address)).filter(({ contract }) => !comet.has(contract)),
        ({ timestamp }) => dayOf(Date.parse(timestamp) / 1_000),
      )
      for (const { timestamp, net_flows_usd } of await points(address, DAYS)) {
        const flows = (byDay.get(timestamp.slice(0, 10)) ?? []).map(flowOf)
        expect({ address, timestamp, net_flows_usd }).toEqual({ address, timestamp, net_flows_usd: sum(flows).toFixed() })
        if (flows.some((flow) => flow !== '0')) days++
      }
    })
    expect(days).toBeGreaterThan(isShippedRecording ? 20 : 0)
  }, 900_000)

  it('what an account moved into or out of Blend is the change of its value in that ledger, but for what prices and interest changed in five seconds', async () => {
    const comet = cometPools()
    let compared = 0
    await each(accounts, async (address) => {
      const byLedger = [...Map.groupBy(await feedOf(whole, address), ({ ledger }) => Number(ledger))]
      const plain = byLedger.filter(([, all]) =>
        all.every((it) => it.protocol === 'blend' && PLAIN.has(it.activity_type) && !comet.has(it.contract) && it.usd_value !== null),
      )
      for (const [ledger, activities] of plain.slice(0, 3)) {
        const [before, after] = await Promise.all(
          [ledger - 1, ledger].map(
            async (at) => (await whole.get(`/v1/positions?addresses=${address}&as_of_ledger=${at}`)).data.portfolios[0],
          ),
        )
        const [point] = await points(address, `?ledger_bucket=1&from_ledger=${ledger}&to_ledger=${ledger}`)
        if (point === undefined) {
          // A flash loan that is given back at once leaves the position as it was, so there is no snapshot.
          expect(debtChange(activities), `${address} at ${ledger}`).toEqual({ changed: '0', types: ['borrow', 'repay'] })
          continue
        }
        const gain = new Decimal(after.total_value_usd).minus(before.total_value_usd).minus(point.net_flows_usd)
        const grossOf = ({ protocols }: Shown) => sum(protocols.flatMap((it: Shown) => [it.deposited_usd, it.borrowed_usd]))
        const gross = Decimal.max(grossOf(before), grossOf(after))
        // An oracle may have had a new round in this ledger: prices of the recording move by less than 2 % from one to the next.
        expect(gain.abs().toNumber(), `${address} at ${ledger}`).toBeLessThanOrEqual(gross.times('0.02').plus('0.000001').toNumber())
        compared++
      }
    })
    expect(compared).toBeGreaterThan(isShippedRecording ? 10 : 0)
  }, 900_000)
})

/** dTokens that activities of one asset added in sum. */
function debtChange(activities: readonly Shown[]): { readonly changed: string; readonly types: readonly string[] } {
  const shares = activities.map(({ activity_type, share_amount }) => (activity_type === 'repay' ? `-${share_amount}` : share_amount))
  return { changed: sum(shares).toFixed(), types: activities.map(({ activity_type }) => activity_type).toSorted() }
}

const PLAIN = new Set(['deposit', 'withdraw', 'borrow', 'repay'])
const INTO_POSITIONS = new Set(['deposit', 'repay', 'stake'])
const OUT_OF_POSITIONS = new Set(['withdraw', 'borrow', 'unstake'])

/** What an activity adds to the flows: a transfer moves a position, everything else tokens, also those that another account pays or gets. */
function flowOf({ activity_type, asset_id, metadata, direction, share_amount, usd_value }: Shown): string {
  const value = new Decimal(asset_id === '' ? 0 : (usd_value ?? 0))
  const signed = (plus: boolean, minus: boolean) => (plus ? value : minus ? value.negated() : new Decimal(0)).toFixed()
  if (activity_type !== 'transfer') return signed(INTO_POSITIONS.has(activity_type), OUT_OF_POSITIONS.has(activity_type))
  const debt: string = metadata.debt_change ?? metadata.raw_debt_change ?? ''
  if (debt !== '') return signed(debt.startsWith('-'), true)
  const isPosition = share_amount !== '0' || ['giver', 'receiver'].includes(metadata.role)
  return isPosition ? signed(direction === 'received', direction === 'sent') : '0'
}
