// A position in a liquidity pool, as the page of its protocol and as the portfolio show it. Both from the same numbers.

import type { DecimalText, LpPosition } from '@orrery/protocol-kit'
import { z } from 'zod'
import { sumOfPriced, wholeUnits } from './amount.ts'
import { CostBasis, presentCostBasis } from './cost-basis.ts'
import type { PositionItem } from './position-item.ts'
import { presentPrice } from './price.ts'
import { inAddressOrder, presentToken, TokenEntry } from './token-amount.ts'

export const PairPosition = z
  .strictObject({
    pair_address: z.string(),
    pool_share_pct: z.string(),
    net_usd: z.string().describe('Sum of the tokens that have a price.'),
    fee_apy: z.string(),
    cost_basis: CostBasis.nullable(),
    tokens: z.array(TokenEntry).describe('What the shares would pay out now, exactly as the contract rounds.'),
    metadata: z
      .strictObject({ share_amount: z.string(), raw_amount: z.string(), fee_apr: z.string() })
      .describe('An addition: the shares, whole and raw, and the simple fee rate.'),
  })
  .meta({ id: 'SoroswapPair' })

/** Value of what has a price, and whether that is everything. */
export function lpValue(position: LpPosition): { readonly usd: DecimalText; readonly complete: boolean } {
  const { sum, complete } = sumOfPriced(position.tokens.map((token) => token.usdValue))
  return { usd: sum, complete }
}

export function presentPairPosition(position: LpPosition, asOfLedger: number): z.input<typeof PairPosition> {
  return {
    pair_address: position.pool,
    pool_share_pct: position.poolSharePct,
    net_usd: lpValue(position).usd,
    fee_apy: position.feeApy,
    cost_basis: costBasisOf(position, asOfLedger),
    tokens: inAddressOrder(position.tokens).map(presentToken),
    metadata: {
      share_amount: wholeUnits(position.shares, position.shareDecimals),
      raw_amount: position.shares.toString(),
      fee_apr: position.feeApr,
    },
  }
}

/** The portfolio's item: the LP token, and in `metadata.tokens` what it stands for, each with the price that valued it. */
export function presentLpItem(position: LpPosition, asOfLedger: number): z.input<typeof PositionItem> {
  const shares = wholeUnits(position.shares, position.shareDecimals)
  const priced = position.tokens.some((token) => token.usdValue !== null)
  return {
    apr: position.feeApr,
    apy: position.feeApy,
    asset_amount: shares,
    asset_id: position.pool,
    contract: position.pool,
    liquidation_price: null,
    metadata: {
      raw_amount: position.shares.toString(),
      pool_share_pct: position.poolSharePct,
      tokens: inAddressOrder(position.tokens).map((token) => ({
        ...presentToken(token),
        raw_amount: token.amount.toString(),
        ...presentPrice(token.price),
      })),
      cost_basis: costBasisOf(position, asOfLedger),
    },
    share_amount: shares,
    share_type: 'lp_share',
    usd_value: priced ? lpValue(position).usd : null,
  }
}

function costBasisOf(position: LpPosition, asOfLedger: number): z.input<typeof CostBasis> | null {
  const value = lpValue(position)
  return presentCostBasis(position.costBasis, value.complete ? value.usd : null, position.shareDecimals, asOfLedger)
}
