// A position in a liquidity pool: as the endpoint of its protocol shows it, and as the portfolio does. Both use the same numbers.

import { Decimal } from '@orrery/pricing'
import type { DecimalText, LpPosition, LpRange, ProtocolId, TokenAmount } from '@orrery/protocol-kit'
import { z } from 'zod'
import { rounded, sumOfPriced, wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'
import { CostBasis, presentCostBasis } from './cost-basis.ts'
import { LiquidityRange } from './liquidity-range.ts'
import { poolEntry, weightedApy } from './pool-entry.ts'
import { type ProtocolEntry, protocolEntry } from './portfolio.ts'
import type { PositionItem } from './position-item.ts'
import { presentPrice } from './price.ts'
import { ReadLedger } from './read-ledger-member.ts'
import { CLAIMABLE, presentReward, Reward, sortedRewards } from './reward.ts'
import { presentToken, TokenEntry } from './token-amount.ts'
import { presentVsHold, VsHold } from './vs-hold.ts'

const POOL_SHARE = 'Shares of the account in percent of all shares of the pool.'
const NET_USD = 'USD value of `tokens`. Tokens without a price are left out.'
const FEE_APY =
  'Yearly trading fees as a fraction of the value, with compounding. Of a concentrated position the part of its value that is in range earns them: "0" out of range.'
const FEE_APR = 'The same without compounding.'
const POOL_FEE_APY = 'Yearly trading fees of the whole pool as a fraction of its value, with compounding.'
const COST_BASIS = 'Average cost of the shares. Null if none was computed.'
const VS_HOLD = 'The position against its deposited tokens if they had been held instead.'
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
      vs_hold: VsHold.describe(VS_HOLD),
      as_of_ledger: ReadLedger,
    })
    .describe('Additional members.'),
})

/** A position in a pool, whatever its kind. */
export const PoolPosition = z.strictObject({
  pool_address: z.string().describe('Contract of the pool.'),
  pool_type: z
    .enum(['constant_product', 'stable', 'concentrated', 'unknown'])
    .describe('How the pool prices a swap. `unknown`: a type whose shares Orrery cannot value.'),
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
      claimable: z.array(Reward).describe(CLAIMABLE),
      pool_fee_apy: z.string().describe(POOL_FEE_APY),
      vs_hold: VsHold.describe(VS_HOLD),
      ranges: z.array(LiquidityRange).describe('Ranges of a concentrated pool; empty for other types.'),
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
    fee_apy: feesOf(position).apy,
    cost_basis: costBasisOf(position, asOfLedger),
    tokens: byAddress(position.tokens, assetOf).map(presentToken),
    metadata: {
      share_amount: wholeUnits(position.shares, position.shareDecimals),
      raw_amount: position.shares.toString(),
      fee_apr: feesOf(position).apr,
      vs_hold: vsHoldOf(position),
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
      claimable: lpRewards(position),
      pool_fee_apy: position.feeApy,
      ranges: position.ranges.map((range) => presentRange(range, position.shareDecimals, asOfLedger)),
    },
  }
}

function assetOf({ asset }: TokenAmount): string {
  return asset.asset
}

/** By token. */
export function lpRewards({ claimable }: LpPosition): Reward[] {
  return sortedRewards(
    claimable.flatMap(({ source, contract, blocked, exact, ...token }) =>
      presentReward(token, { source: source === 'pool' ? 'pool_reward' : source, contract, blocked, exact }),
    ),
  )
}

/**
 * Fees that the position earns: those of the pool; of a concentrated position in the ratio of the value in range to its whole value, without
 * prices the whole as soon as one range is in range.
 */
function feesOf({ feeApr, feeApy, poolType, ranges }: LpPosition): { readonly apr: DecimalText; readonly apy: DecimalText } {
  if (poolType !== 'concentrated' || ranges.every(({ inRange }) => inRange)) return { apr: feeApr, apy: feeApy }
  if (!ranges.some(({ inRange }) => inRange)) return { apr: '0', apy: '0' }
  const worthOf = (some: readonly LpRange[]) => sumOfPriced(some.flatMap(({ principal }) => principal.map(({ usdValue }) => usdValue)))
  const whole = worthOf(ranges)
  if (!whole.complete || whole.sum === '0') return { apr: feeApr, apy: feeApy }
  const part = new Decimal(worthOf(ranges.filter(({ inRange }) => inRange)).sum).div(whole.sum)
  const scaled = (rate: DecimalText) => rounded(new Decimal(rate).times(part).toFixed())
  return { apr: scaled(feeApr), apy: scaled(feeApy) }
}

function presentRange(range: LpRange, shareDecimals: number, asOfLedger: number): z.input<typeof LiquidityRange> {
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
    cost_basis: presentCostBasis(range.costBasis, complete ? sum : null, shareDecimals, asOfLedger),
  }
}

/** The item of the portfolio: the LP token, and in `metadata.tokens` the tokens that it represents, each with its price. */
export function presentLpItem(position: LpPosition, asOfLedger: number): z.input<typeof PositionItem> {
  const shares = wholeUnits(position.shares, position.shareDecimals)
  const priced = position.tokens.some((token) => token.usdValue !== null)
  const { ranges } = position
  const fees = feesOf(position)
  return {
    apr: fees.apr,
    apy: fees.apy,
    asset_amount: shares,
    asset_id: position.shareAsset,
    contract: position.pool,
    emission_apy: position.emissionApy,
    liquidation_price: null,
    metadata: {
      kind: 'liquidity',
      raw_amount: position.shares.toString(),
      pool_share_pct: position.poolSharePct,
      pool_type: position.poolType,
      tokens: byAddress(position.tokens, assetOf).map((token) => ({
        ...presentToken(token),
        raw_amount: token.amount.toString(),
        ...presentPrice(token.price),
      })),
      pool_fee_apy: position.feeApy,
      claimable: lpRewards(position),
      ranges: ranges.map((range) => presentRange(range, position.shareDecimals, asOfLedger)),
      cost_basis: costBasisOf(position, asOfLedger),
      vs_hold: vsHoldOf(position),
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

function vsHoldOf(position: LpPosition): z.input<typeof VsHold> {
  const value = lpValue(position)
  return presentVsHold(position.holdUsd, value.complete ? value.usd : null)
}

/** Of an AMM: no debt, so no health factor and no estimates. @param positions Open ones, and those of left pools with rewards to claim. */
export function liquidityEntry(protocol: ProtocolId, positions: readonly LpPosition[], asOfLedger: number): ProtocolEntry {
  const parts = positions.map((position) => ({
    position,
    rewards: lpRewards(position),
    items: position.shares === 0n ? [] : [presentLpItem(position, asOfLedger)],
  }))
  const lp = parts.flatMap(({ items }) => items)
  const netApy = (items: readonly PositionItem[]) => weightedApy(items.map((item) => ({ usd: item.usd_value ?? '0', apy: item.apy })))
  return protocolEntry(protocol, {
    positions: { backstop: [], collateral: [], liabilities: [], lp, supply: [] },
    pools: parts.map(({ position, items, rewards }) => {
      const { pool, poolName } = position
      const risk = { net_apy: netApy(items), health_factor: null, borrow_limit_pct: '0', borrow_cap_usd: '0' }
      return poolEntry({ pool_id: pool, contract: pool, name: poolName, ...risk }, items, [], rewards)
    }),
    rewards: parts.flatMap(({ rewards }) => rewards),
    net_apy: netApy(lp),
  })
}
