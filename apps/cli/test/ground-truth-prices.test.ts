// Which price `/v1` uses, of every (ledger, asset) of which the recording has an answer of an oracle. The expected source is chosen from the
// recorded answers alone: the order of the registry, the age that an answer may have, then the pools (truth/expected-prices.ts).

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { type Checkpoint, type Registry, readCheckpoints, readRegistry, type Words } from './truth/checkpoint.ts'
import { claimsThatDidNotRun } from './truth/claims.ts'
import { Compared } from './truth/compared.ts'
import { ExpectedPrices, isFresh, priceText } from './truth/expected-prices.ts'
import { Fraction } from './truth/fraction.ts'
import { each } from './truth/recorded.ts'
import { expectCounts, isSampled } from './truth/sampled.ts'
import { stableInvariant } from './truth/stable-pool.ts'
import { WholeNetwork } from './truth/whole-network.ts'

let whole: WholeNetwork
let checkpoints: Checkpoint[]
let registry: Registry

beforeAll(async () => {
  registry = readRegistry()
  const all = await readCheckpoints('oracle.', 'aquarius.pool', 'soroswap.pair', 'fxdao.', 'blend.')
  checkpoints = all.filter(({ ledger }) => isSampled(ledger))
  whole = await WholeNetwork.open()
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

/** Where the oracles were asked. */
const asked = (): Checkpoint[] => checkpoints.filter((at) => at.has('oracle.lastprice'))
/** Where the pools that rule 3 asks were asked too. */
const isJoint = (at: Checkpoint): boolean => ['aquarius.pool', 'fxdao.core', 'soroswap.pair'].every((kind) => at.has(kind))
/** The protocols all of whose assets can be priced from what was asked: Blend's have oracles, the others' need their pools' and rates' answers. */
const protocolsAskedAt = (at: Checkpoint): string[] => (isJoint(at) ? ['blend', 'aquarius', 'soroswap', 'fxdao'] : ['blend'])

const reservesOf = (protocol: string, { ledger }: Checkpoint): Promise<Answer> =>
  whole.get(`/v1/protocols/${protocol}/reserves?as_of_ledger=${ledger}`)

const shownPrice = (it: { readonly price_usd: unknown; readonly price_source: unknown }): readonly unknown[] => [
  it.price_usd,
  it.price_source,
]

/** The Comet pool's token is priced by what the backstop's contract counts with. */
function expectedOfNetwork(prices: ExpectedPrices, asset: string, protocol: string): ReturnType<ExpectedPrices['ofNetwork']> {
  const isLpToken = registry.protocols.blend.deployments.some((it) => it.backstop_token === asset)
  if (isLpToken) return prices.ofCometShare(asset)
  return protocol === 'blend' ? prices.inBlend(asset) : prices.ofNetwork(asset)
}

describe('network prices', () => {
  it('the network price of an asset is that of the first oracle of the registry with an answer above zero and at most a day old, else that of a price pool', async () => {
    const compared = new Compared()
    await each(asked(), async (at) => {
      const prices = new ExpectedPrices(at, registry)
      for (const protocol of protocolsAskedAt(at)) {
        const { enrichment } = await reservesOf(protocol, at)
        for (const [asset, shown] of Object.entries(enrichment.assets)) {
          const expected = expectedOfNetwork(prices, asset, protocol)
          const code = registry.assets[asset]?.code ?? 'LP'
          compared.equal(`${protocol} ${code}`, { ledger: at.ledger, asset }, shownPrice(shown), priceText(expected))
        }
      }
    })
    compared.print('of network prices')
    expectCounts('network prices', compared.counts, {
      'aquarius AQUA': 132,
      'aquarius EURC': 127,
      'aquarius PYUS': 132,
      'aquarius USDC': 132,
      'aquarius USDX': 132,
      'aquarius XLM': 132,
      'blend AQUA': 266,
      'blend BLND': 266,
      'blend BTC': 183,
      'blend EURC': 266,
      'blend LP': 266,
      'blend USDC': 266,
      'blend XLM': 266,
      'fxdao EURx': 132,
      'fxdao GBPx': 132,
      'fxdao JPYx': 88,
      'fxdao USDx': 132,
      'fxdao XLM': 132,
      'soroswap AQUA': 132,
      'soroswap BLND': 132,
      'soroswap BTC': 46,
      'soroswap EURC': 132,
      'soroswap USDC': 132,
      'soroswap XLM': 132,
    })
  }, 1_800_000)

  it('the network price of an asset accounts for every recorded answer of an oracle: it is the price, another comes before it, or it is no answer', async () => {
    const counts: Record<string, number> = {}
    const compared = new Compared('/v1')
    await each(asked(), async (at) => {
      const prices = new ExpectedPrices(at, registry)
      const named = await Promise.all(protocolsAskedAt(at).map(async (protocol) => (await reservesOf(protocol, at)).enrichment.assets))
      const shown: Answer['enrichment']['assets'] = Object.assign({}, ...named)
      for (const line of at.of('oracle.lastprice')) {
        const asset = tokenOf(line.asset as Words)
        const source = prices.ofOracles(asset)?.source
        const isSource = source === `oracle:${line.contract}`
        const isAnswer = isFresh(line.lastprice, at.closeTime)
        const verdict = isSource ? 'source' : isAnswer ? 'another comes first' : 'no answer'
        expect({ ledger: at.ledger, line, verdict, isPossible: isAnswer || !isSource }).toMatchObject({ isPossible: true })
        // Before a pool of any protocol has the asset, no answer of that ledger names it.
        const where = shown[asset] === undefined ? 'not named' : 'named'
        if (where === 'named') expect({ ledger: at.ledger, asset, source: shown[asset].price_source }).toMatchObject({ source })
        if (where === 'named' && isSource) {
          const price = prices.ofOracle(line.contract, asset)
          compared.answer('price', line, { lastprice: shownPrice(shown[asset]) }, { lastprice: priceText(price) })
        }
        const what = `${line.oracle}: ${verdict}, ${where}`
        counts[what] = (counts[what] ?? 0) + 1
      }
    })
    process.stderr.write(`Recorded answers of oracles: ${JSON.stringify(counts)}\n`)
    // Those that are the source and named, below.
    compared.expectCounts('of answers of oracles that are the price', { price: 1_513 })
    expectCounts('answers of oracles', counts, {
      'aggregator: another comes first, named': 1_293,
      'aggregator: another comes first, not named': 73,
      'aggregator: source, named': 220,
      'aggregator: source, not named': 10,
      'reflector_cex: another comes first, named': 835,
      'reflector_cex: another comes first, not named': 72,
      'reflector_cex: no answer, named': 184,
      'reflector_cex: no answer, not named': 10,
      'reflector_cex: source, named': 228,
      'reflector_cex: source, not named': 1,
      'reflector_dex: no answer, named': 182,
      'reflector_dex: no answer, not named': 11,
      'reflector_dex: source, named': 1_065,
      'reflector_dex: source, not named': 72,
    })
  }, 900_000)
})

function tokenOf({ stellar, other }: Words): string {
  return stellar ?? Object.entries(registry.assets).find(([, { code }]) => code === other)?.[0] ?? ''
}

describe('prices within pools', () => {
  it('a lending pool is valued with the prices of its own oracle, and with the network’s only where that oracle has none', async () => {
    const compared = new Compared()
    await each(asked(), async (at) => {
      const prices = new ExpectedPrices(at, registry)
      const oracles = new Map(at.of('blend.pool').map((line) => [line.contract, (line.config as Words).oracle ?? '']))
      const { data } = await reservesOf('blend', at)
      for (const { contract, asset_id: asset, metadata } of data.reserves) {
        const oracle = oracles.get(contract) ?? ''
        const expected = prices.ofPoolWithOracle(oracle, asset)
        const kind = expected?.source === `oracle:${oracle}` ? 'own oracle' : 'the network'
        compared.equal(kind, { ledger: at.ledger, contract, asset }, shownPrice(metadata), priceText(expected))
      }
      for (const { contract, metadata } of data.backstops) {
        const backstop = at.of('blend.backstop_pool').find(({ pool }) => pool === contract)
        if (backstop === undefined) throw new Error(`the backstop of ${contract} was not asked at ${at.ledger}`)
        const expected = prices.ofBackstop(backstop.contract)
        compared.equal('LP token', { ledger: at.ledger, contract }, shownPrice(metadata), priceText(expected))
      }
    })
    compared.print('of prices in lending pools')
    expectCounts('prices in lending pools', compared.counts, { 'LP token': 1_218, 'own oracle': 3_487, 'the network': 182 })
  }, 900_000)

  it('a liquidity pool is valued with the network’s prices, with the rate of that pool before those of the price pools', async () => {
    const compared = new Compared()
    await each(asked().filter(isJoint), async (at) => {
      const prices = new ExpectedPrices(at, registry)
      for (const protocol of ['aquarius', 'soroswap']) {
        const { data } = await reservesOf(protocol, at)
        for (const { contract, asset_id: asset, metadata } of data.reserves) {
          const expected = prices.inPool(contract, asset)
          const rule = expected === null ? 'none' : expected.source === `pool:${contract}` ? 'own rate' : expected.source.split(':')[0]
          compared.equal(`${protocol}: ${rule}`, { ledger: at.ledger, contract, asset }, shownPrice(metadata), priceText(expected))
        }
      }
    })
    compared.print('of prices in liquidity pools')
    expectCounts('prices in liquidity pools', compared.counts, {
      'aquarius: oracle': 2_306,
      'aquarius: own rate': 396,
      'soroswap: oracle': 1_544,
    })
  }, 900_000)

  it('a coin of FxDAO is valued at par by the feed of its vaults, and only while they hold collateral', async () => {
    const compared = new Compared()
    await each(
      checkpoints.filter((at) => at.has('fxdao.core')),
      async (at) => {
        const prices = new ExpectedPrices(at, registry)
        const { data } = await reservesOf('fxdao', at)
        for (const { asset_id: asset, metadata } of data.reserves) {
          const expected = prices.ofCoin(asset)
          compared.equal(expected === null ? 'no par' : 'coin', { ledger: at.ledger, asset }, shownPrice(metadata), priceText(expected))
        }
      },
    )
    compared.print('of prices of coins')
    expectCounts('prices of coins', compared.counts, { coin: 650, 'no par': 13 })
  }, 900_000)
})

it('every comparison that the list of members claims for this file ran', () => {
  expect(
    claimsThatDidNotRun(
      'prices',
      checkpoints.flatMap((at) => at.of('oracle.lastprice')),
    ),
  ).toEqual([])
})

describe('the expectations themselves', () => {
  it('the arithmetic of these expectations gives the virtual price that every stable pool answered, and rounds away from zero', () => {
    let pools = 0
    for (const line of checkpoints.flatMap((at) => at.of('aquarius.pool')).filter((it) => it.pool_type === 'stable')) {
      const balances = (line.reserves as string[]).map(BigInt)
      if (balances.some((balance) => balance === 0n)) continue
      const d = stableInvariant({ balances, amplification: BigInt(line.a as string) })
      const price = (d * 10_000_000n) / BigInt(line.total_shares as string)
      expect({ ledger: line.ledger, contract: line.contract, price }).toMatchObject({ price: BigInt(line.virtual_price as string) })
      pools++
    }
    expectCounts('virtual prices', pools, 602)
    expect(Fraction.of('-0.000000005').text(8)).toBe('-0.00000001')
  })
})
