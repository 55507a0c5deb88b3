// The order of the rules, on a small network whose prices are worked out by hand.

import { type EntryRecord, type ScVal, sc, type TtlRecord } from '@orrery/ledger'
import type { Network, StateRow } from '@orrery/protocol-kit'
import { PROTOCOLS } from '@orrery/protocols'
import { describe, expect, it } from 'vitest'
import { type At, constantProductQuote, type PriceOptions, type PricePoolReader, pricing } from './index.ts'
import {
  contract,
  entry,
  instance,
  legacyPrice,
  other,
  protocolWithPools,
  reflectorInstance,
  slice,
  smallNetwork,
  stellar,
  usdReflector,
} from './test-slices.ts'

const [DEX, CEX, RATES, VAULTS, POOL] = [1, 2, 3, 4, 5].map(contract) as [string, string, string, string, string]
const [XLM, USDC, AQUA, EURX, USDX, BTC] = [11, 12, 13, 14, 15, 16].map(contract) as [string, string, string, string, string, string]
const NOON = 1_700_000_400
const DAY = 86_400

const hint = (code: string, decimals = 7) => ({ code, issuer: null, decimals, tags: [] })
/** A price pool whose entry is a Vec of token, reserve, token, reserve. */
const reader: PricePoolReader = {
  read: (record, before) => (record.value === null ? before : { tokens: [AQUA, XLM], reserves: ['40000000000000', '40000000000'] }),
  quote: (pool, facts) => constantProductQuote(pool, facts.tokens as string[], (facts.reserves as string[]).map(BigInt)),
}

const network = smallNetwork({
  // Coins of FxDAO are read by FxDAO's own reader.
  protocols: [protocolWithPools('soroswap', reader), ...PROTOCOLS.filter(({ id }) => id === 'fxdao')],
  oracles: [
    { contract: DEX, kind: 'reflector', base: { kind: 'asset', asset: USDC }, decimals: 14 },
    usdReflector(CEX),
    { contract: RATES, kind: 'fxdao_currencies', base: { kind: 'asset', asset: XLM }, decimals: 7 },
  ],
  deployments: { soroswap: [], blend: [], aquarius: [], fxdao: [{ vaults: VAULTS, lockingPools: [], fromLedger: 1 }] },
  usdPegs: [{ asset: USDC, why: 'the DEX feed is quoted in it' }],
  assets: { [XLM]: hint('XLM'), [USDC]: hint('USDC'), [AQUA]: hint('AQUA'), [BTC]: hint('BTC', 8) },
})

/** 0.25 USDC for an XLM on the DEX feed. */
const dex = (seconds: number) => [
  reflectorInstance(DEX, { assets: [stellar(XLM)], base: stellar(USDC), lastSeconds: seconds }),
  legacyPrice(DEX, seconds, 0, 25_000_000_000_000n),
]
/** 0.26 USD for an XLM and 0.9999 for a USDC on the CEX feed. */
const cex = (seconds: number) => [
  reflectorInstance(CEX, { assets: [other('XLM'), other('USDC')], lastSeconds: seconds }),
  legacyPrice(CEX, seconds, 0, 26_000_000_000_000n),
  legacyPrice(CEX, seconds, 1, 99_990_000_000_000n),
]
const rate = (denomination: string, seconds: number, price: bigint): EntryRecord[] => [
  entry(
    RATES,
    sc.vec(sc.symbol('AssetRecord'), sc.struct({ asset: other(denomination), timestamp: sc.u64(BigInt(seconds)) })),
    sc.struct({ next: sc.void(), price: sc.i128(price), timestamp: sc.u64(BigInt(seconds)) }),
    { durability: 'temporary', change: 'created', liveUntil: 1000 },
  ),
  entry(RATES, sc.vec(sc.symbol('AssetLastStamp'), other(denomination)), sc.u64(BigInt(seconds)), {
    durability: 'temporary',
    liveUntil: 1000,
  }),
]
const currency = (denomination: string, token: string): [ScVal, ScVal] => [
  sc.vec(sc.symbol('Currency'), sc.symbol(denomination)),
  sc.struct({ active: sc.bool(true), contract: sc.address(token), denomination: sc.symbol(denomination) }),
]
/** What the vaults of a currency hold and owe. */
const totals = (denomination: string, collateral: bigint, debt: bigint): [ScVal, ScVal] => [
  sc.vec(sc.symbol('VaultsInfo'), sc.symbol(denomination)),
  sc.struct({ denomination: sc.symbol(denomination), total_col: sc.u128(collateral), total_debt: sc.u128(debt) }),
]
const SECURED = [totals('EUR', 1n, 1n), totals('USD', 1n, 1n)]
const vaults = (oracle: string, held: readonly (readonly [ScVal, ScVal])[] = SECURED) =>
  instance(VAULTS, [
    [sc.vec(sc.symbol('CoreState')), sc.struct({ oracle: sc.address(oracle) })],
    currency('EUR', EURX),
    currency('USD', USDX),
    ...held,
  ])

