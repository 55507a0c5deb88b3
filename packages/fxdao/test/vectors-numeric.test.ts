// Figures of the contract's own tests and of the mainnet vaults.
// The vectors are beside the repository, not in it; without them these tests are skipped.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Decimal } from '@orrery/pricing'
import { sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { closing, collateralRatio, feeOn, headroom } from '../src/math/formulas.ts'

const file = join(sharedDir() ?? '', 'reference/vectors/fxdao.json')
const vectors: Vectors | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null

type Figures = Readonly<Record<string, string>>
interface Vectors {
  readonly numeric: readonly { readonly name: string; readonly in: never; readonly expected: never }[]
  readonly mainnet_totals: readonly { readonly VaultsInfo_USD?: Figures }[]
  readonly usd_pricing_example: {
    readonly rates: Figures
    readonly xlm_usd: string
    readonly eur_usd: string
    readonly gbp_usd: string
    readonly example: Figures
  }
}

/** One case of the contract's tests, by its name in the file. */
function numeric<In, Expected>(name: string): { readonly in: In; readonly expected: Expected } {
  const found = vectors?.numeric.find((it) => it.name === name)
  if (found === undefined) throw new Error(`no case ${name}`)
  return found
}

/** index = ⌊10⁹ · C / D⌋. */
const indexOf = (collateral: bigint, debt: bigint) => (1_000_000_000n * collateral) / debt

describe.runIf(vectors !== null)('the tests of the contract (from ../shared)', () => {
  it('open a vault with what is left after the fee', () => {
    const { in: given, expected } = numeric<Figures, Figures>('new_vault')
    const sent = BigInt(given.collateral_amount ?? 0)
    const fee = feeOn(sent, BigInt(given.fee ?? 0))
    const index = indexOf(sent - fee, BigInt(given.initial_debt ?? 0))
    expect([sent - fee, fee, index].map(String)).toEqual([expected.vault_collateral, expected.fee, expected.index])
  })

  it('give vaults the index by which they are redeemed', () => {
    for (const name of ['redeem_full_then_partial', 'insertion_order']) {
      const { in: given } = numeric<{ fee: string; vaults: readonly Figures[] }, unknown>(name)
      expect(given.vaults.length).toBeGreaterThan(3)
      for (const { collateral_sent = '', debt = '', index } of given.vaults) {
        const sent = BigInt(collateral_sent)
        expect([name, String(indexOf(sent - feeOn(sent, BigInt(given.fee)), BigInt(debt)))]).toEqual([name, index])
      }
    }
  })

  it('pay a liquidator the collateral less the fee on it', () => {
    const { in: given, expected } = numeric<Readonly<{ fee: string; rate_liquidation: string; victim: Figures }>, Figures>('liquidation')
    const sent = BigInt(given.victim.collateral_sent ?? 0)
    const debt = BigInt(given.victim.debt ?? 0)
    const collateral = sent - feeOn(sent, BigInt(given.fee))
    const { receive, fee } = closing(collateral, debt, BigInt(given.fee))
    expect([collateral, receive, fee].map(String)).toEqual([expected.victim_collateral, expected.liquidator_receives, expected.fee])
    expect(collateralRatio(BigInt(given.rate_liquidation), collateral, debt) < 11_000_000n).toBe(true)
  })

  it('find two of five vaults below the minimum ratio', () => {
    interface Given {
      readonly rate: string
      readonly min_col_rate: string
      readonly collateral_each: string
      readonly debts: readonly string[]
    }
    const { in: given, expected } = numeric<Given, { ratios: readonly string[]; liquidatable: number }>('two_of_five_liquidatable')
    const ratios = given.debts.map((debt) => collateralRatio(BigInt(given.rate), BigInt(given.collateral_each), BigInt(debt)))
    expect(ratios.map(String)).toEqual(expected.ratios)
    expect(ratios.filter((ratio) => ratio < BigInt(given.min_col_rate))).toHaveLength(expected.liquidatable)
  })
})

describe.runIf(vectors !== null)('mainnet and prices (from ../shared)', () => {
  it('has conditions of 110 and 115 percent, at which a vault may owe or give out no more', () => {
    const infos = (vectors?.mainnet_totals ?? []).flatMap(({ VaultsInfo_USD }) => (VaultsInfo_USD === undefined ? [] : [VaultsInfo_USD]))
    expect(infos.length).toBeGreaterThan(0)
    for (const { total_col = '', opening_col_rate = '', total_debt = '' } of infos.filter(
      ({ total_debt = '0', total_col = '0' }) => total_debt !== '0' && total_col !== '0',
    )) {
      const [collateral, debt, opening] = [BigInt(total_col), BigInt(total_debt), BigInt(opening_col_rate)]
      // The rate at which all vaults together are at the opening ratio: one unit less of it leaves nothing.
      const rate = (opening * debt + collateral - 1n) / collateral
      expect(headroom(rate - 1n, collateral, debt, opening)).toEqual({ moreDebt: 0n, collateralOut: 0n })
      expect(headroom(2n * rate, collateral, debt, opening)?.moreDebt).toBe((2n * rate * collateral) / opening - debt)
    }
  })

  it('prices coins at par: the rate of the dollar over the rate of the currency', () => {
    const { rates, xlm_usd, eur_usd, gbp_usd, example } = vectors?.usd_pricing_example ?? ({} as never)
    const par = (currency: string) => new Decimal(rates.USD ?? 0).div(rates[currency] ?? 1)
    expect([par('EUR').toFixed(10), par('GBP').toFixed(10)]).toEqual([eur_usd, gbp_usd])
    const collateral = new Decimal(example.collateral ?? 0).div(1e7).times(xlm_usd)
    const debt = new Decimal(example.debt ?? 0).div(1e7).times(par('EUR'))
    expect([collateral.toFixed(7), debt.toFixed(7), collateral.minus(debt).toFixed(7)]).toEqual([
      example.collateral_usd,
      example.debt_usd_at_par,
      example.net_usd,
    ])
  })
})
