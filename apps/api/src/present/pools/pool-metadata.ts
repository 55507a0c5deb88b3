// What only a pool of one kind has, as the endpoint of one pool shows it.

import { z } from 'zod'
import { Backstop } from '../reserve.ts'
import { Timestamp } from '../timestamp.ts'

const ReserveConfig = z
  .strictObject({
    asset_id: z.string().describe('Contract of the token.'),
    enabled: z.boolean().describe('False: the pool refuses supply and borrow of the token.'),
    c_factor: z.string().describe('Collateral factor, a fraction: collateral counts as its value times this factor.'),
    l_factor: z.string().describe('Liability factor, a fraction: a debt counts as its value divided by this factor.'),
    b_rate: z.string().describe('Amount of the token that one bToken is worth.'),
    d_rate: z.string().describe('Amount of the token that one dToken owes.'),
    supply_cap: z.string().nullable().describe('Largest total supply, in units of the token. Null if there is no limit (Blend v1).'),
    borrow_cap: z.string().describe('Largest total debt that the maximum utilization permits at the current supply.'),
    interest_curve: z
      .strictObject({
        target_utilization: z.string().describe('Utilization that the rate modifier steers to, a fraction.'),
        max_utilization: z.string().describe('Highest utilization that a borrow may reach, a fraction.'),
        base_rate: z.string().describe('Yearly rate without any debt, a fraction.'),
        rate_one: z.string().describe('What the curve adds up to the target utilization.'),
        rate_two: z.string().describe('What it adds from there to 95 %.'),
        rate_three: z.string().describe('What it adds above 95 %.'),
        reactivity: z.string().describe('How fast the rate modifier follows the distance from the target utilization.'),
        rate_modifier: z.string().describe('Factor of the first two parts of the curve now.'),
      })
      .describe('Yearly interest of debts as a function of utilization. All members are fractions.'),
  })
  .meta({ id: 'PoolReserveConfig' })

const rawByAsset = z.record(z.string(), z.string())

const Auction = z
  .strictObject({
    type: z.enum(['user_liquidation', 'bad_debt', 'interest']).describe('What is auctioned.'),
    address: z.string().describe('The liquidated account, or the backstop.'),
    start_ledger: z
      .int()
      .describe('First ledger of the auction. In the next 200 ledgers the lot grows from none to all, then the bid falls to none.'),
    bid: rawByAsset.describe(
      'What a filler of the whole auction takes over or pays, unscaled, raw by asset. Liquidation and bad debt: dTokens. Interest: LP tokens of the backstop.',
    ),
    lot: rawByAsset.describe(
      'What a filler of the whole auction receives, unscaled, raw by asset. Liquidation: bTokens. Bad debt: LP tokens of the backstop. Interest: the asset.',
    ),
  })
  .meta({ id: 'PoolAuction' })

export const LendingMetadata = z
  .strictObject({
    version: z.enum(['v1', 'v2']).describe('Version of the protocol.'),
    admin: z.string().describe('Account or contract that administers the pool.'),
    oracle_contract: z.string().describe('Contract of the oracle that the pool uses.'),
    oracle_readable: z
      .boolean()
      .describe('False: the oracle cannot be read from its storage, so its assets have prices of other sources, or none.'),
    backstop_take_rate: z.string().describe('Part of the interest that goes to the backstop, a fraction.'),
    max_positions: z.int().describe('Most assets that one account may have as collateral or debt.'),
    min_collateral: z.string().nullable().describe('Least effective collateral of a borrower, in units of the oracle’s base. Null in v1.'),
    reserves: z.array(ReserveConfig).describe('Sorted by `asset_id`.'),
    backstop: Backstop,
    auctions: z.array(Auction).describe('Open auctions, by account.'),
  })
  .meta({ id: 'LendingPoolMetadata' })

const Emission = z
  .strictObject({
    asset_id: z.string().describe('Contract of the reward token.'),
    symbol: z.string().describe('Symbol of that token; "" if unknown.'),
    tokens_per_second: z.string().describe('Reward tokens per second to all holders together.'),
    apy: z.string().nullable().describe('For a holder without a boost, a fraction per year. Null without prices.'),
    ends_at: Timestamp,
    sources: z.array(z.string()).describe('Contracts that pay it: the pool, gauges.'),
  })
  .meta({ id: 'PoolEmission' })

const Tick = z
  .strictObject({
    tick: z.int().describe('Index of the tick: its price is 1.0001 to this power.'),
    liquidity_gross: z.string().describe('Liquidity of all ranges that begin or end here, raw.'),
    liquidity_net: z.string().describe('Change of the pool’s liquidity when the price rises over the tick, raw and signed.'),
  })
  .meta({ id: 'PoolTick' })

export const AmmMetadata = z
  .strictObject({
    fee: z.string().describe('Fraction of a swap’s input.'),
    fee_apr: z.string().describe('`fee_apy` without compounding.'),
    share_asset: z.string().describe('LP token: a token contract, or the pool itself.'),
    share_supply: z.string().describe('All shares, in whole units. Concentrated: liquidity of all ranges.'),
    emissions: z.array(Emission).describe('One for each reward token that is paid now.'),
    amplification: z.string().nullable().describe('A · n^(n−1) at the answer’s ledger. Null unless the pool is `stable`.'),
    concentrated: z
      .strictObject({
        sqrt_price_x96: z.string().describe('√(token 1 / token 0) of raw amounts, Q64.96.'),
        tick: z.int().describe('Tick of the price: it decides what is in range.'),
        tick_spacing: z.int().describe('Ranges begin and end at multiples of it.'),
        liquidity: z.string().describe('Liquidity in range, raw.'),
        ticks: z.array(Tick).describe('In ascending order: ends of ranges that changed since the index began.'),
      })
      .nullable()
      .describe('Null unless the pool is `concentrated`.'),
  })
  .meta({ id: 'AmmPoolMetadata' })

export const VaultMetadata = z
  .strictObject({
    currency: z.string().describe('Currency of the vaults, such as `USD`.'),
    collateral_asset: z.string().describe('Contract of the collateral token.'),
    stable_asset: z.string().describe('Contract of the stablecoin.'),
    oracle_contract: z.string().describe('Contract of the price feed.'),
    vaults: z.int().describe('Number of open vaults.'),
    minimum_ratio_pct: z.string().describe('Collateral ratio below which a vault can be liquidated, percent.'),
    opening_ratio_pct: z.string().describe('Least collateral ratio of a new debt, percent.'),
    minimum_debt: z.string().describe('Least debt of a vault, in units of the stablecoin.'),
    rate: z.string().nullable().describe('Units of the currency for one unit of collateral. Null while the feed has none.'),
    fee_pct: z.string().describe('Fee of opening and of full repayment, percent of the collateral.'),
  })
  .meta({ id: 'VaultPoolMetadata' })

export const StakingMetadata = z
  .strictObject({
    stakes: z
      .array(
        z.strictObject({
          asset_id: z.string().describe('Contract of the staked token.'),
          active: z.boolean().describe('Whether new stakes are accepted.'),
          lock_seconds: z.int().describe('How long a stake stays locked.'),
        }),
      )
      .describe('Tokens that the contract locks, sorted by `asset_id`.'),
  })
  .meta({ id: 'StakingPoolMetadata' })

export const PoolMetadata = z
  .union([LendingMetadata, AmmMetadata, VaultMetadata, StakingMetadata])
  .describe('By `type`: lending; constant_product, stable, concentrated and unknown; vault; staking.')
export type PoolMetadata = z.input<typeof PoolMetadata>
