// A position in a liquidity pool: as the endpoint of its protocol shows it, and as the portfolio does. Both use the same numbers.

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

const POOL_SHARE = 'Shares of the account in percent of all shares of the pool.'
const NET_USD = 'USD value of `tokens`. Tokens without a price are left out.'
const FEE_APY = 'Yearly trading fees as a fraction of the value, with compounding.'
const FEE_APR = 'Yearly trading fees as a fraction of the value, without compounding.'
const COST_BASIS = 'Average cost of the shares. Null if none was computed.'
const TOKENS =
  'Amounts that a withdrawal of all shares would pay at this ledger, rounded as the contract rounds. Sorted by `asset_address`.'
const SHARE_AMOUNT = 'Amount of shares.'
const RAW_SHARES = 'Amount of shares as an integer, in the smallest unit.'

export const PairPosition = z.strictObject({
  pair_address: z.string().describe('Contract of the pair.'),
  pool_share_pct: z.string().describe(POOL_SHARE),
  net_usd: z.string().describe(NET_USD),
  fee_apy: z.string().describe(FEE_APY),
  cost_basis: CostBasis.nullable().describe(COST_BASIS),
  tokens: z.array(TokenEntry).describe(TOKENS),
  metadata: z
    .strictObject({
      share_amount: z.string().describe(SHARE_AMOUNT),
      raw_amount: z.string().describe(RAW_SHARES),
      fee_apr: z.string().describe(FEE_APR),
      as_of_ledger: ReadLedger,
    })
    .describe('Additional members.'),
})

const PoolClaimable = Claimable.extend({
  source: z.enum(['pool', 'gauge']).describe('What pays the reward: the pool itself, or a gauge beside it.'),
  contract: z.string().describe('Contract that pays the reward.'),
  blocked: z
    .enum(['paused', 'underfunded'])
    .nullable()
    .describe(
      'Why the contract would refuse a claim at this ledger: claims are paused, or it holds too few tokens. The reward stays owed. Null if a claim would succeed.',
    ),
  exact: z.boolean().describe('False if `amount` is an estimate.'),
}).meta({ id: 'PoolClaimable' })

const Range = z
  .strictObject({
    tick_lower: z.int().describe('Lower tick of the range.'),
    tick_upper: z.int().describe('Upper tick of the range.'),
    liquidity: z.string().describe('Liquidity of the range: an integer without decimals.'),
    in_range: z.boolean().describe('True if the current tick of the pool is inside the range.'),
    principal: z.array(TokenEntry).describe('Amounts that removing all liquidity would pay, without fees.'),
    fees: z.array(TokenEntry).describe('Fees owed to the range, paid in addition to `principal`.'),
    exact: z
      .boolean()
      .describe('False if the range last changed before the first indexed ledger: `fees` are then those of that last change.'),
    cost_basis: CostBasis.nullable().describe('Average cost of the liquidity. Null if none was computed.'),
  })
  .meta({ id: 'LiquidityRange' })

/** A position in a pool, whatever its kind. */
export const PoolPosition = z.strictObject({
  pool_address: z.string().describe('Contract of the pool.'),
  pool_type: z.string().describe('One of: constant_product, stable, concentrated, or unknown: a type whose shares Orrery cannot value.'),
  pool_share_pct: z.string().describe(POOL_SHARE),
  net_usd: z.string().describe(NET_USD),
  fee_apy: z.string().describe(FEE_APY),
  emission_apy: z
    .string()
    .describe(
      'Yearly rewards at the current rate, as a fraction of the value. "0" also without a price; `meta.partial_result` is then true.',
    ),
  cost_basis: CostBasis.nullable().describe(COST_BASIS),
  tokens: z.array(TokenEntry).describe(TOKENS),
  metadata: z
    .strictObject({
      share_asset: z.string().describe('Contract of the share token, or of the pool if it has none.'),
      share_amount: z.string().describe(SHARE_AMOUNT),
      raw_amount: z.string().describe(RAW_SHARES),
      fee_apr: z.string().describe(FEE_APR),
      claimable: z.array(PoolClaimable).describe('Rewards that a claim would pay at this ledger.'),
      ranges: z.array(Range).describe('Ranges of a concentrated pool; empty for other types.'),
      as_of_ledger: ReadLedger,
    })
    .describe('Additional members.'),
})

/** Value of the tokens that have a price, and whether that is everything. The tokens of shares are unknown for some types of pool. */
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
    // Liquidity is not an amount of a token: it has no decimals.
    liquidity: range.liquidity.toString(),
    in_range: range.inRange,
    principal: byAddress(range.principal, assetOf).map(presentToken),
    fees: byAddress(range.fees, assetOf).map(presentToken),
    exact: range.exact,
    cost_basis: presentCostBasis(range.costBasis, complete ? sum : null, 0, asOfLedger),
  }
}

/** The item of the portfolio: the LP token, and in `metadata.tokens` the tokens that it represents, each with its price. */
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
