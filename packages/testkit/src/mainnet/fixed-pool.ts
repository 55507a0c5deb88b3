// Blend's pool Fixed V2 of mainnet at ledger 64,271,347: its stored entries, the answers of its contract to `get_reserve` at that
// ledger, and two accounts. Source: a captured fixture in a public plan of a Blend liquidator. `figures.test.ts` compares with ../shared.

import { type Address, type ContractId, type ScVal, sc } from '@orrery/ledger'
import { type MadeEntry, mainnet } from './oracles.ts'

/** Members of a stored reserve that accrue; integers, rates of 12 and the modifier of 7 decimals. */
export interface ReserveFigures {
  readonly dRate: bigint
  readonly bRate: bigint
  readonly rateModifier: bigint
  readonly backstopCredit: bigint
}

export interface FixedReserve {
  readonly name: 'XLM' | 'USDC' | 'EURC'
  readonly asset: ContractId
  /** `ResConfig`, u32 members with 7 decimals. */
  readonly config: {
    readonly c_factor: number
    readonly l_factor: number
    readonly util: number
    readonly max_util: number
    readonly r_base: number
    readonly r_one: number
    readonly r_two: number
    readonly r_three: number
    readonly reactivity: number
  }
  readonly supplyCap: bigint
  /** `ResData` as it was stored, at `lastTime` (unix seconds). */
  readonly stored: ReserveFigures & { readonly bSupply: bigint; readonly dSupply: bigint; readonly lastTime: bigint }
  /** The answer of the contract's own `get_reserve` at the ledger. */
  readonly answered: ReserveFigures
}

const STABLE = {
  c_factor: 9_500_000,
  l_factor: 9_500_000,
  util: 8_000_000,
  max_util: 9_000_000,
  r_base: 300_000,
  r_one: 400_000,
  r_two: 1_200_000,
  r_three: 50_000_000,
  reactivity: 20,
}

export const FIXED_POOL = {
  ledger: 64_271_347,
  closeTimeSeconds: 1_788_534_414,
  /** Of the round that the aggregator answered with, unix seconds. */
  priceSeconds: 1_788_534_300,
  /** 7 decimals, USD. */
  prices: { XLM: 1_778_617n, USDC: 9_999_165n, EURC: 11_613_052n },
  backstopTakeRate: 2_000_000,
  status: 1,
  maxPositions: 6,
  minCollateral: 50_000_000n,
  /** In the order of the reserve index. */
  reserves: [
    {
      name: 'XLM',
      asset: mainnet.xlm,
      config: {
        c_factor: 7_500_000,
        l_factor: 7_500_000,
        util: 4_000_000,
        max_util: 7_000_000,
        r_base: 100_000,
        r_one: 300_000,
        r_two: 3_000_000,
        r_three: 50_000_000,
        reactivity: 50,
      },
      supplyCap: 100_000_000_000_000_000n,
      stored: {
        dRate: 1_001_568_283_884n,
        bRate: 1_000_022_303_241n,
        rateModifier: 1_000_000n,
        bSupply: 7_654_654_078_715_796n,
        dSupply: 13_201_825_877_188n,
        backstopCredit: 31_426_481n,
        lastTime: 1_788_533_688n,
      },
      answered: { dRate: 1_001_568_307_242n, bRate: 1_000_022_303_273n, rateModifier: 1_000_000n, backstopCredit: 31_488_154n },
    },
    {
      name: 'USDC',
      asset: mainnet.usdc,
      config: STABLE,
      supplyCap: 10n ** 18n, // not published; nothing is computed from it
      stored: {
        dRate: 1_228_743_585_510n,
        bRate: 1_143_597_595_724n,
        rateModifier: 14_810_061n,
        bSupply: 472_075_267_288_691n,
        dSupply: 354_986_019_743_103n,
        backstopCredit: 65_446_630_777n,
        lastTime: 1_788_534_379n,
      },
      answered: { dRate: 1_228_743_739_744n, bRate: 1_143_597_688_507n, rateModifier: 14_810_066n, backstopCredit: 65_457_580_959n },
    },
    {
      name: 'EURC',
      asset: mainnet.eurc,
      // Not published apart from its factors. With USDC's curve all four figures of the contract's answer come out.
      config: STABLE,
      supplyCap: 10n ** 18n,
      stored: {
        dRate: 1_228_440_145_896n,
        bRate: 1_142_044_033_025n,
        rateModifier: 3_590_134n,
        bSupply: 3_087_825_484_723n,
        dSupply: 596_521_813_932n,
        backstopCredit: 171_404_770n,
        lastTime: 1_788_533_750n,
      },
      answered: { dRate: 1_228_440_520_958n, bRate: 1_142_044_090_990n, rateModifier: 3_582_270n, backstopCredit: 171_449_516n },
    },
  ],
  /** bTokens and dTokens by reserve index; `healthFactor` with 7 decimals, at the contract's own rates and prices. */
  accounts: [
    {
      address: 'GDAWX4KV5EQLP5W44HE5AA5QN5QRBJOVQIAI5OXOH5FW2ENT5PXN33DE',
      collateral: { 1: 125_043_746n },
      liabilities: { 1: 104_293_813n },
      healthFactor: 10_070_767n,
    },
    {
      address: 'GCIH7OYR6LX6364PGGLAKGMZYLV37EAH6YXZAFK7RY7U4K7625XBH5EL',
      collateral: { 2: 7_618_671_504n },
      liabilities: { 2: 6_328_764_911n },
      healthFactor: 10_100_345n,
    },
  ],
} as const satisfies { readonly reserves: readonly FixedReserve[]; readonly [name: string]: unknown }

