// The oracles behind three Blend V2 pools of mainnet, as contract data entries: Reflector's CEX and DEX feeds with rounds that they published,
// and the aggregators that read them. Figures: lightgatehq/lidapters (blend/state_reflector_test.go and its deployment files) for rounds and the
// first two aggregators, the README of script3's oracle-aggregator for the third. `figures.test.ts` compares them with ../shared.

import { type ContractId, type ScVal, sc } from '@orrery/ledger'
import type { EntryKeySpec } from '../ledger-spec.ts'

/** A contract data entry at the end of a ledger. */
export interface MadeEntry extends EntryKeySpec {
  readonly value: ScVal
}

export const mainnet = {
  xlm: 'CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA',
  usdc: 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75',
  eurc: 'CDTKPWPLOURQA2SGTKTUQOWRCBZEORB4BWBOMJ3D3ZTQQSGE5F6JBQLV',
  cetes: 'CAL6ER2TI6CTRAY6BFXWNWA7WTYXUXTQCHUBCIBU5O6KM3HJFG6Z6VXV',
  /** Reflector's feed of exchanges, in USD. */
  cex: 'CAFJZQWSED6YAWZU3GWRTOCNPPCGBN32L7QV43XX5LZLFTK6JLN34DLN',
  /** Reflector's feed of Stellar's own markets, in USDC. */
  dex: 'CALI2BYU2JE6WVRUFYTS6MSBNEHGJ35P4AVCZYF3B6QOE3QKOB2PLE6M',
  /** Prices CETES, USTRY and TESOURO; its storage was never compared with Reflector's. */
  unreadFeed: 'CBWUSO5XZICR4FPKAQ4YDIYNZ2T26QMKUHWOSMPMWTXHFP3SJTAXGNCK',
  fixedPool: 'CAJJZSGMMM3PD7N33TAPHGBUGTB43OC73HVIK2L2G6BNGGGYOSSYBXBD',
  fixedAggregator: 'CCVTVW2CVA7JLH4ROQGP3CU4T3EXVCK66AZGSM4MUQPXAI4QHCZPOATS',
  yieldBloxAggregator: 'CD74A3C54EKUVEGUC6WNTUPOTHB624WFKXN3IYTFJGX3EHXDXHCYMXXR',
  etherfuseAggregator: 'CAVRP26CWW6IUEXBRA3Q2T2SHBUVBC2DF43M4E23LEZGW5ZEIB62HALS',
  /** Worth one USDC by declaration of YieldBlox V2's aggregator. */
  yieldBloxBaseAssets: [
    'CB226ZOEYXTBPD3QEGABTJYSKZVBP2PASEISLG3SBMTN5CE4QZUVZ3CE',
    'CCCRWH6Q3FNP3I2I57BDLM5AFAT7O6OF6GKQOC6SSJNDAVRZ57SPHGU2',
  ],
} as const

/** A round of a feed: prices by asset name, 14 decimals. */
export interface FeedRound {
  readonly seconds: number
  readonly prices: Readonly<Record<string, bigint>>
}

/** Rounds of the CEX feed in April 2025 (Reflector v4) and June 2026 (v6). */
export const CEX_ROUNDS = {
  april2025: [
    { seconds: 1_744_386_000, prices: { XLM: 23_319_734_333_487n, USDC: 100_049_014_360_832n, EURC: 113_434_046_199_375n } },
    { seconds: 1_744_386_300, prices: { XLM: 23_350_127_418_476n, USDC: 100_045_020_259_116n, EURC: 113_322_710_193_460n } },
  ],
  june2026: [
    { seconds: 1_782_473_100, prices: { XLM: 17_445_678_924_432n, USDC: 100_111_152_528_926n, EURC: 114_201_759_459_499n } },
    { seconds: 1_782_473_400, prices: { XLM: 17_432_999_981_295n, USDC: 100_111_136_721_026n, EURC: 114_207_531_624_160n } },
    { seconds: 1_782_473_700, prices: { XLM: 17_447_100_518_867n, USDC: 100_112_817_578_160n, EURC: 114_196_337_841_055n } },
  ],
} as const satisfies Record<string, readonly FeedRound[]>

/** Rounds of the DEX feed in June 2026. */
export const DEX_ROUNDS: readonly FeedRound[] = [
  { seconds: 1_782_473_100, prices: { XLM: 17_478_364_261_058n } },
  { seconds: 1_782_473_400, prices: { XLM: 17_473_840_523_802n } },
]

const other = (symbol: string): ScVal => sc.vec(sc.symbol('Other'), sc.symbol(symbol))
const stellar = (contract: ContractId): ScVal => sc.vec(sc.symbol('Stellar'), sc.address(contract))
const ms = (seconds: number): ScVal => sc.u64(BigInt(seconds) * 1000n)

/** The names of assets in the two feeds, in the order of their index. */
const FEEDS = {
  [mainnet.cex]: {
    base: other('USD'),
    assets: [
      ['XLM', other('XLM')],
      ['USDC', other('USDC')],
      ['EURC', other('EURC')],
    ],
  },
  [mainnet.dex]: {
    base: stellar(mainnet.usdc),
    assets: [
      ['XLM', stellar(mainnet.xlm)],
      ['CETES', stellar(mainnet.cetes)],
    ],
  },
} as const
type Feed = keyof typeof FEEDS

/**
 * The entries of a feed after its newest round: its instance, and the temporary entries of all given rounds.
 * `v4` writes an entry for each asset and round, `v6` one for each round and the newest two into its instance.
 */
