// A reserve of a pool: of a lending pool with rates, of an AMM one for each token with the lending fields "0": not applicable.

import type { LpPool } from '@orrery/protocol-kit'
import { z } from 'zod'
import { wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'
import { presentPrice } from './price.ts'

const rates = {
  b_rate: z.string(),
  borrow_apr: z.string(),
  borrow_apy: z.string(),
  borrow_cap: z.string(),
  c_factor: z.string(),
  d_rate: z.string(),
  l_factor: z.string(),
  oracle_contract: z.string(),
  supply_apr: z.string(),
  supply_apy: z.string(),
  supply_cap: z.string(),
  total_borrowed: z.string(),
  utilization: z.string(),
}

export const Reserve = z
  .strictObject({
    ...rates,
    asset_id: z.string(),
    asset_symbol: z.string(),
    contract: z.string(),
    decimals: z.int().nullable().describe('Null when nobody told: amounts are raw then.'),
    ledger: z.int().describe('Ledger of the newest change of the pool.'),
    metadata: z.record(z.string(), z.unknown()),
    status: z.string(),
    total_supplied: z.string().describe('Of an AMM: the stored reserve.'),
  })
  .meta({ id: 'Reserve' })
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
    blnd_amount: z.string(),
    contract: z.string(),
    ledger: z.int(),
    lp_tokens: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    q4w_pct: z.string(),
    q4w_shares: z.string(),
    shares: z.string(),
    usd_value: z.string().nullable(),
    usdc_amount: z.string(),
  })
  .meta({ id: 'Backstop' })
export type Backstop = z.input<typeof Backstop>
