import { sc } from '@orrery/ledger'
import { expect, it } from 'vitest'
import { type PricePoolReader, pricing } from './index.ts'
import {
  contract,
  instance,
  other,
  protocolWithPools,
  reflectorInstance,
  slice,
  smallNetwork,
  stellar,
  usdReflector,
} from './test-slices.ts'

const [FEED, AGGREGATOR, RATES, POOL, XLM, USDC, SILENT] = [1, 2, 3, 4, 5, 6, 7].map(contract) as [
  ...[string, string, string, string, string, string, string],
]
const NOON = 1_700_000_400
const DAY = 86_400

const hint = (code: string) => ({ code, issuer: null, decimals: 7, tags: [] })
/** The order and ages of sources do not depend on what a pool holds. */
const reader: PricePoolReader = { read: () => null, quote: () => null }
const prices = pricing(
  smallNetwork({
    protocols: [protocolWithPools('soroswap', reader)],
    oracles: [
      usdReflector(FEED),
      { contract: AGGREGATOR, kind: 'oracle_aggregator', base: { kind: 'symbol', symbol: 'USD' }, decimals: 7 },
      { contract: RATES, kind: 'fxdao_currencies', base: { kind: 'asset', asset: XLM }, decimals: 7 },
      usdReflector(SILENT),
    ],
    pricePools: [{ protocol: 'soroswap', contract: POOL }],
    assets: { [XLM]: hint('XLM'), [USDC]: hint('USDC') },
  }),
)

/** Prices of at most 900 seconds; USDC is worth one at any time. */
const aggregator = instance(AGGREGATOR, [
  [sc.symbol('Assets'), sc.map([stellar(XLM), sc.struct({ asset: other('XLM'), max_dev: sc.u32(0), oracle_index: sc.u32(0) })])],
  [sc.symbol('Base'), other('USD')],
  [sc.symbol('BaseAssets'), sc.vec(stellar(USDC))],
  [sc.symbol('Decimals'), sc.u32(7)],
  [sc.symbol('MaxAge'), sc.u64(900n)],
  [sc.symbol('Oracles'), sc.vec(sc.struct({ address: sc.address(FEED), decimals: sc.u32(14), index: sc.u32(0), resolution: sc.u32(300) }))],
])

it('sources come in the order of asking, each with the age at which its prices end to count', () => {
  const state = prices.empty()
  prices.apply(state, slice(1, NOON, [reflectorInstance(FEED, { assets: [other('XLM')], lastSeconds: NOON }), aggregator]))
  expect(prices.priceSources(state, XLM)).toEqual([
    // Rounds of 300 seconds: silent once the newest is 600 seconds old.
    { source: `oracle:${FEED}`, maxAgeSeconds: 599 },
    { source: `oracle:${AGGREGATOR}`, maxAgeSeconds: 900 },
    { source: `oracle:${RATES}`, maxAgeSeconds: DAY },
    // Never set up: nothing of it counts for any time.
    { source: `oracle:${SILENT}`, maxAgeSeconds: 0 },
    { source: `pool:${POOL}`, maxAgeSeconds: DAY },
  ])
  expect(prices.priceSources(state, USDC)[1]).toEqual({ source: `oracle:${AGGREGATOR}`, maxAgeSeconds: null })
})