export function feedEntries(contract: Feed, version: 'v4' | 'v6', rounds: readonly FeedRound[]): readonly MadeEntry[] {
  const { base, assets } = FEEDS[contract]
  const temporary = (key: ScVal, value: ScVal): MadeEntry => ({ contract, key, value, durability: 'temporary' })
  const newest = Math.max(...rounds.map(({ seconds }) => seconds))
  const cache = rounds.filter(({ seconds }) => seconds >= newest - 300).toReversed()
  const instance = sc.instance(
    { kind: 'wasm', hash: (version === 'v4' ? '44' : '66').repeat(32) },
    [sc.string('assets'), sc.vec(...assets.map(([, asset]) => asset))],
    [sc.string('base_asset'), base],
    ...(version === 'v4'
      ? []
      : [[sc.string('cache'), sc.vec(...cache.map((round) => sc.vec(ms(round.seconds), update(contract, round))))] as const]),
    [sc.string('decimals'), sc.u32(14)],
    [sc.string('last_timestamp'), ms(newest)],
    ...(version === 'v4' ? [] : [[sc.string('protocol'), sc.u32(2)] as const]),
    [sc.string('resolution'), sc.u32(300_000)],
  )
  const held = rounds.flatMap((round): readonly MadeEntry[] => {
    if (version === 'v6') return [temporary(ms(round.seconds), update(contract, round))]
    return assets.flatMap(([name], index) => {
      const price = round.prices[name]
      const key = sc.u128(((BigInt(round.seconds) * 1000n) << 64n) | BigInt(index))
      return price === undefined ? [] : [temporary(key, sc.i128(price))]
    })
  })
  return [...held, { contract, key: sc.instanceKey(), value: instance }]
}

/** `PriceUpdate` of v6: a bit for each asset of the feed that has a price, and the prices without gaps. */
function update(contract: Feed, { prices }: FeedRound): ScVal {
  const listed = FEEDS[contract].assets.map(([name]) => prices[name])
  const mask = listed.reduce((bits: number, price, index) => (price === undefined ? bits : bits | (1 << index)), 0)
  const given = listed.flatMap((price) => (price === undefined ? [] : [sc.i128(price)]))
  return sc.struct({ mask: sc.bytes(Uint8Array.of(mask)), prices: sc.vec(...given) })
}

/** The configuration of an aggregator at its deployment. */
export interface AggregatorSetUp {
  readonly contract: ContractId
  readonly base: ScVal
  readonly decimals: number
  readonly maxAgeSeconds: number
  /** Feeds of 14 decimals with a round every 300 s. */
  readonly sources: readonly ContractId[]
  readonly baseAssets: readonly ContractId[]
  /** By token: its name at the source, the source's index, and the largest change from the round before in percent. */
  readonly assets: readonly {
    readonly token: ContractId
    readonly listedAs: ScVal
    readonly source: number
    readonly maxDeviationPct: number
  }[]
}

export const AGGREGATORS = {
  fixed: {
    contract: mainnet.fixedAggregator,
    base: other('USD'),
    decimals: 7,
    maxAgeSeconds: 900,
    sources: [mainnet.cex],
    baseAssets: [],
    assets: [
      { token: mainnet.xlm, listedAs: other('XLM'), source: 0, maxDeviationPct: 60 },
      { token: mainnet.usdc, listedAs: other('USDC'), source: 0, maxDeviationPct: 20 },
      { token: mainnet.eurc, listedAs: other('EURC'), source: 0, maxDeviationPct: 20 },
    ],
  },
  yieldBlox: {
    contract: mainnet.yieldBloxAggregator,
    base: stellar(mainnet.usdc),
    decimals: 7,
    maxAgeSeconds: 900,
    sources: [mainnet.dex],
    baseAssets: mainnet.yieldBloxBaseAssets,
    // The limit of XLM there is not published: none.
    assets: [{ token: mainnet.xlm, listedAs: stellar(mainnet.xlm), source: 0, maxDeviationPct: 0 }],
  },
  etherfuse: {
    contract: mainnet.etherfuseAggregator,
    base: other('USD'),
    decimals: 14,
    maxAgeSeconds: 600,
    sources: [mainnet.unreadFeed, mainnet.cex],
    baseAssets: [],
    assets: [
      { token: mainnet.usdc, listedAs: other('USDC'), source: 1, maxDeviationPct: 5 },
      { token: mainnet.xlm, listedAs: other('XLM'), source: 1, maxDeviationPct: 10 },
      { token: mainnet.cetes, listedAs: other('CETES'), source: 0, maxDeviationPct: 5 },
    ],
  },
} as const satisfies Record<string, AggregatorSetUp>

/** The instance of an aggregator, which has all of its data. */
export function aggregatorEntry({ contract, base, decimals, maxAgeSeconds, sources, baseAssets, assets }: AggregatorSetUp): MadeEntry {
  const configs = assets.map(({ token, listedAs, source, maxDeviationPct }) => {
    const config = sc.struct({ asset: listedAs, max_dev: sc.u32(maxDeviationPct), oracle_index: sc.u32(source) })
    return [stellar(token), config] as const
  })
  const oracles = sources.map((source, index) =>
    sc.struct({ address: sc.address(source), decimals: sc.u32(14), index: sc.u32(index), resolution: sc.u32(300) }),
  )
  const value = sc.instance(
    { kind: 'wasm', hash: '0a'.repeat(32) },
    [sc.symbol('Assets'), sc.map(...configs)],
    [sc.symbol('Base'), base],
    [sc.symbol('BaseAssets'), sc.vec(...baseAssets.map(stellar))],
    [sc.symbol('Decimals'), sc.u32(decimals)],
    [sc.symbol('MaxAge'), sc.u64(BigInt(maxAgeSeconds))],
    [sc.symbol('Oracles'), sc.vec(...oracles)],
  )
  return { contract, key: sc.instanceKey(), value }
}
