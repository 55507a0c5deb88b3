// Fixed V2 of mainnet with the shipped registry: ledgers made of the pool's and its oracles' entries, extracted, routed and folded as always.
// What comes out is compared with the contract's own answers at ledger 64,271,347 (`get_reserve`), and with the health factors of two
// accounts at those rates. Sources of the figures: `testkit/src/mainnet`.

import { scaledText } from '@orrery/pricing'
import type { Network, PositionSnapshotRow } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { Slicer, StateTable, testAccount } from '@orrery/testkit'
import {
  AGGREGATORS,
  aggregatorEntry,
  CEX_ROUNDS,
  DEX_ROUNDS,
  FIXED_POOL,
  type FixedReserve,
  feedEntries,
  fixedPoolEntries,
  type LedgerOfEntries,
  ledgersOfEntries,
  mainnet,
  positionsEntry,
} from '@orrery/testkit/mainnet'
import { describe, expect, it } from 'vitest'
import { blend } from '../src/protocol.ts'
import { blendView } from '../src/view/view.ts'

const registry = await loadNetwork('mainnet')

/** Ledgers with these entries, folded in one partition. */
function folded(ledgers: readonly LedgerOfEntries[], network: Network = registry) {
  const slicer = new Slicer(network, blend.routing, 1)
  const adapter = blend.adapter(network)
  const table = new StateTable()
  const snapshots: PositionSnapshotRow[] = []
  const first = ledgers[0]?.sequence ?? 1
  const state = adapter.load([], first - 1)
  for (const bytes of ledgersOfEntries(ledgers)) {
    for (const slice of slicer.slices(bytes)) {
      const rows = adapter.fold(state, slice)
      table.write(rows.state)
      snapshots.push(...rows.positionSnapshots)
    }
  }
  const last = ledgers.at(-1) ?? { sequence: first, closeTimeSeconds: 0 }
  const view = blendView(network)
  // What a reader or a restarted adapter has: the state of the rows.
  const loaded = view.load(table.asOf(last.sequence), last.sequence)
  return { view, snapshots, loaded, at: { ledger: last.sequence, closeTimeSeconds: last.closeTimeSeconds } }
}

const healthOf = (snapshots: readonly PositionSnapshotRow[], address: string): unknown =>
  snapshots.findLast((row) => row.address === address)?.native.health_factor

/** Text with a point as an integer of so many decimals. */
const units = (text: string | undefined, decimals: number): bigint => {
  const [whole = '', part = ''] = (text ?? '').split('.')
  return BigInt(whole + part.padEnd(decimals, '0'))
}

describe('the Fixed pool at ledger 64,271,347', () => {
  const { ledger, closeTimeSeconds, priceSeconds, prices, accounts, reserves } = FIXED_POOL
  // The aggregator cuts the feed's 14 decimals to 7, so seven zeros give its answer; the round before makes the comparison that it demands.
  const feedPrices = Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, price * 10n ** 7n]))
  const rounds = [priceSeconds - 300, priceSeconds].map((seconds) => ({ seconds, prices: feedPrices }))
  const oracles = [aggregatorEntry(AGGREGATORS.fixed), ...feedEntries(mainnet.cex, 'v6', rounds)]
  const { view, snapshots, loaded, at } = folded([
    { sequence: ledger - 1, closeTimeSeconds: closeTimeSeconds - 5, entries: [...oracles, ...fixedPoolEntries()] },
    {
      sequence: ledger,
      closeTimeSeconds,
      entries: accounts.map(({ address, collateral, liabilities }) => positionsEntry(address, collateral, liabilities)),
    },
  ])
  const pool = view.pool(loaded, mainnet.fixedPool, at)

  it('the reserves of all three assets of Fixed V2 accrue to what the contract answered', () => {
    expect(reserves.map(({ name }) => name)).toEqual(['XLM', 'USDC', 'EURC'])
    for (const { name, asset, answered } of reserves) {
      const ours = pool?.reserves.find((reserve) => reserve.asset.asset === asset)
      expect({
        name,
        dRate: units(ours?.dRate, 12),
        bRate: units(ours?.bRate, 12),
        rateModifier: units(ours?.rateModifier, 7),
        backstopCredit: ours?.backstopCredit,
      }).toEqual({ name, ...answered })
    }
  })

  it('Fixed V2 has the prices of its own oracle, and its least collateral in dollars', () => {
    const source = `oracle:${mainnet.fixedAggregator}`
    for (const { name, asset } of reserves) {
      const price = pool?.reserves.find((reserve) => reserve.asset.asset === asset)?.price
      expect([name, price?.source, units(price?.usd, 7)]).toEqual([name, source, prices[name]])
    }
    expect([pool?.oracleReadable, pool?.minCollateral]).toEqual([true, '5'])
  })

  it('two accounts of Fixed V2 have the health factors that the contract computes, in snapshots and in the view', () => {
    for (const { address, healthFactor } of accounts) {
      const position = view.position(loaded, mainnet.fixedPool, address, at)
      const ours = [units(String(healthOf(snapshots, address)), 7), units(position?.healthFactor ?? '', 7)]
      expect([address, ...ours]).toEqual([address, healthFactor, healthFactor])
    }
  })
})

