// A reserve of a pool: of a lending pool with rates, of an AMM one for each token with the lending fields "0": not applicable.

import type { LpPool } from '@orrery/protocol-kit'
import { z } from 'zod'
import { wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'
import { presentPrice } from './price.ts'

const rates = {
  b_rate: z.string().describe('Underlying for one bToken.'),
  borrow_apr: z.string().describe('Interest of debts, a simple fraction.'),
  borrow_apy: z.string().describe('Compounded daily.'),
  borrow_cap: z.string().describe('The highest utilization of the reserve, of what is supplied: more is not lent.'),
  c_factor: z.string().describe('What collateral counts, a fraction.'),
  d_rate: z.string().describe('Underlying for one dToken.'),
  l_factor: z.string().describe('A debt counts amount / l_factor.'),
  oracle_contract: z.string().describe('"" where the pool asks none.'),
  supply_apr: z.string().describe('Interest of what is supplied, a simple fraction.'),
  supply_apy: z.string().describe('Compounded weekly.'),
  supply_cap: z.string().describe('"0" where the pool has none: Blend v1.'),
  total_borrowed: z.string().describe('Of FxDAO: the coins that are owed.'),
  utilization: z.string().describe('Borrowed of what is supplied, a fraction.'),
}

export const Reserve = z
  .strictObject({
    ...rates,
    asset_id: z.string(),
    asset_symbol: z.string(),
    contract: z.string(),
    decimals: z.int().nullable().describe("Null when the token's decimals are unknown; amounts are raw then."),
    ledger: z.int().describe('Ledger of the newest change of the pool.'),
    metadata: z
      .record(z.string(), z.unknown())
      .describe(
        'Raw amounts, USD values and prices. Of an AMM `pool_type`, `fee`, `share_supply` and its yields; of FxDAO `currency`, `collateral`, `minimum_ratio_pct` and `rate`.',
      ),
    status: z.string().describe('One of: active, on_ice, frozen, setup, paused, retired.'),
    total_supplied: z.string().describe('Of an AMM: the stored reserve.'),
  })
  .meta({ id: 'Reserve', description: 'Accrued to the answer’s ledger. The fields of lending are "0" where nothing is lent.' })
export type Reserve = z.input<typeof Reserve>

/** Of what lends nothing: not applicable. */
export const NOT_LENDING = {
  b_rate: '0',
  borrow_apr: '0',
  borrow_apy: '0',
  borrow_cap: '0',
  c_factor: '0',
  d_rate: '0',
  l_factor: '0',
  oracle_contract: '',
  supply_apr: '0',
  supply_apy: '0',
  supply_cap: '0',
  total_borrowed: '0',
  utilization: '0',
} as const satisfies Record<keyof typeof rates, string>

/** One for each token of the pool, by address. */
export function poolReserves(pool: LpPool): Reserve[] {
  return byAddress(pool.reserves, ({ asset }) => asset.asset).map((reserve) => {
    const { asset, amount, price, usdValue } = reserve
    const balance = pool.balances[pool.reserves.indexOf(reserve)] ?? amount
    return {
      ...NOT_LENDING,
      asset_id: asset.asset,
      asset_symbol: asset.symbol,
      contract: pool.pool,
      decimals: asset.decimals,
      ledger: pool.ledger,
      metadata: {
        raw_amount: amount.toString(),
        balance: wholeUnits(balance, asset.decimals),
        usd_value: usdValue,
        ...presentPrice(price),
        pool_type: pool.poolType,
        fee: pool.fee,
        fee_apr: pool.feeApr,
        fee_apy: pool.feeApy,
        share_supply: wholeUnits(pool.shareSupply, pool.shareDecimals),
      },
      status: pool.status,
      total_supplied: wholeUnits(amount, asset.decimals),
    }
  })
}

export const Backstop = z
  .strictObject({
    backstop_contract: z.string(),
    blnd_amount: z.string().describe('BLND that the LP tokens stand for.'),
    contract: z.string().describe('The pool that is backed.'),
    ledger: z.int().describe('Ledger of the newest change of the backstop.'),
    lp_tokens: z.string().describe('Of all shares, queued ones included.'),
    metadata: z.record(z.string(), z.unknown()),
    q4w_pct: z.string().describe('Shares that wait to be withdrawn, percent of all.'),
    q4w_shares: z.string(),
    shares: z.string().describe('All, queued ones included.'),
    usd_value: z.string().nullable().describe('Of the LP tokens.'),
    usdc_amount: z.string().describe('USDC that the LP tokens stand for.'),
  })
  .meta({ id: 'Backstop' })
export type Backstop = z.input<typeof Backstop>