function priceOf(
  asset: string,
  records: readonly (EntryRecord | TtlRecord)[],
  at: Partial<At> = {},
  options: PriceOptions = {},
  of: Network = network,
) {
  const prices = pricing(of)
  const state = prices.empty()
  prices.apply(state, slice(10, NOON, records))
  return prices.priceOf(state, asset, { ledger: 10, closeTimeSeconds: NOON, ...at }, options)
}

describe('an asset that oracles list', () => {
  it("an asset has the price of the registry's first oracle with a price; one unit of a peg counts as one dollar", () => {
    expect(priceOf(XLM, [...dex(NOON), ...cex(NOON)])).toEqual({ usd: '0.25', source: `oracle:${DEX}`, observedAtSeconds: NOON })
  })

  it('an asset has the price of the next oracle if the last round of the first is two resolutions old', () => {
    const at = { closeTimeSeconds: NOON + 300 }
    expect(priceOf(XLM, [...dex(NOON - 300), ...cex(NOON)], at)).toMatchObject({ usd: '0.26', source: `oracle:${CEX}` })
  })

  it("the price of the valued pool's own oracle takes precedence", () => {
    expect(priceOf(XLM, [...dex(NOON), ...cex(NOON)], {}, { ownOracle: CEX })?.source).toBe(`oracle:${CEX}`)
    expect(priceOf(XLM, dex(NOON), {}, { ownOracle: CEX })?.source).toBe(`oracle:${DEX}`)
  })

  it('an asset is found by its code only if the registry has exactly one hint with the code', () => {
    expect(priceOf(USDC, cex(NOON))?.usd).toBe('0.9999')
    const twins = { ...network, assets: { ...network.assets, [AQUA]: hint('USDC') } }
    expect(priceOf(USDC, cex(NOON), {}, {}, twins)).toBeNull()
    expect(priceOf(USDC, cex(NOON), {}, {}, { ...network, assets: {} })).toBeNull()
  })

  it('an oracle whose base is not USD gives no price', () => {
    expect(priceOf(XLM, dex(NOON), {}, {}, { ...network, usdPegs: [] })).toBeNull()
  })
})

describe('a coin of FxDAO', () => {
  // 0.25 USD and 0.2 EUR for an XLM: a EUR is 1.25 USD.
  const quoted = [vaults(RATES), ...rate('USD', NOON, 2_500_000n), ...rate('EUR', NOON - 60, 2_000_000n)]

  it('a coin is at par with its currency, computed from the XLM rates of both, and as old as the older rate', () => {
    expect(priceOf(EURX, quoted)).toEqual({ usd: '1.25', source: `oracle:${RATES}`, observedAtSeconds: NOON - 60 })
    expect(priceOf(USDX, quoted)?.usd).toBe('1')
    expect(priceOf(XLM, quoted)).toMatchObject({ usd: '0.25', source: `oracle:${RATES}` })
  })

  it('a token is a coin only if the vaults contract names it, and is priced by the feed of the vaults', () => {
    expect(priceOf(EURX, quoted.slice(1))).toBeNull()
    expect(priceOf(EURX, [vaults(CEX), ...quoted.slice(1)])).toBeNull()
    expect(priceOf(XLM, [vaults(CEX), ...quoted.slice(1)])?.source).toBe(`oracle:${RATES}`)
  })

  it('a coin has no par price without collateral in the vaults of its currency, even if there is debt', () => {
    // The end of mainnet: no vault, no collateral, 17,504 USDx owed.
    const closed = (held: readonly (readonly [ScVal, ScVal])[]) => [vaults(RATES, held), ...quoted.slice(1)]
    const ended = closed([totals('EUR', 1n, 1n), totals('USD', 0n, 175_040_000_000n)])
    expect(priceOf(USDX, ended)).toBeNull()
    expect([priceOf(EURX, ended)?.usd, priceOf(XLM, ended)?.usd]).toEqual(['1.25', '0.25'])
    expect(priceOf(USDX, closed([]))).toBeNull() // a currency without any vault so far
  })

  it('a coin has a par price from the ledger that opens a vault to the one that empties the last vault', () => {
    const prices = pricing(network)
    const state = prices.empty()
    const priced = (from: typeof state, ledger: number) => prices.priceOf(from, USDX, { ledger, closeTimeSeconds: NOON })?.usd ?? null
    const rows: StateRow[] = []
    const collateral = [0n, 5n, 0n, 0n, 5n]
    const seen = collateral.map((held, n) => {
      const ledger = 10 + n
      const records = [vaults(RATES, [totals('USD', held, 5n)]), ...(n === 0 ? quoted.slice(1) : [])]
      const made = prices.apply(state, slice(ledger, NOON, records))
      rows.push(...made.state)
      // The same after a restart from the rows so far.
      expect(priced(prices.load(rows), ledger)).toBe(priced(state, ledger))
      return [priced(state, ledger), made.prices.some(({ asset }) => asset === USDX)]
    })
    expect(seen).toEqual([
      [null, false],
      ['1', true],
      ['1', true],
      [null, false],
      ['1', true],
    ])
  })

  it('a coin without a par price has the price of a pool with enough depth', () => {
    // 4,000 XLM at 0.25 USD beside 100,000 USDx: 0.01 USD each, where par would say 1.
    const quote = constantProductQuote(POOL, [USDX, XLM], [1_000_000_000_000n, 40_000_000_000n])
    const assets = { ...network.assets, [USDX]: hint('USDx') }
    const ended = [vaults(RATES, [totals('USD', 0n, 5n)]), ...quoted.slice(1)]
    expect(priceOf(USDX, ended, {}, { impliedBy: [quote] }, { ...network, assets })).toMatchObject({ usd: '0.01', source: `pool:${POOL}` })
    expect(priceOf(USDX, quoted, {}, { impliedBy: [quote] }, { ...network, assets })?.usd).toBe('1')
  })

  it('rates older than a day give no price', () => {
    expect(priceOf(USDX, quoted, { closeTimeSeconds: NOON + DAY })?.usd).toBe('1')
    expect(priceOf(USDX, quoted, { closeTimeSeconds: NOON + DAY + 1 })).toBeNull()
  })
})

