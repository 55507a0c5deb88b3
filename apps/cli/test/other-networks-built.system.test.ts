// A built network, from its lake to `/v1`. `built-network.ts` has the events of each ledger; this file has the results, computed
// by hand. GLD has no oracle: its price is that of its pair, reserve of USDX / reserve of GLD, at each ledger's end.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import * as net from './built-network.ts'
import { type Answer, IndexedNetwork } from './indexed-network.ts'
import { Orrery } from './orrery.ts'
import { writeLake } from './write-lake.ts'

const { alice, bob, carol, erin, setter, vault, goldPair, silverPair, mudPair } = net
const folder = mkdtempSync(join(tmpdir(), 'orrery-built-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ledgers = net.buildLedgers()
const LAST = 125
const whole = join(folder, 'whole')
const SINGLE = { passphrase: net.PASSPHRASE, ledgersPerBatch: 1, batchesPerPartition: 1, extension: 'xdr.zst' } as const
writeLake(whole, ledgers, SINGLE)

const positionsOf = (address: string, ledger?: number): string =>
  `/v1/users/${address}/positions/soroswap${ledger === undefined ? '' : `?as_of_ledger=${ledger}`}`
const activitiesOf = (address: string): string => `/v1/users/${address}/activities`
const RESERVES = '/v1/protocols/soroswap/reserves'
const TVL = '/v1/protocols/soroswap/tvl'
const HISTORY = `/v1/users/${alice}/positions/soroswap/${goldPair}/history`

/** A position as [shares, USDX or other token by its symbol: units and USD, …]. */
function shown({ data }: Answer, pair: string): unknown {
  const position = data.pairs.find((it: { pair_address: string }) => it.pair_address === pair)
  if (position === undefined) return null
  const tokens = position.tokens.map((token: { symbol: string; units: string; usd_value: string | null }) => [
    token.symbol,
    [token.units, token.usd_value],
  ])
  return { shares: position.metadata.raw_amount, net: position.net_usd, ...Object.fromEntries(tokens) }
}

function costOf({ data }: Answer, pair: string): unknown {
  const { units, cost_usd, realized_usd, unrealized_usd, opened_ledger, confidence } = data.pairs.find(
    (it: { pair_address: string }) => it.pair_address === pair,
  ).cost_basis
  return { units, cost_usd, realized_usd, unrealized_usd, opened_ledger, confidence }
}

/** The feed as [ledger, type, direction, raw amount and symbol, USD, shares], newest first. */
const feed = ({ data }: Answer): unknown =>
  data.activities.map(
    (it: {
      ledger: number
      activity_type: string
      asset_symbol: string
      usd_value: string | null
      share_amount: string
      direction: string
      metadata: { raw_amount: string }
    }) => [it.ledger, it.activity_type, it.direction, `${it.metadata.raw_amount} ${it.asset_symbol}`, it.usd_value, it.share_amount],
  )

/** Everything below, as data without what depends on the clock. */
async function everything(network: IndexedNetwork): Promise<Record<string, unknown>> {
  const people = [alice, bob, carol, erin, setter, vault]
  const paths = [
    RESERVES,
    TVL,
    HISTORY,
    ...people.flatMap((address) => [positionsOf(address), positionsOf(address, 110), activitiesOf(address)]),
    `${RESERVES}?as_of_ledger=110`,
  ]
  const answers: Record<string, unknown> = {}
  for (const path of paths) {
    const { data, enrichment, meta } = await network.get(path)
    answers[path] = { data, enrichment, partial: meta.partial_result, last: meta.last_indexed_ledger }
  }
  return answers
}

let expected: Record<string, unknown>

describe('a built network', () => {
  it('a built network answers with the values computed by hand', async () => {
    await using network = await IndexedNetwork.of({ registry: net.registry, lake: whole })
    const at = async (address: string, ledger: number) => network.get(positionsOf(address, ledger))

    // 102: √(4·10⁹ · 10¹⁹) = 2·10¹⁴ shares, of which 1000 are locked: alice is paid all but 5·10⁻¹² of both, rounded down.
    // GLD is 4000 / 10 = 400 USD. She paid 8000.
    const made = await at(alice, 102)
    expect(shown(made, goldPair)).toEqual({
      shares: '199999999999000',
      net: '7999.99999898',
      USDX: ['3999.999999', '3999.999999'],
      GLD: ['9.99999999995', '3999.99999998'],
    })
    expect(costOf(made, goldPair)).toEqual({
      units: '19999999.9999',
      cost_usd: '8000',
      realized_usd: '0',
      unrealized_usd: '-0.00000102',
      opened_ledger: 102,
      confidence: 'exact',
    })
    // √(2·10⁹ · 5·10¹⁰) = 10¹⁰; silver is half a dollar by the oracle.
    expect(shown(await at(bob, 102), silverPair)).toEqual({
      shares: '9999999000',
      net: '4499.99955',
      USDX: ['1999.9998', '1999.9998'],
      SLV: ['4999.9995', '2499.99975'],
    })
    // 103 and 108: nothing of the pretender's is anywhere, and erin has no shares.
    expect((await at(erin, 110)).data.pairs).toEqual([])

    // 110: a gift of 50 USD is paid out at once: ⌊4,020,513,679 · 99,999,999,999,000 / 1.5·10¹⁴⌋. The gold side has
    // ⌊10,074,638,606,240,194,547 · …⌋, at the reserves' price 3970.513679 / 10.0746386…
    expect(shown(await at(alice, 110), goldPair)).toEqual({
      shares: '99999999999000',
      net: '5327.35157131',
      USDX: ['2680.342452', '2680.342452'],
      GLD: ['6.716425737426298773', '2647.00911931'],
    })
    // She gave 10¹⁴ of 199,999,999,999,000 shares away for what they would have been paid: 3970.5136785 − 4000.00000002.
    expect(costOf(await at(alice, 110), goldPair)).toMatchObject({
      units: '9999999.9999',
      cost_usd: '3999.99999998',
      realized_usd: '-29.48632152',
    })
    // He got them for 3970.5136785, burnt half for nothing, and is paid a third of everything for the rest.
    expect(costOf(await at(bob, 110), goldPair)).toEqual({
      units: '5000000',
      cost_usd: '1985.25683925',
      realized_usd: '-1985.25683925',
      unrealized_usd: '678.41894642',
      opened_ledger: 106,
      confidence: 'inferred',
    })
    // 111: alice was paid 2680.3424525 and her cost was half of 3999.99999998 (exactly 50,000,000,000,000 of 99,999,999,999,000 shares:
    // 2000.00000001): −29.48632152 + 680.34245249.
    expect(costOf(await at(alice, 113), goldPair)).toMatchObject({ cost_usd: '1999.99999997', realized_usd: '650.85613097' })

    // 114, fees on, K was remembered at 113: √K grew, so 7,862,024,838 shares for the setter are due and reduce every payout:
    // carol is paid ⌊6,360,684,906 · 10¹⁴ / 200,007,862,024,838⌋ with the mint, not half.
    expect(shown(await at(carol, 114), goldPair)).toMatchObject({ shares: '100000000000000', USDX: ['3180.217438', '3180.217438'] })
    // 115: carol took half of hers; the setter has what was minted.
    expect(shown(await network.get(positionsOf(setter)), goldPair)).toMatchObject({ shares: '7862024838', USDX: ['0.250029', '0.250029'] })
    expect(costOf(await network.get(positionsOf(carol)), goldPair)).toEqual({
      units: '5000000',
      cost_usd: '2680.342453',
      realized_usd: '499.87498517',
      unrealized_usd: '499.87498517',
      opened_ledger: 113,
      confidence: 'exact',
    })
    // 117, 118: evicted and restored shares are shares all the time.
    for (const ledger of [116, 117, 118, LAST])
      expect(shown(await at(bob, ledger), goldPair)).toMatchObject({ shares: '50000000000000', USDX: ['1590.108719', '1590.108719'] })

    // 116: mud's decimals are unknown. Raw, without value, and marked partial.
    const muddy = await network.get(positionsOf(erin))
    expect(shown(muddy, mudPair)).toEqual({ shares: '199000', net: '99.5', USDX: ['99.5', '99.5'], '': ['398', null] })
    expect(muddy.meta.partial_result).toBe(true)
    expect(costOf(muddy, mudPair)).toMatchObject({ cost_usd: null, unrealized_usd: null })
    expect((await network.get(positionsOf(alice))).meta).toMatchObject({ partial_result: false, last_indexed_ledger: LAST })

    expected = await everything(network)
  })

  it('a built network has every movement once, for the right account', async () => {
    await using network = await IndexedNetwork.of({ registry: net.registry, lake: whole })
    expect(feed(await network.get(activitiesOf(carol)))).toEqual([
      [115, 'withdraw', 'received', '2831473037296753296 GLD', '1590.10871917', '0'],
      [115, 'withdraw', 'received', '1590108719 USDX', '1590.108719', '5000000'],
      [113, 'deposit', 'sent', '6716425737493463032 GLD', '2680.342453', '0'],
      [113, 'deposit', 'sent', '2680342453 USDX', '2680.342453', '10000000'],
      // One swap over two pairs of two factories, as one action; its two failed twins are absent. 0.1 GLD at 3960.513679 / 10.1.
      [104, 'swap', 'received', '965197665 SLV', '48.25988325', '0'],
      [104, 'swap', 'none', '39486321 USDX', '39.486321', '0'],
      [104, 'swap', 'none', '39486321 USDX', '39.486321', '0'],
      [104, 'swap', 'sent', '100000000000000000 GLD', '39.21300672', '0'],
    ])
    expect(feed(await network.get(activitiesOf(vault)))).toEqual([
      // 25,361,393,759,805,453 · 10⁻¹⁸ · 3970.513679 / 10.074638606240194547
      [105, 'swap', 'received', '25361393759805453 GLD', '9.9951735', '0'],
      [105, 'swap', 'sent', '10000000 USDX', '10', '0'],
    ])
    expect(feed(await network.get(activitiesOf(setter)))).toEqual([
      [115, 'emission', 'received', '7862024838 USDX-GLD-SOROSWAP-LP', '0.50005848', '786.2024838'],
      [112, 'admin', 'none', '0 ', '0', '0'],
    ])
    expect(feed(await network.get(activitiesOf(bob)))).toEqual([
      [107, 'withdraw', 'none', '0 ', '0', '5000000'],
      [106, 'transfer', 'received', '100000000000000 USDX-GLD-SOROSWAP-LP', '3970.5136785', '10000000'],
      [102, 'deposit', 'sent', '50000000000 SLV', '2500', '0'],
      [102, 'deposit', 'sent', '2000000000 USDX', '2000', '999.9999'],
    ])
    const path = (await network.get(activitiesOf(carol))).data.activities[4]
    expect(path.metadata).toMatchObject({ hops: 2, pools: [goldPair, silverPair], path: [net.gold, net.usd, net.silver] })
    const decoded = await network.get(`/v1/transactions/${path.tx_hash}`)
    expect(decoded.meta.partial_result).toBe(false)

    // 2039.486321 + 4903.4802335 / 2, twice 4770.576187, and the 100 USD beside the mud.
    const tvl = await network.get(TVL)
    expect(tvl.data.points).toEqual([
      { timestamp: '2023-11-14T00:00:00Z', ledger: LAST, value_at: '2023-11-14T21:18:00Z', tvl_usd: '14132.37881175' },
    ])
    expect(tvl.meta.partial_result).toBe(true)

    // What alice had at each change of hers, and at the first ledger of each hour after: none closed in the quiet hours.
    const points = (await network.get(HISTORY)).data.points.map((it: { ledger: number; net_usd: string }) => [it.ledger, it.net_usd])
    expect(points).toEqual([
      [102, '7999.99999898'],
      [106, '3970.51367848'],
      [111, '2680.34245247'],
      ...[119, 121, 122, 124, 125].map((ledger) => [ledger, '3180.21743814']),
    ])
  })
})

describe('a built network with any split of its lake, read at any time', () => {
  it.each([
    { ledgersPerBatch: 64, batchesPerPartition: 1000, extension: 'xdr.zst' },
    { ledgersPerBatch: 1, batchesPerPartition: 64, extension: 'xdr.zstd' },
  ] as const)('$ledgersPerBatch ledgers a file, $batchesPerPartition files a folder, .$extension: the same answers', async (cut) => {
    const lake = join(folder, `cut-${cut.ledgersPerBatch}`)
    writeLake(lake, ledgers, { passphrase: net.PASSPHRASE, ...cut })
    await using network = await IndexedNetwork.of({ registry: net.registry, lake })
    expect(await everything(network)).toEqual(expected)
  })

  it('a lake that grows after the index has ended is read on at the next start', async () => {
    const lake = join(folder, 'growing')
    const data = join(folder, 'growing-data')
    for (const [files, last] of [
      [13, 112],
      [14, 113],
      [26, LAST],
    ] as const) {
      writeLake(lake, ledgers.slice(0, files), SINGLE)
      await using network = await IndexedNetwork.of({ registry: net.registry, lake, data })
      expect((await network.get(positionsOf(alice))).meta.last_indexed_ledger).toBe(last)
      if (last === LAST) expect(await everything(network)).toEqual(expected)
    }
  })

  it('an index that is killed while it runs continues and gives the same answers', async () => {
    const data = join(folder, 'killed')
    const registry = join(folder, 'registry.json')
    writeFileSync(registry, JSON.stringify(net.registry))
    {
      await using run = new Orrery([
        'up',
        '--json',
        '--network',
        registry,
        '--lake',
        whole,
        '--data',
        data,
        '--port',
        '0',
        '--internal-port',
        '0',
      ])
      await run.result()
      run.signal('SIGKILL')
      await run.exited
    }
    await using network = await IndexedNetwork.of({ registry: net.registry, lake: whole, data })
    expect(await everything(network)).toEqual(expected)
  })
})
