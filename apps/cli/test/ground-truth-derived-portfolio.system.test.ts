// Answers that `/v1` gives only for the present, for past ledgers: emissions of every checkpoint, and portfolios recomputed from the contracts'
// answers of all protocols: limits, health, net APY and totals (api-decisions 6).

import { seededRandom } from '@orrery/testkit'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { type Checkpoint, type Registry, readCheckpoints, readRegistry } from './truth/checkpoint.ts'
import { Compared } from './truth/compared.ts'
import { EarlierIndex } from './truth/earlier-index.ts'
import { ExpectedPool } from './truth/expected-blend.ts'
import { ExpectedLiquidityPool } from './truth/expected-liquidity.ts'
import { ExpectedPortfolio, questionsByAddress, shownAsOpen } from './truth/expected-portfolio.ts'
import { ExpectedPrices } from './truth/expected-prices.ts'
import { Fraction, usdText, ZERO } from './truth/fraction.ts'
import { each } from './truth/recorded.ts'
import { expectCounts, isSampled } from './truth/sampled.ts'
import { WholeNetwork } from './truth/whole-network.ts'

type Shown = Answer['data']

/** A portfolio depends on all protocols: of the checkpoints with answers about all accounts, this many are taken, by this seed. */
const SEED = 26
const PORTFOLIO_CHECKPOINTS = 8
const PROTOCOLS = ['blend', 'aquarius', 'soroswap', 'fxdao']

let whole: WholeNetwork
let earlier: EarlierIndex
let checkpoints: Checkpoint[]
let registry: Registry

beforeAll(async () => {
  registry = readRegistry()
  checkpoints = (await readCheckpoints('oracle.', 'blend.', 'aquarius.', 'soroswap.', 'fxdao.')).filter((at) => at.has('oracle.lastprice'))
  whole = await WholeNetwork.open()
  earlier = await EarlierIndex.of(whole)
}, 900_000)

afterAll(async () => {
  await earlier[Symbol.asyncDispose]()
  await whole[Symbol.asyncDispose]()
})

const moveTo = ({ ledger, closeTime }: Checkpoint): void => earlier.moveTo({ ledger, closeTimeSeconds: closeTime })
const hasPools = (at: Checkpoint): boolean => ['aquarius.pool', 'soroswap.pair', 'fxdao.core'].every((kind) => at.has(kind))

const perSecondText = (asset: string, raw: bigint): string => {
  const { decimals = Number.NaN } = registry.assets[asset] ?? {}
  return Fraction.units(raw, decimals).text(decimals)
}

describe('emissions', () => {
  it('the emissions of every reserve of Blend are what its recorded config pays per second, and the yield of that at its prices', async () => {
    const compared = new Compared()
    for (const at of checkpoints.filter(({ ledger }) => isSampled(ledger))) {
      moveTo(at)
      const { data } = await earlier.get('/v1/protocols/blend/emissions')
      const prices = new ExpectedPrices(at, registry)
      const lines = at.of('blend.pool').filter((line) => line.from_factory === true)
      for (const pool of lines.map((line) => new ExpectedPool(line, at, prices))) {
        const shown = data.pools.find((it: Shown) => it.pool_id === pool.line.contract)?.assets ?? []
        const emitting = [...pool.reserves.values()].filter((it) => it.supplyEmission !== null || it.borrowEmission !== null)
        const expected = emitting.map(({ asset, supplyEmission, borrowEmission }) => ({
          asset_address: asset,
          symbol: registry.assets[asset]?.code,
          borrow_emission_apy: usdText(borrowEmission?.apy ?? ZERO),
          borrow_tokens_per_second: (borrowEmission?.perSecond ?? ZERO).text(14),
          supply_emission_apy: usdText(supplyEmission?.apy ?? ZERO),
          supply_tokens_per_second: (supplyEmission?.perSecond ?? ZERO).text(14),
        }))
        const byAddress = expected.sort((a, b) => (a.asset_address < b.asset_address ? -1 : 1))
        compared.equal('pool', { ledger: at.ledger, pool: pool.line.contract }, shown, byAddress)
        for (const { supply_emission_apy: s, borrow_emission_apy: b } of byAddress)
          if (s !== '0' || b !== '0') compared.count('paying reserve')
      }
    }
    compared.print('of emissions of Blend')
    expectCounts('emissions of Blend', compared.counts, { pool: 1_218, 'paying reserve': 1_567 })
  }, 900_000)

  it('the emissions of every pool of Aquarius are what it and its gauges pay per second, and what a holder without a boost earns of it', async () => {
    const compared = new Compared()
    for (const at of checkpoints.filter((it) => hasPools(it) && isSampled(it.ledger))) {
      moveTo(at)
      const { data } = await earlier.get('/v1/protocols/aquarius/emissions')
      const prices = new ExpectedPrices(at, registry)
      for (const line of at.of('aquarius.pool')) {
        const shown = data.pools.find((it: Shown) => it.pool_id === line.contract)?.assets ?? []
        const expected = [...new ExpectedLiquidityPool(line, at, prices).poolEmissions()].sort(([a], [b]) => (a < b ? -1 : 1))
        const ours = shown.map((it: Shown) => [
          it.asset_address,
          it.supply_tokens_per_second,
          it.supply_emission_apy,
          it.borrow_emission_apy,
        ])
        const theirs = expected.map(([asset, { perSecond, apy }]) => [asset, perSecondText(asset, perSecond), usdText(apy), '0'])
        compared.equal(theirs.length === 0 ? 'pool that pays nothing' : 'pool', { ledger: at.ledger, pool: line.contract }, ours, theirs)
      }
    }
    compared.print('of emissions of Aquarius')
    expectCounts('emissions of Aquarius', compared.counts, { 'pool that pays nothing': 424, pool: 861 })
  }, 900_000)
})