describe('an asset that only pools know', () => {
  // 4,000 XLM at 0.25 USD are 1,000 USD; 4,000,000 AQUA beside them: 0.00025 USD each.
  const reserves = [40_000_000_000_000n, 40_000_000_000n]
  const pool = (xlm: bigint) => constantProductQuote(POOL, [AQUA, XLM], [reserves[0] as bigint, xlm])

  it('an asset has the price of a pool against a priced token of which the pool holds 1,000 USD', () => {
    expect(priceOf(AQUA, dex(NOON), {}, { impliedBy: [pool(40_000_000_000n)] })).toEqual({
      usd: '0.00025',
      source: `pool:${POOL}`,
      observedAtSeconds: NOON,
    })
    expect(priceOf(AQUA, dex(NOON), {}, { impliedBy: [pool(39_999_999_999n)] })).toBeNull()
  })

  it('the price from a pool depends on the decimals of both tokens', () => {
    // 1 BTC (8 decimals) beside 200,000 XLM (7 decimals) at 0.25 USD.
    const quote = constantProductQuote(POOL, [BTC, XLM], [100_000_000n, 2_000_000_000_000n])
    expect(priceOf(BTC, dex(NOON), {}, { impliedBy: [quote] })?.usd).toBe('50000')
    expect(priceOf(BTC, dex(NOON), {}, { impliedBy: [quote], decimalsOf: (token) => (token === BTC ? null : 7) })).toBeNull()
  })

  it('a pool price uses an oracle price, never another pool price', () => {
    const chain = [
      constantProductQuote(POOL, [AQUA, BTC], [10n ** 18n, 10n ** 18n]),
      constantProductQuote(POOL, [BTC, XLM], [10n ** 18n, 10n ** 18n]),
    ]
    expect(priceOf(AQUA, dex(NOON), {}, { impliedBy: chain })).toBeNull()
  })

  it('the valued pool takes precedence over the price pools of the registry', () => {
    const withPool: Network = { ...network, pricePools: [{ protocol: 'soroswap', contract: POOL }] }
    const records = [...dex(NOON), instance(POOL, [])]
    expect(priceOf(AQUA, records, {}, {}, withPool)).toMatchObject({ usd: '0.00025', source: `pool:${POOL}` })
    const valued = constantProductQuote(VAULTS, [AQUA, XLM], [10n ** 12n, 10n ** 12n])
    expect(priceOf(AQUA, records, {}, { impliedBy: [valued] }, withPool)).toMatchObject({ usd: '0.25', source: `pool:${VAULTS}` })
  })

  it('an asset has no price from an empty pool or from a pool without it', () => {
    expect(priceOf(AQUA, dex(NOON), {}, { impliedBy: [constantProductQuote(POOL, [AQUA, XLM], [0n, 0n])] })).toBeNull()
    expect(priceOf(USDC, dex(NOON), {}, { impliedBy: [pool(40_000_000_000n)] })).toBeNull()
  })
})
