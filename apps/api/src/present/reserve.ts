// A reserve of a pool. A lending pool has rates; an AMM has a reserve for each token, and its lending members are "0".

import { CONTRACT_STATUSES, type LpPool } from '@orrery/protocol-kit'
import { z } from 'zod'
import { DECIMALS, wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'
import { presentPrice } from './price.ts'
import { BackstopMetadata, ReserveMetadata } from './reserve-metadata.ts'

const rates = {
  b_rate: z.string().describe('Amount of the asset that one bToken is worth.'),
  borrow_apr: z.string().describe('Yearly interest of debts without compounding, a fraction.'),
  borrow_apy: z.string().describe('Yearly interest of debts with daily compounding, a fraction.'),
  borrow_cap: z.string().describe('Largest total debt that the maximum utilization permits at the current supply, in units of the asset.'),
  c_factor: z.string().describe('Collateral factor, a fraction: collateral counts as its value times this factor.'),
  d_rate: z.string().describe('Amount of the asset that one dToken owes.'),
  l_factor: z.string().describe('Liability factor, a fraction: a debt counts as its value divided by this factor.'),
  oracle_contract: z.string().describe('Contract of the oracle that the pool uses; "" if it uses none.'),
  supply_apr: z.string().describe('Yearly interest of supply without compounding, a fraction.'),
  supply_apy: z.string().describe('Yearly interest of supply with weekly compounding, a fraction.'),
  supply_cap: z
    .string()
    .describe('Largest total supply that the pool permits, in units of the asset. "0" if there is no limit (Blend v1).'),
  total_borrowed: z.string().describe('Total debt, in units of the asset. FxDAO: the stablecoins owed by all vaults of the currency.'),
  utilization: z.string().describe('Borrowed / supplied, a fraction.'),
}

export const Reserve = z
  .strictObject({
    ...rates,
    asset_id: z.string().describe('Contract of the token.'),
    asset_symbol: z.string().describe('Symbol of the token; "" if unknown.'),
    contract: z.string().describe('Contract of the pool.'),
    decimals: z.int().nullable().describe(DECIMALS),
    ledger: z.int().describe('Ledger of the last change of the pool.'),
    metadata: ReserveMetadata.describe('Members that only one kind of pool has; `kind` names it.'),
    status: z.enum(CONTRACT_STATUSES).describe('Status of the pool, or of the reserve if it is disabled.'),
    total_supplied: z.string().describe('Total supply, in units of the asset. AMM: the reserve that the pool stores.'),
  })
  .meta({
    id: 'Reserve',
    description: 'Interest is accrued to the ledger of the answer. Members about lending are "0" for pools that do not lend.',
  })
export type Reserve = z.input<typeof Reserve>

/** The members about lending, for pools that do not lend. */
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
        kind: 'liquidity',
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
    backstop_contract: z.string().describe('Contract of the backstop.'),
    blnd_amount: z.string().describe('BLND in the LP tokens.'),
    contract: z.string().describe('Contract of the pool that the backstop insures.'),
    ledger: z.int().describe('Ledger of the last change of the backstop.'),
    lp_tokens: z.string().describe('LP tokens of all shares, queued ones included.'),
    metadata: BackstopMetadata.describe('Additional members.'),
    q4w_pct: z.string().describe('Shares queued for withdrawal, in percent of all shares.'),
    q4w_shares: z.string().describe('Shares queued for withdrawal.'),
    shares: z.string().describe('All shares, queued ones included.'),
    usd_value: z.string().nullable().describe('USD value of the LP tokens. Null without a price.'),
    usdc_amount: z.string().describe('USDC in the LP tokens.'),
  })
  .meta({ id: 'Backstop' })
export type Backstop = z.input<typeof Backstop>
