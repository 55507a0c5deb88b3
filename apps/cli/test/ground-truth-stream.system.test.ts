// The stream of the whole recording, read with the client: it has what the feeds of all accounts and the snapshots of all positions have, in
// order, and goes on after any event.

import { createClient, type StreamEvent, type StreamOptions, type StreamQuery } from '@orrery/client'
import { Decimal } from '@orrery/pricing'
import { testTier } from '@orrery/testkit/ground-truth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { everyAddress, feedOf } from './truth/feeds.ts'
import { each } from './truth/recorded.ts'
import { storedRows } from './truth/stored-rows.ts'
import { WholeNetwork } from './truth/whole-network.ts'

let whole: WholeNetwork
let lastLedger: number

beforeAll(async () => {
  whole = await WholeNetwork.open()
  lastLedger = (await whole.readModel.watermark()).ledger
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

/** Everything up to the last ledger of the recording. */
async function streamed(query: StreamQuery, options: StreamOptions = {}): Promise<StreamEvent[]> {
  const { url, apiKey } = whole.at
  const events: StreamEvent[] = []
  for await (const event of createClient({ baseUrl: url, apiKey }).stream(query, options)) {
    if (event.event !== 'ledger') events.push(event)
    else if (event.data.ledger >= lastLedger) break
  }
  return events
}

it('has the activities of every account as its feed shows them, and no others', async () => {
  const events = await streamed({ from_ledger: 0, events: ['activity', 'ledger'] })
  const byAccount = Map.groupBy(events, ({ data }) => ('address' in data ? data.address : ''))
  let compared = 0
  await each(everyAddress(), async (address) => {
    const feed = await feedOf(whole, address)
    const own = (byAccount.get(address) ?? []).map(({ data }) => data)
    compared += own.length
    expect(own, address).toEqual(feed.reverse())
  })
  expect(compared).toBe(events.length)
  expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).toSorted(byPlace))
  expect(compared).toBeGreaterThan(5_000)
}, 900_000)

it('has each change of a position with the values of its snapshot, and no others', async () => {
  const events = await streamed({ from_ledger: 0, events: ['position', 'ledger'] })
  const rows = await storedRows(`
    SELECT concat(toString(ledger), '/position/', protocol, '/', pool, '/', address) AS id, toString(deposited_usd) AS deposited_usd,
      toString(borrowed_usd) AS borrowed_usd, open, unpriced_assets
    FROM position_snapshots WHERE NOT heartbeat ORDER BY ledger, protocol, pool, address`)
  const seen = events.flatMap(({ id, event, data }) => {
    if (event !== 'position') return []
    const { deposited_usd, borrowed_usd, open, unpriced_assets, net_usd } = data
    if (deposited_usd !== null && borrowed_usd !== null) expect(net_usd).toBe(new Decimal(deposited_usd).minus(borrowed_usd).toFixed())
    return [{ id, deposited_usd, borrowed_usd, open, unpriced_assets }]
  })
  expect(seen).toEqual(rows)
  expect(seen.length).toBeGreaterThan(3_000)
}, 900_000)

it('alerts for every position of Blend and FxDAO that crosses a threshold, from the snapshots and steps that analysts see', async () => {
  const threshold = '1.3'
  const protocols = ['blend', 'fxdao']
  const events = await streamed({ from_ledger: 0, protocols, events: ['health_factor', 'ledger'], health_factor_below: threshold })
  const rows = await storedRows(`
    SELECT * FROM (
      SELECT ledger, protocol, CAST(pool, 'String') AS pool, address, toString(effective_liabilities_usd) AS liabilities,
        if(protocol = 'blend', JSONExtractString(native, 'health_factor'),
          toString(floor(toDecimal256(effective_collateral_usd, 18) / nullIf(toDecimal256(effective_liabilities_usd, 8), 0), 7))) AS health
      FROM position_snapshots WHERE protocol IN ('blend', 'fxdao')
      UNION ALL
      SELECT ledger, protocol, CAST(pool, 'String') AS pool, address, NULL AS liabilities, toString(health_factor) AS health
      FROM health_factor_steps
    )
    ORDER BY ledger, protocol, pool, address`)
  const below = new Set<string>()
  const expected = rows.flatMap(({ ledger, protocol, pool, address, liabilities, health }) => {
    const key = `${protocol}/${pool}/${address}`
    const factor = health === '' || health == null ? null : new Decimal(health)
    if (!below.has(key) && factor?.lt(threshold) === true) {
      below.add(key)
      return [`${ledger} ${key} below`]
    }
    // A debt without a price is unknown, not repaid.
    const isSafe = factor === null ? liabilities !== null && Number(liabilities) === 0 : factor.gte('1.326')
    return below.has(key) && isSafe && below.delete(key) ? [`${ledger} ${key} recovered`] : []
  })
  const seen = events.flatMap(({ event, data }) =>
    event === 'health_factor' ? [`${data.ledger} ${data.protocol}/${data.pool_id}/${data.address} ${data.crossed}`] : [],
  )
  expect(seen).toEqual(expected)
  expect(seen.length).toBeGreaterThan(100)

  // Going on anywhere, the memory of what was below is found again. Each time streams the rest of the recording.
  const step = Math.ceil(events.length / (testTier === 'long' ? 8 : 4))
  for (let n = 10; n < events.length; n += step) {
    const from = events[n]?.id ?? ''
    const rest = await streamed({ protocols, events: ['health_factor', 'ledger'], health_factor_below: threshold }, { lastEventId: from })
    expect(rest).toEqual(events.slice(n + 1))
  }
}, 900_000)

it('goes on after any event as if the connection had never been lost', async () => {
  const address = mostActive(await streamed({ from_ledger: 0, events: ['activity', 'ledger'] }))
  const all = await streamed({ from_ledger: 0, addresses: [address] })
  for (let n = 0; n < all.length; n += Math.ceil(all.length / 20)) {
    const rest = await streamed({ addresses: [address] }, { lastEventId: all[n]?.id ?? '' })
    expect(rest).toEqual(all.slice(n + 1))
  }
  expect(all.length).toBeGreaterThan(100)
}, 900_000)

function mostActive(events: readonly StreamEvent[]): string {
  const counts = Map.groupBy(events, ({ data }) => ('address' in data ? data.address : ''))
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? ''
}

/** Ids of activities of equal length sort as texts within a ledger. */
function byPlace(a: string, b: string): number {
  const [ledgerOfA, ledgerOfB] = [a, b].map((id) => Number(id.split('/')[0])) as [number, number]
  return ledgerOfA - ledgerOfB || (a < b ? -1 : a > b ? 1 : 0)
}
