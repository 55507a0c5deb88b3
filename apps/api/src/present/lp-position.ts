// A position in a liquidity pool, as the page of its protocol and as the portfolio show it. Both from the same numbers.

import type { DecimalText, LpClaimable, LpPosition, LpRange, TokenAmount } from '@orrery/protocol-kit'
import { z } from 'zod'
import { sumOfPriced, wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'
import { Claimable, presentClaimable } from './claimable.ts'
import { CostBasis, presentCostBasis } from './cost-basis.ts'
import type { PositionItem } from './position-item.ts'
import { presentPrice } from './price.ts'
import { ReadLedger } from './read-ledger.ts'
import { presentToken, TokenEntry } from './token-amount.ts'

export const PairPosition = z.strictObject({
  pair_address: z.string(),
  pool_share_pct: z.string(),
  net_usd: z.string().describe('Sum of the tokens that have a price.'),
  fee_apy: z.string(),
  cost_basis: CostBasis.nullable(),
  tokens: z.array(TokenEntry).describe('What the shares would pay out now, exactly as the contract rounds.'),
  metadata: z
    .strictObject({ share_amount: z.string(), raw_amount: z.string(), fee_apr: z.string(), as_of_ledger: ReadLedger })
    .describe('An addition: the shares, whole and raw, and the simple fee rate.'),
})

const PoolClaimable = Claimable.extend({
  source: z.enum(['pool', 'gauge']),
  contract: z.string(),
  blocked: z.enum(['paused', 'underfunded']).nullable().describe('Why a claim is refused now; what is owed stays owed.'),
  exact: z.boolean(),
}).meta({ id: 'PoolClaimable' })

const Range = z
  .strictObject({
    tick_lower: z.int(),
    tick_upper: z.int(),
    liquidity: z.string(),
    in_range: z.boolean(),
    principal: z.array(TokenEntry).describe('What removing all of it pays without fees.'),
    fees: z.array(TokenEntry).describe('Owed to it and paid on top.'),
    exact: z.boolean().describe('False where the index began after it was last touched: its fees are those of that touch.'),
    cost_basis: CostBasis.nullable(),
  })
  .meta({ id: 'LiquidityRange' })

/** A position in a pool, whatever its kind. */
export const PoolPosition = z.strictObject({
  pool_address: z.string(),
  pool_type: z.string().describe('constant_product, stable, concentrated, or unknown: a pool type whose shares Orrery cannot value.'),
  pool_share_pct: z.string(),
  net_usd: z.string().describe('Sum of the tokens that have a price.'),
  fee_apy: z.string(),
  emission_apy: z.string().describe('Rewards at their present rate. "0" also where they have no price, and the answer is partial then.'),
  cost_basis: CostBasis.nullable(),
  tokens: z.array(TokenEntry).describe('What the shares would pay out now, exactly as the contract rounds.'),
  metadata: z
    .strictObject({
      share_asset: z.string(),
      share_amount: z.string(),
      raw_amount: z.string(),
      fee_apr: z.string(),
      claimable: z.array(PoolClaimable).describe('Rewards that a claim would pay at this ledger.'),
      ranges: z.array(Range).describe('Of concentrated pools.'),
      as_of_ledger: ReadLedger,
    })
    .describe('An addition.'),
})

/** Value of what has a price, and whether that is everything. What shares pay is not known of every kind of pool. */
export function lpValue(position: LpPosition): { readonly usd: DecimalText; readonly complete: boolean } {
  const { sum, complete } = sumOfPriced(position.tokens.map((token) => token.usdValue))
  return { usd: sum, complete: complete && (position.tokens.length > 0 || position.shares === 0n) }
}

/** Whether everything that belongs in the position's totals and rates is known. */
export function isLpComplete(position: LpPosition): boolean {
  return lpValue(position).complete && position.exact && position.emissionApy !== null
}

export function presentPairPosition(position: LpPosition, asOfLedger: number): z.input<typeof PairPosition> {
  return {
    pair_address: position.pool,
    pool_share_pct: position.poolSharePct,
    net_usd: lpValue(position).usd,
    fee_apy: position.feeApy,
    cost_basis: costBasisOf(position, asOfLedger),
    tokens: byAddress(position.tokens, assetOf).map(presentToken),
    metadata: {
      share_amount: wholeUnits(position.shares, position.shareDecimals),
      raw_amount: position.shares.toString(),
      fee_apr: position.feeApr,
    },
  }
}

export function presentPoolPosition(position: LpPosition, asOfLedger: number): z.input<typeof PoolPosition> {
  const { pair_address, metadata, ...shared } = presentPairPosition(position, asOfLedger)
  return {
    pool_address: pair_address,
    pool_type: position.poolType,
    ...shared,
    emission_apy: position.emissionApy ?? '0',
    metadata: {
      share_asset: position.shareAsset,
      ...metadata,
      claimable: byAddress(position.claimable, assetOf).map(presentPoolClaimable),
      ranges: position.ranges.map((range) => presentRange(range, asOfLedger)),
    },
  }
}

function assetOf({ asset }: TokenAmount): string {
  return asset.asset
}

function presentPoolClaimable(claimable: LpClaimable): z.input<typeof PoolClaimable> {
  const { source, contract, blocked, exact } = claimable
  return { ...presentClaimable(claimable), source, contract, blocked, exact }
}

function presentRange(range: LpRange, asOfLedger: number): z.input<typeof Range> {
  const { sum, complete } = sumOfPriced([...range.principal, ...range.fees].map((token) => token.usdValue))
  return {
    tick_lower: range.tickLower,
    tick_upper: range.tickUpper,
    // Liquidity is a number of its own: it has no decimals.
    liquidity: range.liquidity.toString(),
    in_range: range.inRange,
    principal: byAddress(range.principal, assetOf).map(presentToken),
    fees: byAddress(range.fees, assetOf).map(presentToken),
    exact: range.exact,
    cost_basis: presentCostBasis(range.costBasis, complete ? sum : null, 0, asOfLedger),
  }
}

/** The portfolio's item: the LP token, and in `metadata.tokens` what it stands for, each with the price that valued it. */
export function presentLpItem(position: LpPosition, asOfLedger: number): z.input<typeof PositionItem> {
  const shares = wholeUnits(position.shares, position.shareDecimals)
  const priced = position.tokens.some((token) => token.usdValue !== null)
  const { claimable, ranges } = position
  return {
    apr: position.feeApr,
    apy: position.feeApy,
    asset_amount: shares,
    asset_id: position.shareAsset,
    contract: position.pool,
    liquidation_price: null,
    metadata: {
      raw_amount: position.shares.toString(),
      pool_share_pct: position.poolSharePct,
      pool_type: position.poolType,
      tokens: byAddress(position.tokens, assetOf).map((token) => ({
        ...presentToken(token),
        raw_amount: token.amount.toString(),
        ...presentPrice(token.price),
      })),
      emission_apy: position.emissionApy,
      ...(claimable.length === 0 ? {} : { claimable: byAddress(claimable, assetOf).map(presentPoolClaimable) }),
      ...(ranges.length === 0 ? {} : { ranges: ranges.map((range) => presentRange(range, asOfLedger)) }),
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
