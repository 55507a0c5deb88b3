// The portfolio: what an account holds in each protocol, in one shape for all of them.

import { Decimal } from '@orrery/pricing'
import type { DecimalText, ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import { difference, rounded, sumOf } from './amount.ts'

export const PositionItem = z
  .strictObject({
    apr: z.string(),
    apy: z.string(),
    asset_amount: z.string(),
    asset_id: z.string().describe('Of liquidity the LP token, or the pool itself where it has none.'),
    contract: z.string().describe('The pool.'),
    liquidation_price: z.string().nullable().describe('Null where no price would liquidate.'),
    metadata: z
      .record(z.string(), z.unknown())
      .describe(
        '`claimable`: what a claim of the rewards on it would pay, of liquidity a list of them; of an asset that is supplied in both ways it stands once, at the collateral. `as_of_ledger` of what was read through from an RPC: the ledger of its answer. Everything else is of `last_indexed_ledger`.',
      ),
    share_amount: z.string(),
    share_type: z.string().describe('b_token, b_token_collateral, d_token, backstop_share, lp_share, vault, or "" without shares.'),
    usd_value: z.string().nullable(),
  })
  .meta({ id: 'PositionItem' })
export type PositionItem = z.input<typeof PositionItem>

const Items = z.array(PositionItem)

export const ProtocolEntry = z
  .strictObject({
    protocol_id: z.string(),
    borrowed_usd: z.string(),
    deposited_usd: z.string().describe('collateral + supply + lp + backstop.'),
    health_factor: z.string().nullable().describe('Null without debt.'),
    net_apy: z.string().describe('Weighted by USD over the net value (of Blend without the backstop); "0" where that is not above 0.'),
    estimates: z.strictObject({ borrow_cap_usd: z.string(), borrow_limit_pct: z.string().nullable() }).describe('"0" outside lending.'),
    positions: z.strictObject({ backstop: Items, collateral: Items, liabilities: Items, lp: Items, supply: Items }),
  })
  .meta({ id: 'ProtocolPositions' })
export type ProtocolEntry = z.input<typeof ProtocolEntry>

export const Portfolio = z.strictObject({
  address: z.string(),
  aggregate_health_factor: z.string().nullable().describe('Smallest over the protocols; null without debt.'),
  aggregate_net_apy: z
    .string()
    .describe('Of the protocols, weighted by deposits minus debts in USD; "0" where these are not above 0 together.'),
  total_value_usd: z.string().describe('Deposits minus debts over all protocols.'),
  protocols: z
    .array(ProtocolEntry)
    .describe(
      'Only protocols with an open position. Rewards of a pool that the account left are told by the page of that pool or protocol.',
    ),
})

/** The entry of a protocol that has nothing but liquidity: no debt, so no health and nothing to estimate. */
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

/** Digits of a rate that is made here; rates of contracts keep theirs. */
const RATE_DIGITS = 8

/** Mean of rates weighted by USD; "0" when the weights do not add up to something. */
export function weightedApy(parts: readonly { readonly usd: DecimalText; readonly apy: DecimalText }[]): DecimalText {
  const total = new Decimal(sumOf(parts.map((part) => part.usd)))
  if (total.lte(0)) return '0'
  const earned = parts.reduce((sum, part) => sum.plus(new Decimal(part.usd).times(part.apy)), new Decimal(0))
  return rounded(earned.div(total).toFixed(), RATE_DIGITS)
}
