// Figures of the SDK and of pages about mainnet, against ours: accrued reserves with their rates, a borrow, emissions, and what an LP token holds.
// The vectors are beside the repository, not in it; without them these tests are skipped.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Network } from '@orrery/protocol-kit'
import { sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { readEmissionConfig, readEmissionData, readUserEmission } from '../src/chain/pool-entries.ts'
import type { BlendVersion, ReserveConfig, ReserveData } from '../src/chain/values.ts'
import { accrue, borrowRate, debtOf, supplyRate, underlyingOf, utilization } from '../src/math/accrual.ts'
import { perLpToken } from '../src/math/backstop-math.ts'
import { earned, emissionIndexAt } from '../src/math/emission-math.ts'
import { compound, rateText } from '../src/math/rates.ts'
import type { BlendState } from '../src/state/state.ts'
import { cometQuotes } from '../src/view/lp-value.ts'
import { entryValue } from './executed.ts'
import { configOf, dataOf, type Figures } from './reserve-figures.ts'

const file = join(sharedDir() ?? '', 'reference/vectors/blend.json')
const vectors: Vectors | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
const given = (): Vectors => {
  if (vectors === null) throw new Error('the vectors are not there')
  return vectors
}

interface Entry {
  readonly xdr: string
  readonly expected: { readonly contract: string; readonly key: unknown; readonly key_scval: string; readonly value: unknown }
}
/** What the SDK shows of a reserve; rates are floats of 7 digits, yields of all digits. */
type Shown = Readonly<Record<'borrowApr' | 'supplyApr' | 'estBorrowApy' | 'estSupplyApy', number>> &
  Readonly<Record<'dRate' | 'bRate' | 'irMod' | 'backstopCredit' | 'util' | 'totalSupply' | 'totalLiabilities', string>>

interface Vectors {
  readonly mainnet_ledger_entries_v1: { readonly close_time: number; readonly entries: readonly Entry[] }
  readonly mainnet_transactions: readonly { readonly close_time: number; readonly entry_changes: readonly Entry[] }[]
  readonly sdk_runs: { readonly results: Readonly<Record<string, Shown>> }
  readonly derived: {
    readonly comet_55261759: Readonly<
      Record<'blnd' | 'usdc' | 'total_shares' | 'blnd_per_lp_7dec' | 'usdc_per_lp_7dec' | 'lp_spot_5x_7dec', string>
    >
    readonly v1_fixed_pool_accrued_to_close_time: Readonly<Record<'USDC' | 'XLM', Figures>>
  }
  readonly mainnet_numeric: {
    readonly yieldblox_v1_reserves: {
      readonly config: { readonly backstopRate: number }
      readonly reserves: Readonly<Record<string, OfAuctioneer>>
    }
    readonly fixed_v2_usdc_2026_07_08: {
      readonly config: Figures
      readonly bstop_rate: number
      readonly data: Figures
      readonly expected_exact_rational: Readonly<Record<'utilization' | 'borrow_apr' | 'supply_apr', number>>
    }
    readonly yieldblox_v2_exploit_2026_02_22: { readonly borrow: Readonly<Record<'underlying' | 'd_tokens' | 'd_rate', string>> }
    readonly comet_valuation: { readonly cases: readonly Readonly<Record<string, string>>[] }
  }
  readonly sdk_tests: {
    readonly emissions_v1_testnet: {
      readonly entries: readonly Entry[]
      readonly compute: {
        readonly supply: string
        readonly balance: string
        readonly timestamp: number
        readonly expected_accrued_blnd: number
      }
    }
  }
  readonly contract_tests: { readonly emissions_v2: readonly EmissionCase[] }
}
interface OfAuctioneer {
  readonly config: Figures
  readonly data: Readonly<Record<string, string | number>>
  readonly borrowApr: number
  readonly supplyApr: number
}
interface EmissionCase {
  readonly supply: string
  readonly supply_scalar: string
  readonly reserve: Figures
  readonly user?: Figures
  readonly timestamp: number
  readonly expected: Figures
}

const storedIn = ({ xdr, expected }: Entry): Uint8Array => entryValue(xdr, expected.key_scval) ?? new Uint8Array()
/** A float of 7 digits as an integer. */
const scaled = (rate: number): bigint => BigInt(Math.round(rate * 1e7))

interface Reserve {
  readonly data: ReserveData
  readonly config: ReserveConfig
  readonly takeRate: bigint
  readonly version: BlendVersion
}

const USDC = 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75'
const XLM = 'CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA'
const FIXED_V1 = 'CDVQVKOY2YSXS2IC7KN6MNASSHPAO7UN2UR2ON4OI2SKMFJNVAMDX6DP'

/** The entries that the SDK was run on: of the Fixed pool of v1 as recorded, of that of v2 before the transaction. */
function reserveOf(name: string): Reserve {
  if (name.startsWith('v2')) {
    const { config, bstop_rate } = given().mainnet_numeric.fixed_v2_usdc_2026_07_08
    const data = dataIn(given().mainnet_transactions[0]?.entry_changes ?? [], USDC)
    return { data, config: configOf(config), takeRate: BigInt(bstop_rate), version: 'v2' }
  }
  const asset = name.includes('USDC') ? USDC : XLM
  const ofPool = given().mainnet_ledger_entries_v1.entries.filter(({ expected }) => expected.contract === FIXED_V1)
  const config = ofPool.find(({ expected: { key } }) => String(key) === `ResConfig,${asset}`)?.expected.value as Figures
  const instance = ofPool.find(({ expected }) => expected.key === 'LedgerKeyContractInstance')?.expected.value
  const { bstop_rate } = (instance as { storage: { Config: { bstop_rate: number } } }).storage.Config
  return { data: dataIn(ofPool, asset), config: configOf(config), takeRate: BigInt(bstop_rate), version: 'v1' }
}

function dataIn(entries: readonly Entry[], asset: string): ReserveData {
  const entry = entries.find(({ expected: { key } }) => String(key) === `ResData,${asset}`)
  return dataOf(entry?.expected.value as Figures)
}

describe.runIf(vectors !== null)('reserves of mainnet (from ../shared)', () => {
  it('mainnet reserves have the rates, totals and yields that the SDK shows, at every close time', () => {
    const runs = Object.entries(given().sdk_runs.results)
    for (const [name, shown] of runs) {
      const { data, config, takeRate, version } = reserveOf(name)
      const now = accrue(data, config, takeRate, BigInt(name.split('@')[1] ?? 0), version)
      const util = utilization(now, version)
      // With the modifier that the SDK shows: it rounds a fall away from zero, the chain towards it.
      expect(now.rateModifier - BigInt(shown.irMod)).toBe(now.rateModifier < data.rateModifier ? 1n : 0n)
      const borrow = borrowRate(util, BigInt(shown.irMod), config, version)
      const supply = supplyRate(borrow, util, takeRate)
      const totals = [underlyingOf(now.bSupply, now, version), debtOf(now.dSupply, now, version)]
      expect([name, now.dRate, now.bRate, now.backstopCredit, util, borrow, supply, ...totals]).toEqual([
        name,
        ...[shown.dRate, shown.bRate, shown.backstopCredit, shown.util].map(BigInt),
        ...[shown.borrowApr, shown.supplyApr].map(scaled),
        ...[shown.totalSupply, shown.totalLiabilities].map(BigInt),
      ])
      const yields = [compound(borrow, 365), compound(supply, 52)].map((it) => Number(rateText(it)).toFixed(8))
      expect([name, ...yields]).toEqual([name, shown.estBorrowApy.toFixed(8), shown.estSupplyApy.toFixed(8)])
    }
    expect(runs).toHaveLength(9)
  })

  it('mainnet reserves accrue as the pool itself did in a transaction', () => {
    const { data, config, takeRate, version } = reserveOf('v2 USDC')
    const [transaction] = given().mainnet_transactions
    const after = dataIn((transaction?.entry_changes ?? []).toReversed(), USDC)
    const ours = accrue(data, config, takeRate, BigInt(transaction?.close_time ?? 0), version)
    // The account supplied 100 USDC, which made bTokens of what the accrued rate gives for it.
    expect(after.lastTime - data.lastTime).toBe(73n)
    expect({ ...ours, bSupply: after.bSupply }).toEqual(after)
    expect(after.bSupply - data.bSupply).toBe((1_000_000_000n * 10n ** 12n) / after.bRate)
  })

  it('mainnet reserves accrue to the close time of a ledger as another program computed it', () => {
    for (const [code, stated] of Object.entries(given().derived.v1_fixed_pool_accrued_to_close_time)) {
      const { data, config, takeRate, version } = reserveOf(`v1 ${code}`)
      const now = accrue(data, config, takeRate, BigInt(given().mainnet_ledger_entries_v1.close_time), version)
      const util = utilization(data, version)
      const [supplied, owed] = [underlyingOf(now.bSupply, now, version), debtOf(now.dSupply, now, version)]
      expect([code, now]).toEqual([code, dataOf(stated)])
      expect([code, util, borrowRate(util, data.rateModifier, config, version), supplied, owed, supplied - owed].map(String)).toEqual([
        code,
        ...[
          stated.utilization_7dec,
          stated.borrow_rate_7dec_before_update,
          stated.total_supply,
          stated.total_liabilities,
          stated.tvl_net,
        ].map(String),
      ])
    }
  })

  it('mainnet reserves have the rates that another program stored or computed exactly', () => {
    const { yieldblox_v1_reserves: stored, fixed_v2_usdc_2026_07_08: exact } = given().mainnet_numeric
    for (const { config, data: it, borrowApr, supplyApr } of Object.values(stored.reserves)) {
      const named = { d_rate: it.dRate, b_rate: it.bRate, ir_mod: it.interestRateModifier, d_supply: it.dSupply, b_supply: it.bSupply }
      const data = dataOf(named as Figures)
      const util = utilization(data, 'v1')
      const borrow = borrowRate(util, data.rateModifier, configOf(config), 'v1')
      const supply = supplyRate(borrow, util, BigInt(stored.config.backstopRate))
      // That program of 2024 rounded a borrow rate down at each of the three steps where the contract rounds up.
      const above = { borrow: borrow - scaled(borrowApr), supply: supply - scaled(supplyApr) }
      expect({ index: config.index, ...above }).toEqual({ index: config.index, ...ABOVE[Number(config.index)] })
    }
    const data = dataOf(exact.data)
    const util = utilization(data, 'v2')
    const borrow = borrowRate(util, data.rateModifier, configOf(exact.config), 'v2')
    // The contract rounds up three times on the way, in the seventh digit; without rounding a rate is at most that much smaller.
    const { utilization: share, borrow_apr, supply_apr } = exact.expected_exact_rational
    const supply = supplyRate(borrow, util, BigInt(exact.bstop_rate))
    const above = [Number(util) / 1e7 - share, Number(borrow) / 1e7 - borrow_apr, Number(supply) / 1e7 - supply_apr]
    expect(above.map((it) => Math.abs(it) < 3e-7)).toEqual([true, true, true])
  })

  it('dTokens stand for what the pool lent in the drain of February 2026', () => {
    const { underlying, d_tokens, d_rate } = given().mainnet_numeric.yieldblox_v2_exploit_2026_02_22.borrow
    const owed = debtOf(BigInt(d_tokens), { dRate: BigInt(d_rate) } as ReserveData, 'v2')
    // A borrow rounds its dTokens up: what they owe at once is the loan, or one unit more.
    expect(owed - BigInt(underlying)).toBeGreaterThanOrEqual(0n)
    expect(owed - BigInt(underlying)).toBeLessThanOrEqual(1n)
  })
})

/** Units of the seventh digit by which ours are above, by reserve: `borrowApr` and `supplyApr` computed by hand with every step rounded down. */
const ABOVE = [
  { borrow: 1n, supply: 1n },
  { borrow: 3n, supply: 1n },
  { borrow: 2n, supply: 0n },
  { borrow: 1n, supply: 0n },
]

describe.runIf(vectors !== null)('emissions (from ../shared)', () => {
  it("emissions of the contract's tests move the index and the earned BLND of a user", () => {
    for (const { reserve, user, expected, ...it } of given().contract_tests.emissions_v2) {
      const [data, unit] = [
        { index: BigInt(reserve.index ?? 0), lastTime: BigInt(reserve.last_time ?? 0), config: null },
        BigInt(it.supply_scalar),
      ]
      const config = { eps: BigInt(reserve.eps ?? 0), expiration: BigInt(reserve.expiration ?? 0) }
      const index = emissionIndexAt(data, config, BigInt(it.supply), unit, BigInt(it.timestamp))
      expect(String(index)).toBe(expected.index)
      if (user === undefined) continue
      const before = { index: BigInt(user.index ?? 0), accrued: BigInt(user.accrued ?? 0) }
      // v2 counts eps with 14 digits: 7 more than BLND has.
      expect(String(earned(before, BigInt(user.balance ?? 0), index, unit * 10n ** 7n))).toBe(expected.accrued)
    }
    expect(given().contract_tests.emissions_v2).toHaveLength(2)
  })

  it('emissions of an old testnet pool are read and accrue what the SDK accrues', () => {
    const { entries, compute } = given().sdk_tests.emissions_v1_testnet
    const of = (name: string) => entries.find(({ expected: { key } }) => String(key).startsWith(name))
    const value = (name: string) => storedIn(of(name) as Entry)
    const [config, data, user] = [
      readEmissionConfig(value('EmisConfig')),
      readEmissionData(value('EmisData')),
      readUserEmission(value('UserEmis')),
    ]
    expect([config, data, user]).toMatchObject([
      { eps: 900_000n, expiration: 1_700_159_660n },
      { index: 38_968_575n, lastTime: 1_699_885_727n },
      { index: 38_968_575n, accrued: 0n },
    ])
    if (data === null) return
    const unit = 10n ** 7n
    const index = emissionIndexAt(data, config, BigInt(compute.supply), unit, BigInt(compute.timestamp))
    expect(earned(user, BigInt(compute.balance), index, unit)).toBe(scaled(compute.expected_accrued_blnd))
  })
})

describe.runIf(vectors !== null)('the Comet pool (from ../shared)', () => {
  it('an LP token stands for as much of each token as another program computed, and is worth five times its USDC', () => {
    const { blnd, usdc, total_shares, ...stated } = given().derived.comet_55261759
    const records = new Map([
      ['BLND', { balance: BigInt(blnd), weight: 8_000_000n }],
      ['USDC', { balance: BigInt(usdc), weight: 2_000_000n }],
    ])
    const per = (token: string) => perLpToken(records as never, BigInt(total_shares), token)
    expect([per('BLND'), per('USDC'), (per('USDC') ?? 0n) * 5n].map(String)).toEqual([
      stated.blnd_per_lp_7dec,
      stated.usdc_per_lp_7dec,
      stated.lp_spot_5x_7dec,
    ])
  })

  it('the Comet pool prices BLND by balances over weights', () => {
    const { cases } = given().mainnet_numeric.comet_valuation
    const comet = 'CAS3FL6TLZKDGGSISDBWGGPXT3NRR4DYTZD7YOD3HMYO6LTJUVGRVEAM'
    const network = { deployments: { blend: [{ backstopToken: comet }] } } as unknown as Network
    for (const { blnd = '', usdc = '', blnd_price_7dec } of cases) {
      const value = new Map([
        ['BLND', { balance: BigInt(blnd), weight: 8_000_000n }],
        ['USDC', { balance: BigInt(usdc), weight: 2_000_000n }],
      ])
      const [quote] = cometQuotes({ comets: new Map([[comet, { records: { value } }]]) } as unknown as BlendState, network)
      const rate = quote?.rate(0, 1, () => 7)
      expect(((rate?.numerator ?? 0n) * 10_000_000n) / (rate?.denominator ?? 1n)).toBe(BigInt(blnd_price_7dec ?? 0))
    }
    expect(cases).toHaveLength(2)
  })
})