describe('the Fixed pool at ledger 64,271,347 with other prices of its oracle', () => {
  const { ledger, closeTimeSeconds, priceSeconds, prices, accounts, reserves } = FIXED_POOL
  // A tenth of the prices of that ledger.
  const feedPrices = Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, price * 10n ** 6n]))
  const rounds = [priceSeconds - 300, priceSeconds].map((seconds) => ({ seconds, prices: feedPrices }))
  const oracles = [aggregatorEntry(AGGREGATORS.fixed), ...feedEntries(mainnet.cex, 'v6', rounds)]
  const { view, loaded, at } = folded([
    { sequence: ledger - 1, closeTimeSeconds: closeTimeSeconds - 5, entries: [...oracles, ...fixedPoolEntries()] },
    {
      sequence: ledger,
      closeTimeSeconds,
      entries: accounts.map(({ address, collateral, liabilities }) => positionsEntry(address, collateral, liabilities)),
    },
  ])

  it('two accounts have the health factors that the contract computes when the prices of that ledger are given', () => {
    const given = new Map(reserves.map(({ name, asset }) => [asset, scaledText(prices[name] ?? 0n, 7)]))
    for (const { address, healthFactor } of accounts) {
      const position = view.position(loaded, mainnet.fixedPool, address, at, given)
      expect([address, units(position?.healthFactor ?? '', 7)]).toEqual([address, healthFactor])
      expect(position?.supply.map(({ price }) => price?.source)).toEqual(position?.supply.map(() => 'request'))
    }
    // Nothing of it stays for the next question.
    const [first] = accounts
    const position = view.position(loaded, mainnet.fixedPool, first?.address ?? '', at)
    expect(position?.supply[0]?.price?.source).toBe(`oracle:${mainnet.fixedAggregator}`)
  })
})

describe('10,000 XLM that secure 1,242.93 USDC in the Fixed pool, after the rounds of June 2026', () => {
  const carol = testAccount('carol')
  const last = 1_782_473_700
  const ONE = 10n ** 12n
  // No interest: one bToken is one XLM, one dToken one USDC.
  const reserves = FIXED_POOL.reserves.map(
    (reserve): FixedReserve => ({ ...reserve, stored: { ...reserve.stored, bRate: ONE, dRate: ONE, lastTime: BigInt(last) } }),
  )
  const feeds = [...feedEntries(mainnet.cex, 'v6', CEX_ROUNDS.june2026), ...feedEntries(mainnet.dex, 'v6', DEX_ROUNDS)]
  const position = positionsEntry(carol, { 0: 100_000_000_000n }, { 1: 12_429_300_000n })
  const { view, snapshots, loaded, at } = folded([
    {
      sequence: 63_200_000,
      closeTimeSeconds: last,
      entries: [aggregatorEntry(AGGREGATORS.fixed), ...feeds, ...fixedPoolEntries(reserves)],
    },
    { sequence: 63_200_001, closeTimeSeconds: last, entries: [position] },
  ])

  it("a position can be liquidated by the pool's own oracle, though the DEX feed and the CEX feed together say otherwise", () => {
    // Collateral: 100,000,000,000 · 0.75 = 75,000,000,000, at 1,744,710 / 10^7: 13,085,325,000.
    // Owed: 12,429,300,000 / 0.95 = 13,083,473,685 rounded up, at 10,011,281 / 10^7: 13,098,233,152 rounded up.
    // 13,085,325,000 / 13,098,233,152 = 0.99901451…
    expect(healthOf(snapshots, carol)).toBe('0.9990145')
    expect(view.position(loaded, mainnet.fixedPool, carol, at)?.healthFactor).toBe('0.9990145')
    // XLM of the DEX feed (0.17473840523802 · 7,500 = 1,310.538) over USDC of the CEX feed (1.0011281757816 · 1,308.3474 = 1,309.823) is above one.
    const mixed = [mainnet.xlm, mainnet.usdc].map((asset) => view.price(loaded, asset, at)?.source)
    expect(mixed).toEqual([`oracle:${mainnet.dex}`, `oracle:${mainnet.cex}`])
  })
})

describe('a pool of the registry whose instance no ledger of the index has, as with a lake alone', () => {
  it('a pool of the registry without an instance is named by its role and version, and its values are unknown', () => {
    const { view, loaded, at } = folded([{ sequence: 63_200_000, closeTimeSeconds: 1_782_473_700, entries: [] }])
    expect(view.contract(loaded, mainnet.fixedPool)).toEqual({ role: 'pool', name: 'Blend v2 pool', version: 'v2', status: 'active' })
    expect(view.pool(loaded, mainnet.fixedPool, at)).toBeNull()
    expect(view.contract(loaded, mainnet.xlm)).toBeNull()
  })
})
