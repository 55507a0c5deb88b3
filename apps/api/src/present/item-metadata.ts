// `metadata` of an item of the portfolio: the members that only one kind of position has.

import { z } from 'zod'
import { CostBasis } from './cost-basis.ts'
import { LiquidityRange } from './liquidity-range.ts'
import { Queued } from './queued-shares.ts'
import { ReadLedger } from './read-ledger-member.ts'
import { CLAIMABLE, Reward } from './reward.ts'
import { Timestamp } from './timestamp.ts'
import { TokenEntry } from './token-amount.ts'
import { VsHold } from './vs-hold.ts'

export const PRICE = {
  price_usd: z.string().nullable().describe('USD price of one token, at most 8 fractional digits. Null without a price.'),
  price_source: z
    .string()
    .nullable()
    .describe('Where the price comes from: `oracle:<contract id>` or `pool:<contract id>`. Null without a price.'),
}

const raw_amount = z.string().describe('`asset_amount` as an integer, in the smallest unit.')
const pool_name = z.string().describe('Name of the pool; "" if unknown.')
const claimable = z.array(Reward).describe(CLAIMABLE)
const cost_basis = CostBasis.nullable().describe('Average cost of the item. Null if none was computed.')
const common = { raw_amount, cost_basis, as_of_ledger: ReadLedger }

const Lending = z
  .strictObject({
    kind: z.literal('lending').describe('Supply, collateral or debt in a lending pool.'),
    ...common,
    ...PRICE,
    pool_name,
    claimable: claimable.describe(`${CLAIMABLE} If an asset is both supply and collateral, they are given once, at the collateral.`),
  })
  .meta({ id: 'LendingItemMetadata' })

const Backstop = z
  .strictObject({
    kind: z.literal('backstop').describe('Shares of the backstop of a lending pool.'),
    ...common,
    ...PRICE,
    pool_name,
    backstop_contract: z.string().describe('Contract of the backstop.'),
    queued: z.array(Queued).describe('Shares queued for withdrawal, the oldest first. They are part of the item.'),
    claimable,
  })
  .meta({ id: 'BackstopItemMetadata' })

const Liquidity = z
  .strictObject({
    kind: z.literal('liquidity').describe('Shares of a liquidity pool.'),
    ...common,
    pool_share_pct: z.string().describe('Shares of the account in percent of all shares of the pool.'),
    pool_type: z
      .enum(['constant_product', 'stable', 'concentrated', 'unknown'])
      .describe('How the pool prices a swap. `unknown`: a type whose shares Orrery cannot value.'),
    pool_fee_apy: z.string().describe('Yearly trading fees of the whole pool as a fraction of its value, with compounding.'),
    tokens: z
      .array(
        TokenEntry.extend({ raw_amount: z.string().describe('`units` as an integer, in the smallest unit.'), ...PRICE }).meta({
          id: 'PricedTokenEntry',
        }),
      )
      .describe('What the shares would pay out, sorted by address.'),
    claimable,
    ranges: z.array(LiquidityRange).describe('Ranges of a concentrated pool; empty for other types.'),
    vs_hold: VsHold.describe('The position against its deposited tokens if they had been held instead.'),
  })
  .meta({ id: 'LiquidityItemMetadata' })

const Vault = z
  .strictObject({
    kind: z.literal('vault').describe('Collateral or debt of a vault.'),
    ...common,
    ...PRICE,
    currency: z.string().describe('Currency of the vault, such as `USD`.'),
    collateral_ratio_pct: z
      .string()
      .nullable()
      .describe('Collateral value in percent of the debt. Null without debt, and without a rate of the price feed of the contract.'),
    minimum_ratio_pct: z.string().describe('Collateral ratio in percent below which the vault can be liquidated.'),
    health_factor: z.string().nullable().describe('Collateral ratio / minimum ratio. Null if the collateral ratio is null.'),
  })
  .meta({ id: 'VaultItemMetadata' })

const Stake = z
  .strictObject({
    kind: z.literal('stake').describe('A locked stake.'),
    ...common,
    ...PRICE,
    unlocks_at: Timestamp.describe('Time from which the stake can be withdrawn: RFC 3339, UTC.'),
    claimable,
  })
  .meta({ id: 'StakeItemMetadata' })

export const ItemMetadata = z.discriminatedUnion('kind', [Lending, Backstop, Liquidity, Vault, Stake])
