// The portfolio: what an account holds in each protocol, in one shape for all of them.

import { Decimal } from '@orrery/pricing'
import type { DecimalText, ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import { difference, rounded, sumOf } from './amount.ts'

export const PositionItem = z
  .strictObject({
    apr: z.string().describe('Yearly interest or fees without compounding, a fraction. Emissions are not included.'),
    apy: z.string().describe('Yearly interest or fees with compounding, a fraction. Emissions are not included.'),
    asset_amount: z.string().describe('Amount of the asset, not negative; of a liability the amount owed.'),
    asset_id: z.string().describe('Contract of the token; of liquidity the LP token, or the pool if it has no token.'),
    contract: z.string().describe('Contract of the pool.'),
    liquidation_price: z
      .string()
      .nullable()
      .describe('USD price of the asset at which the position could be liquidated. Null if no price would cause a liquidation.'),
    metadata: z
      .record(z.string(), z.unknown())
      .describe(
        '`claimable`: rewards that a claim would pay, of liquidity a list. If an asset is both supply and collateral, it is given once, at the collateral. `as_of_ledger` is present only if the item was read from a Stellar RPC: the ledger of the RPC response. All other items are as of `last_indexed_ledger`.',
      ),
    share_amount: z.string().describe('Amount of shares: bTokens, dTokens, backstop or LP shares. "0" if the position has no shares.'),
    share_type: z.string().describe('One of: b_token, b_token_collateral, d_token, backstop_share, lp_share, vault; "" without shares.'),
    usd_value: z.string().nullable().describe('USD value of `asset_amount`, not negative. Null without a price.'),
  })
  .meta({ id: 'PositionItem' })
export type PositionItem = z.input<typeof PositionItem>

const Items = z.array(PositionItem)

export const ProtocolEntry = z
  .strictObject({
    protocol_id: z.string().describe('Protocol id.'),
    borrowed_usd: z.string().describe('USD value of `liabilities`, not negative. Items without a price are left out.'),
    deposited_usd: z.string().describe('USD value of `collateral`, `supply`, `lp` and `backstop`. Items without a price are left out.'),
    health_factor: z
      .string()
      .nullable()
      .describe('Smallest health factor of the pools or vaults; liquidation is possible below 1. Null without debt.'),
    net_apy: z
      .string()
      .describe(
        'Yearly yield on the net value, a fraction, weighted by USD (Blend: without the backstop). "0" if the net value is not above 0.',
      ),
    estimates: z
      .strictObject({
        borrow_cap_usd: z.string().describe('Effective collateral minus effective debt in USD, over all lending pools.'),
        borrow_limit_pct: z
          .string()
          .nullable()
          .describe('Used borrowing capacity of the weakest pool, in percent. Null with debt and no collateral value.'),
      })
      .describe('Both "0" for protocols without lending pools.'),
    positions: z
      .strictObject({ backstop: Items, collateral: Items, liabilities: Items, lp: Items, supply: Items })
      .describe('Open positions by type.'),
  })
  .meta({ id: 'ProtocolPositions' })
export type ProtocolEntry = z.input<typeof ProtocolEntry>

export const Portfolio = z
  .strictObject({
    address: z.string().describe('The account.'),
    aggregate_health_factor: z.string().nullable().describe('Smallest health factor of the protocols. Null without debt.'),
    aggregate_net_apy: z
      .string()
      .describe(
        'Mean of the protocols’ `net_apy`, a fraction, weighted by deposits minus debts in USD. "0" if the sum of the weights is not above 0.',
      ),
    total_value_usd: z.string().describe('USD value of deposits minus debts over all protocols.'),
    protocols: z
      .array(ProtocolEntry)
      .describe(
        'Protocols in which the account has an open position. For unclaimed rewards of a pool that the account has left, use the endpoint of that pool or protocol.',
      ),
  })
  .meta({ id: 'Portfolio' })

/** The entry of a protocol that has liquidity pools only: no debt, so no health factor and no estimates. */
export function liquidityEntry(protocol: ProtocolId, lp: PositionItem[]): ProtocolEntry {
  return {
    protocol_id: protocol,
    borrowed_usd: '0',
    deposited_usd: sumOf(lp.map((item) => item.usd_value ?? '0')),
    health_factor: null,
    net_apy: weightedApy(lp.map((item) => ({ usd: item.usd_value ?? '0', apy: item.apy }))),
    estimates: { borrow_cap_usd: '0', borrow_limit_pct: '0' },
    positions: { backstop: [], collateral: [], liabilities: [], lp, supply: [] },
  }
}

export function portfolioOf(address: string, protocols: readonly ProtocolEntry[]): z.input<typeof Portfolio> {
  const healths = protocols.map((entry) => entry.health_factor).filter((health) => health !== null)
  const net = (entry: ProtocolEntry): DecimalText => difference(entry.deposited_usd, entry.borrowed_usd)
  return {
    address,
    aggregate_health_factor: healths.length === 0 ? null : healths.reduce((a, b) => (new Decimal(a).lte(b) ? a : b)),
    aggregate_net_apy: weightedApy(protocols.map((entry) => ({ usd: net(entry), apy: entry.net_apy }))),
    total_value_usd: sumOf(protocols.map(net)),
    protocols: [...protocols],
  }
}

/** Fractional digits of rates that are computed here; rates of contracts keep their own. */
const RATE_DIGITS = 8

/** Mean of rates weighted by USD; "0" if the sum of the weights is not above 0. */
export function weightedApy(parts: readonly { readonly usd: DecimalText; readonly apy: DecimalText }[]): DecimalText {
  const total = new Decimal(sumOf(parts.map((part) => part.usd)))
  if (total.lte(0)) return '0'
  const earned = parts.reduce((sum, part) => sum.plus(new Decimal(part.usd).times(part.apy)), new Decimal(0))
  return rounded(earned.div(total).toFixed(), RATE_DIGITS)
}
