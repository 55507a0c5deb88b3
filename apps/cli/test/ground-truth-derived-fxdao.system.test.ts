// FxDAO's derived figures through `/v1` at every checkpoint, recomputed from the contracts' own answers: vaults, totals, and the rates of the
// feed of the vaults. Formulas: sections on ratio and liquidation of the FxDAO reference, api-decisions 6 and 7. A ratio is floored
// at 1e-7 as the contract does; prices have 18 digits, USD 8, each half up.

import type { ExpectedAnswer } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { type Checkpoint, type Registry, readCheckpoints, readRegistry, type Words } from './truth/checkpoint.ts'
import { claimsThatDidNotRun } from './truth/claims.ts'
import { Compared } from './truth/compared.ts'
import { type Feed, feedAt, stakeValue } from './truth/expected-fxdao.ts'
import { ExpectedPrices, priceText } from './truth/expected-prices.ts'
import { Fraction, usdText } from './truth/fraction.ts'
import { each } from './truth/recorded.ts'
import { expectCounts, isSampled } from './truth/sampled.ts'
import { WholeNetwork } from './truth/whole-network.ts'

type Shown = Answer['data']

let whole: WholeNetwork
let checkpoints: Checkpoint[]
let registry: Registry

beforeAll(async () => {
  registry = readRegistry()
  const all = await readCheckpoints('fxdao.', 'oracle.')
  checkpoints = all.filter((at) => at.has('fxdao.core') && isSampled(at.ledger))
  whole = await WholeNetwork.open()
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

const textOf = (usd: Fraction | null): string | null => (usd === null ? null : usdText(usd))
/** A rate of which 1e7 is 100 %, in percent. */
const percent = (rate: string | undefined): string => Fraction.units(rate ?? '', 5).text(8)

describe('currencies of FxDAO', () => {
  it('the figures of a currency of FxDAO follow from its recorded totals at the rates of the vaults’ feed', async () => {
    const compared = new Compared()
    await each(checkpoints, async (at) => {
      const { data } = await whole.get(`/v1/protocols/fxdao/reserves?as_of_ledger=${at.ledger}`)
      const feed = feedAt(at, registry)
      for (const line of at.of('fxdao.currency')) {
        const { asset_id, metadata } = data.reserves.find((it: Shown) => it.metadata.currency === line.denomination) ?? { metadata: {} }
        const { raw_amount, ...shown } = { asset_id, ...metadata }
        const expected = currencyAsExpected(line, feed)
        const what = expected.price_usd === null ? 'currency, no par' : 'currency'
        compared.equal(what, { ledger: at.ledger, currency: line.denomination }, shown, expected)
      }
    })
    compared.print('of derived figures of currencies')
    expectCounts('derived figures of currencies', compared.counts, { currency: 650, 'currency, no par': 13 })
  }, 900_000)
})

function currencyAsExpected(line: ExpectedAnswer, { core, coin, value }: Feed) {
  const {
    total_debt = '',
    total_col = '',
    total_vaults,
    min_col_rate,
    opening_col_rate,
    min_debt_creation = '',
  } = line.vaults_info as Words
  const asset = String((line.currency as { readonly contract: unknown }).contract)
  const [price_usd, price_source] = priceText(coin(asset))
  const units = (raw: string, token: string): string => Fraction.units(raw, registry.assets[token]?.decimals ?? Number.NaN).text(7)
  const feedDecimals = registry.oracles.find((it) => it.contract === line.oracle)?.decimals ?? Number.NaN
  return {
    asset_id: asset,
    kind: 'vault',
    currency: line.denomination,
    raw_total_borrowed: total_debt,
    borrowed_usd: textOf(value(total_debt, asset)),
    price_usd,
    price_source,
    collateral_asset: core.col_token,
    collateral: units(total_col, core.col_token ?? ''),
    collateral_usd: textOf(value(total_col, core.col_token ?? '')),
    vaults: Number(total_vaults),
    minimum_ratio_pct: percent(min_col_rate),
    opening_ratio_pct: percent(opening_col_rate),
    minimum_debt: units(min_debt_creation, asset),
    rate: Fraction.units((line.price as Words).price ?? '', feedDecimals).text(feedDecimals),
    fee_pct: percent(core.fee),
  }
}

describe('accounts in FxDAO', () => {
  it('USD, ratio, health factor, liquidation price and redemption rank of an account in FxDAO follow from its recorded vaults', async () => {
    const compared = new Compared('/v1')
    const questions = checkpoints.flatMap((at) => {
      const open = [
        ...at.of('fxdao.vault').filter(({ vault }) => vault !== null),
        ...at.of('fxdao.locking_deposit').filter((it) => it.deposit !== null),
      ]
      return [...Map.groupBy(open, ({ address }) => String(address))].map(([address, lines]) => ({ at, address, lines }))
    })
    await each(
      questions,
      async ({ at, address, lines }) => {
        const { data } = await whole.get(`/v1/users/${address}/positions/fxdao?as_of_ledger=${at.ledger}`)
        const feed = feedAt(at, registry)
        for (const line of lines) {
          const about = { ledger: at.ledger, address, of: line.denomination ?? line.asset }
          if (line.kind === 'fxdao.vault') {
            const currency = at.of('fxdao.currency').find((it) => it.denomination === line.denomination)
            if (currency === undefined) throw new Error(`no answer about the currency of a vault at ${at.ledger}`)
            const shown = data.vaults.find((it: Shown) => it.currency === line.denomination)
            compared.equal('vault', about, vaultAsShown(shown), vaultAsExpected(line, currency, feed))
            // Where the recorded list of vaults is broken, the contract has no order to compare with.
            if (currency.vaults_in_order === null) continue
            const [place, rank] = [
              { address, rank: shown.redemption_rank },
              { address, rank: rankOf(line, currency) },
            ]
            compared.answer('rank', currency, { vaults_in_order: place }, { vaults_in_order: rank })
          } else {
            const shown = data.locked.find((it: Shown) => it.contract === line.contract && it.asset_id === line.asset)
            const { amount } = line.deposit as Words
            const prices = new ExpectedPrices(at, registry)
            const expected = stakeValue(amount ?? '', String(line.asset), prices)
            compared.equal('stake', about, shown?.usd_value, textOf(expected))
          }
        }
      },
      ({ at }) => at.ledger,
    )
    compared.print('of derived figures of vaults and stakes')
    expectCounts('derived figures of vaults and stakes', compared.counts, { stake: 464, vault: 8_973, rank: 8_957 })
  }, 900_000)
})

it('every comparison that the list of members claims for this file ran', () => {
  expect(
    claimsThatDidNotRun(
      'derived-fxdao',
      checkpoints.flatMap((at) => at.of('fxdao.currency')),
    ),
  ).toEqual([])
})

function vaultAsShown(vault: Shown): object {
  const { collateral_usd, debt_usd, net_usd, collateral_ratio_pct, minimum_ratio_pct, health_factor, liquidation_price } = vault
  return { collateral_usd, debt_usd, net_usd, collateral_ratio_pct, minimum_ratio_pct, health_factor, liquidation_price }
}

/** Vaults of one index have one rank: the contract's order among them is that of insertion. */
function rankOf({ vault }: ExpectedAnswer, { vaults_in_order }: ExpectedAnswer): number {
  const { index = '' } = vault as Words
  return 1 + (vaults_in_order as readonly Words[]).filter((it) => BigInt(it.index ?? '') < BigInt(index)).length
}

function vaultAsExpected(line: ExpectedAnswer, currency: ExpectedAnswer, feed: Feed): object {
  const { total_collateral = '', total_debt = '' } = line.vault as Words
  const { min_col_rate = '' } = currency.vaults_info as Words
  const rate = (currency.price as Words).price ?? ''
  const ratio = String(line.collateral_ratio)
  const [held, owed] = [
    feed.value(total_collateral, feed.core.col_token ?? ''),
    feed.value(total_debt, (currency.currency as Words).contract ?? ''),
  ]
  const product = (a: string, b: string): Fraction => Fraction.of(BigInt(a) * BigInt(b))
  const threshold = feed.collateral?.usd.times(product(min_col_rate, total_debt)).over(product(rate, total_collateral)).rounded(18)
  return {
    collateral_usd: textOf(held),
    debt_usd: textOf(owed),
    net_usd: usdText((held ?? Fraction.of(0)).minus(owed ?? Fraction.of(0))),
    collateral_ratio_pct: percent(ratio),
    minimum_ratio_pct: percent(min_col_rate),
    health_factor: Fraction.of(ratio).over(Fraction.of(min_col_rate)).text(8),
    liquidation_price: threshold === undefined ? null : usdText(threshold),
  }
}
