// `metadata` of a reserve: the members that only one kind of pool has.

import { z } from 'zod'
import { PRICE } from './item-metadata.ts'

const usd = (of: string) => z.string().nullable().describe(`USD value of ${of}. Null without a price.`)

const Lending = z
  .strictObject({
    kind: z.literal('lending').describe('A reserve of a lending pool.'),
    ...PRICE,
    index: z.int().describe('Index of the reserve in its pool.'),
    enabled: z.boolean().describe('False: the reserve takes no supply and no borrow.'),
    supplied_usd: usd('the total supply'),
    borrowed_usd: usd('the total debt'),
    b_supply: z.string().describe('All bTokens.'),
    d_supply: z.string().describe('All dTokens.'),
    raw_total_supplied: z.string().describe('`total_supplied` as an integer, in the smallest unit.'),
    raw_total_borrowed: z.string().describe('`total_borrowed` as an integer, in the smallest unit.'),
    backstop_credit: z.string().describe('Interest that the pool owes to its backstop, in units of the asset.'),
    cash: z.string().nullable().describe('Tokens that the pool holds, in units of the asset. Null if its balance is unknown to the index.'),
    target_utilization: z.string().describe('Utilization that the interest curve aims at, a fraction.'),
    max_utilization: z.string().describe('Largest permitted utilization, a fraction.'),
    rate_modifier: z.string().describe('Factor of the interest curve that follows the utilization over time.'),
    oracle_readable: z.boolean().describe('False: Orrery cannot read the oracle of the pool, and prices come from other sources.'),
  })
  .meta({ id: 'LendingReserveMetadata' })

const Liquidity = z
  .strictObject({
    kind: z.literal('liquidity').describe('A token of a liquidity pool.'),
    ...PRICE,
    raw_amount: z.string().describe('`total_supplied` as an integer, in the smallest unit.'),
    balance: z.string().describe('Tokens that the pool holds, in units of the asset; fees that are owed to others may be among them.'),
    usd_value: usd('`total_supplied`'),
    pool_type: z
      .enum(['constant_product', 'stable', 'concentrated', 'unknown'])
      .describe('How the pool prices a swap. `unknown`: a type whose shares Orrery cannot value.'),
    fee: z.string().describe('Fee of a swap, a fraction of its input.'),
    fee_apr: z.string().describe('Yearly trading fees as a fraction of the value of the pool, without compounding.'),
    fee_apy: z.string().describe('The same with compounding.'),
    share_supply: z.string().describe('All shares of the pool.'),
  })
  .meta({ id: 'LiquidityReserveMetadata' })

const Vaults = z
  .strictObject({
    kind: z.literal('vault').describe('A currency of vaults.'),
    ...PRICE,
    currency: z.string().describe('Currency of the vaults, such as `USD`.'),
    raw_total_borrowed: z.string().describe('`total_borrowed` as an integer, in the smallest unit.'),
    borrowed_usd: usd('the debt of all vaults'),
    collateral_asset: z.string().describe('Contract of the collateral token.'),
    collateral: z.string().describe('Collateral of all vaults.'),
    collateral_usd: usd('the collateral of all vaults'),
    vaults: z.int().describe('Number of vaults.'),
    minimum_ratio_pct: z.string().describe('Collateral ratio in percent below which a vault can be liquidated.'),
    opening_ratio_pct: z.string().describe('Least collateral ratio in percent of a new vault.'),
    minimum_debt: z.string().describe('Least debt of a vault.'),
    rate: z
      .string()
      .nullable()
      .describe('Units of the currency for one unit of collateral, by the price feed of the contract. Null without a rate.'),
    fee_pct: z.string().describe('Fee of the contract in percent of what goes in, and of what a full repayment returns.'),
  })
  .meta({ id: 'VaultReserveMetadata' })

export const ReserveMetadata = z.discriminatedUnion('kind', [Lending, Liquidity, Vaults])

export const BackstopMetadata = z
  .strictObject({
    lp_token: z.string().describe('Contract of the LP token.'),
    ...PRICE,
    apr: z
      .string()
      .nullable()
      .describe('Yearly interest that the pool pays to its backstop, a fraction without compounding. Null without a price.'),
    emission_apy: z.string().nullable().describe('Yearly BLND emissions as a fraction of the value. Null without a price.'),
    in_reward_zone: z.boolean().describe('True: the pool is in the reward zone, and its backstop earns emissions.'),
    tokens_per_second: z.string().describe('BLND per second to the backstop.'),
  })
  .meta({ id: 'BackstopMetadata' })