/** Backstop V2 of mainnet, which proves the pool's deployment. */
const BACKSTOP = 'CAQQR5SWBXKIGZKPBZDH3KM5GQ5GUTPKB7JAFCINLZBC5WXPJKRG3IM7'
const BLND = 'CD25MNVTZDL4Y3XBCPCJXGXATV5WUHHOWMYFF4YBEGU5FCPGMYTVG5JY'
const POOL_CODE = 'a41fc53d6753b6c04eb15b021c55052366a4c8e0e21bc72700f461264ec1350e'

/** The pool's own entries: instance, list of reserves, configuration and data of each. */
export function fixedPoolEntries(reserves: readonly FixedReserve[] = FIXED_POOL.reserves): readonly MadeEntry[] {
  const contract = mainnet.fixedPool
  const { backstopTakeRate, maxPositions, minCollateral, status } = FIXED_POOL
  const config = sc.struct({
    bstop_rate: sc.u32(backstopTakeRate),
    max_positions: sc.u32(maxPositions),
    min_collateral: sc.i128(minCollateral),
    oracle: sc.address(mainnet.fixedAggregator),
    status: sc.u32(status),
  })
  const instance = sc.instance(
    { kind: 'wasm', hash: POOL_CODE },
    [sc.symbol('BLNDTkn'), sc.address(BLND)],
    [sc.symbol('Backstop'), sc.address(BACKSTOP)],
    [sc.symbol('Config'), config],
    [sc.symbol('Name'), sc.string('Fixed')],
  )
  return [
    { contract, key: sc.instanceKey(), value: instance },
    { contract, key: sc.symbol('ResList'), value: sc.vec(...reserves.map(({ asset }) => sc.address(asset))) },
    ...reserves.flatMap((reserve, index) => [
      { contract, key: keyed('ResConfig', sc.address(reserve.asset)), value: configOf(reserve, index) },
      { contract, key: keyed('ResData', sc.address(reserve.asset)), value: dataOf(reserve) },
    ]),
  ]
}

/** bTokens of collateral and dTokens of an account, by reserve index. */
export function positionsEntry(address: Address, collateral: Shares, liabilities: Shares): MadeEntry {
  const value = sc.struct({ collateral: shares(collateral), liabilities: shares(liabilities), supply: shares({}) })
  return { contract: mainnet.fixedPool, key: keyed('Positions', sc.address(address)), value }
}

type Shares = Readonly<Record<number, bigint>>

const keyed = (name: string, of: ScVal): ScVal => sc.vec(sc.symbol(name), of)
const shares = (of: Shares): ScVal =>
  sc.map(...Object.entries(of).map(([index, amount]) => [sc.u32(Number(index)), sc.i128(amount)] as const))

function configOf({ config, supplyCap }: FixedReserve, index: number): ScVal {
  const rates = Object.fromEntries(Object.entries(config).map(([name, value]) => [name, sc.u32(value)]))
  return sc.struct({ ...rates, decimals: sc.u32(7), enabled: sc.bool(true), index: sc.u32(index), supply_cap: sc.i128(supplyCap) })
}

function dataOf({ stored }: FixedReserve): ScVal {
  return sc.struct({
    b_rate: sc.i128(stored.bRate),
    b_supply: sc.i128(stored.bSupply),
    backstop_credit: sc.i128(stored.backstopCredit),
    d_rate: sc.i128(stored.dRate),
    d_supply: sc.i128(stored.dSupply),
    ir_mod: sc.i128(stored.rateModifier),
    last_time: sc.u64(stored.lastTime),
  })
}