describe('portfolios', () => {
  it('the portfolio of an account has the deposits, debts, limits, health and net APY that the contracts’ answers make', async () => {
    const compared = new Compared()
    const complete = checkpoints.filter((at) => hasPools(at) && at.of('blend.pool').every((it) => it.all_users_in_this_ledger === true))
    const random = seededRandom(SEED)
    const questions = questionsByAddress(checkpoints)
    // One in each part of the recording.
    const places = Array.from({ length: PORTFOLIO_CHECKPOINTS }, (_, n) => ((n + random()) / PORTFOLIO_CHECKPOINTS) * complete.length)
    for (const at of new Set(places.flatMap((place) => complete[Math.floor(place)] ?? []))) {
      moveTo(at)
      const expected = new ExpectedPortfolio(at, registry)
      await each(expected.addresses(), async (address) => {
        const { data } = await earlier.get(`/v1/users/${address}/positions`)
        const about = { ledger: at.ledger, address }
        // Rewards and sums by pool are compared with the protocols' own endpoints by another test.
        const { protocols, aggregate_net_apy_with_rewards, total_claimable_usd, ...totals } = data
        const entries = PROTOCOLS.flatMap((protocol) => {
          const shown = protocols.find(({ protocol_id }: Shown) => protocol_id === protocol)
          const open = expected.open(protocol, address)
          const shownOpen = shown === undefined ? [] : shownAsOpen(shown)
          // Some checkpoints lack answers about some positions; the tests of the protocol compare all recorded ones.
          const isComplete = expected.isComplete(protocol, address, questions.get(address) ?? new Set())
          const required = isComplete ? shownOpen : shownOpen.filter((it) => open.includes(it))
          const asked = isComplete ? 'what is open' : 'what is open, not asked for everything'
          compared.equal(`${protocol}: ${asked}`, about, required, open)
          // With nothing open it is there for its rewards.
          if (shown === undefined || (shownOpen.length === 0 && open.length === 0)) return []
          const entry = shownOpen.length === open.length ? expected.entryOf(protocol, address, shown) : null
          if (entry === null) compared.count(`${protocol}: entry without an answer`)
          else {
            const { positions, pools, rewards, claimable_usd, net_apy_with_rewards, ...ofEntry } = shown
            compared.equal(protocol, about, ofEntry, entry)
          }
          return [entry]
        })
        if (entries.includes(null)) return
        const known = entries.filter((entry) => entry !== null)
        compared.equal('portfolio', { ...about, protocols: protocols.length }, totals, { address, ...expected.totalsOf(known) })
      })
    }
    compared.print('of portfolios')
    expectCounts('portfolios', compared.counts, {
      aquarius: 50,
      'aquarius: entry without an answer': 195,
      'aquarius: what is open': 156,
      'aquarius: what is open, not asked for everything': 245,
      blend: 348,
      'blend: what is open': 183,
      'blend: what is open, not asked for everything': 218,
      fxdao: 229,
      'fxdao: what is open': 261,
      'fxdao: what is open, not asked for everything': 140,
      portfolio: 198,
      soroswap: 249,
      'soroswap: entry without an answer': 9,
      'soroswap: what is open': 236,
      'soroswap: what is open, not asked for everything': 165,
    })
  }, 1_800_000)
})
