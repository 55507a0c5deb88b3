// A position in one lending pool: one balance for each asset and side, and the account's part of the backstop.

import type { BackstopPosition, LendingPosition, OwedBalance, SuppliedBalance } from '@orrery/blend'
import type { DecimalText } from '@orrery/protocol-kit'
import { z } from 'zod'
import { DECIMALS, difference, sumOfPriced, wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'
import { CostBasis, presentCostBasis } from './cost-basis.ts'
import { PRICE } from './item-metadata.ts'
import { poolYieldWithRewards } from './lending-entry.ts'
import { backstopRewards, balanceRewards } from './lending-rewards.ts'
import { LIQUIDATION_PRICE } from './liquidation-price.ts'
import { NET_APY_WITH_REWARDS } from './pool-entry.ts'
import { presentPrice, presentThreshold } from './price.ts'
import { presentQueued, Queued } from './queued-shares.ts'
import { ReadMetadata, withReadLedger } from './read-ledger.ts'
import { ReadLedger } from './read-ledger-member.ts'
import { CLAIMABLE, Reward } from './reward.ts'

const balanceMetadata = {
  raw_amount: z.string().describe('`units` as an integer, in the smallest unit.'),
  share_amount: z.string().describe('Amount of bTokens or dTokens.'),
  ...PRICE,
  price_source: PRICE.price_source.describe(
    'Where the price comes from: `oracle:<contract id>`, `pool:<contract id>`, or `request` for one of the parameter `prices`. Null without a price.',
  ),
  liquidation_price: z.string().nullable().describe(LIQUIDATION_PRICE),
  claimable: z.array(Reward).describe(CLAIMABLE),
  as_of_ledger: ReadLedger,
}

const SupplyMetadata = z
  .strictObject({
    side: z.literal('supply').describe('Supply and collateral together.'),
    ...balanceMetadata,
    collateral_units: z.string().describe('The part of `units` that is collateral.'),
    collateral_share_amount: z.string().describe('The part of `share_amount` that is collateral.'),
    collateral_usd: z.string().nullable().describe('USD value of the collateral. Null without a price.'),
    c_factor: z.string().describe('Collateral factor, a fraction.'),
  })
  .meta({ id: 'SupplyMetadata' })

const DebtMetadata = z.strictObject({ side: z.literal('borrow').describe('A debt.'), ...balanceMetadata }).meta({ id: 'DebtMetadata' })

const Balance = z
  .strictObject({
    asset_address: z.string().describe('Contract of the token.'),
    base_apr: z.string().describe('Yearly interest without compounding, a fraction.'),
    base_apy: z.string().describe('Yearly interest with compounding, a fraction: weekly for supply, daily for debt.'),
    emission_apy: z
      .string()
      .describe('Yearly BLND emissions as a fraction of the balance. "0" also without a price; `meta.partial_result` is then true.'),
    symbol: z.string().describe('Symbol of the token; "" if unknown.'),
    units: z.string().describe('Amount supplied or owed, interest up to the ledger of the answer included. Not negative.'),
    usd_value: z.string().nullable().describe('USD value of `units`. Null without a price.'),
    decimals: z.int().nullable().describe(DECIMALS),
    cost_basis: CostBasis.nullable().describe('Average cost of the balance. Null if none was computed.'),
    metadata: z.discriminatedUnion('side', [SupplyMetadata, DebtMetadata]).describe('Members of supply or of debt; `side` names it.'),
  })
  .meta({ id: 'LendingBalance' })

const BackstopShare = z
  .strictObject({
    shares: z.string().describe('Backstop shares that are not queued for withdrawal.'),
    lp_tokens: z.string().describe('LP tokens that `shares` are worth.'),
    usd_value: z.string().nullable().describe('USD value of all shares, queued ones included. Null without a price.'),
    apr: z
      .string()
      .describe(
        'Yearly interest that the pool pays to its backstop, a fraction without compounding. "0" also without a price; `meta.partial_result` is then true.',
      ),
    queued: z.array(Queued).describe('Shares queued for withdrawal, the oldest first.'),
    claimable: z.array(Reward).describe(CLAIMABLE),
    metadata: ReadMetadata,
  })
  .meta({ id: 'BackstopShare' })

export const LendingPoolPosition = z
  .strictObject({
    pool_contract: z.string().describe('Contract of the pool.'),
    pool_id: z.string().describe('The same as `pool_contract`.'),
    pool_name: z.string().describe('Name of the pool; "" if unknown.'),
    net_usd: z.string().describe('USD value of supply minus debt, without the backstop. Assets without a price are left out.'),
    net_apy: z
      .string()
      .describe(
        'Yearly interest on the net value, a fraction: (supplied · APY - borrowed · APY) / net value, without emissions. "0" if the net value is not above 0. Blend’s own page divides by the supplied value instead.',
      ),
    net_apy_with_rewards: z.string().describe(NET_APY_WITH_REWARDS),
    health_factor: z
      .string()
      .nullable()
      .describe(
        "Effective collateral / effective debt at the prices of the pool's oracle. Liquidation is possible below 1. Null without debt, and if an asset of the position has no price. If Orrery cannot read the pool's oracle (`oracle_readable` is false in its reserves), an estimate from the prices of other oracles.",
      ),
    borrow_limit_pct: z
      .string()
      .nullable()
      .describe(
        'Used part of the borrowing capacity in percent: 100 / health factor. "0" without debt, null with debt and no collateral value.',
      ),
    backstop: BackstopShare.nullable().describe('The account’s part of the pool’s backstop. Null if it has none.'),
    supply: z
      .array(Balance)
      .describe(
        'Supply and collateral together, one for each asset. A balance that was withdrawn stays with zero units while BLND can be claimed.',
      ),
    borrow: z.array(Balance).describe('Debts, one for each asset.'),
  })
  .meta({ id: 'LendingPoolPosition' })

/** The answer for a pool in which the account has no position. */
export function emptyPoolPosition(pool: string, name: string): z.input<typeof LendingPoolPosition> {
  return {
    pool_contract: pool,
    pool_id: pool,
    pool_name: name,
    net_usd: '0',
    net_apy: '0',
    net_apy_with_rewards: '0',
    health_factor: null,
    borrow_limit_pct: '0',
    backstop: null,
    supply: [],
    borrow: [],
  }
}

export function presentLendingPosition(position: LendingPosition, asOfLedger: number): z.input<typeof LendingPoolPosition> {
  return {
    pool_contract: position.pool,
    pool_id: position.pool,
    pool_name: position.poolName,
    net_usd: pricedNet(position),
    net_apy: position.netApy ?? '0',
    net_apy_with_rewards: poolYieldWithRewards(position),
    health_factor: position.healthFactor,
    borrow_limit_pct: position.borrowLimitPct,
    backstop: position.backstop === null ? null : presentBackstop(position.backstop),
    supply: byAddress(position.supply, ({ asset }) => asset.asset).map((balance) => presentSupplied(balance, position, asOfLedger)),
    borrow: byAddress(position.borrow, ({ asset }) => asset.asset).map((balance) => presentOwed(balance, position, asOfLedger)),
  }
}

/** Adds the ledger of the RPC response to each balance and to the backstop. `readAt` is called once for each of them. */
export function poolWithReadLedger(
  shown: z.input<typeof LendingPoolPosition>,
  readAt: () => number | null,
): z.input<typeof LendingPoolPosition> {
  const { backstop, supply, borrow } = shown
  return {
    ...shown,
    backstop: backstop === null ? null : withReadLedger(backstop, readAt()),
    supply: supply.map((balance) => withReadLedger(balance, readAt())),
    borrow: borrow.map((balance) => withReadLedger(balance, readAt())),
  }
}

/** Supplied minus borrowed, over the balances that have a price. */
function pricedNet({ supply, borrow }: LendingPosition): DecimalText {
  return difference(sumOfPriced(supply.map((it) => it.usdValue)).sum, sumOfPriced(borrow.map((it) => it.usdValue)).sum)
}

/** Whether everything that belongs in the position's totals and rates is known. */
export function isComplete(position: LendingPosition): boolean {
  const yields = [...position.supply, ...position.borrow].filter(({ shares }) => shares > 0n).map((balance) => balance.emissionApy)
  const { backstop } = position
  return position.unpricedAssets === 0 && !yields.includes(null) && (backstop === null || backstop.apr !== null)
}

/** The cost basis of everything supplied of the asset, or of the debt. */
export function costBasisOf(
  { side, costBasis, usdValue, asset }: SuppliedBalance | OwedBalance,
  asOfLedger: number,
): z.input<typeof CostBasis> | null {
  return presentCostBasis(costBasis, usdValue, asset.decimals, asOfLedger, side === 'borrow')
}

type Presented = z.input<typeof Balance>

function presentBalance(balance: SuppliedBalance | OwedBalance, asOfLedger: number): Omit<Presented, 'metadata'> {
  const { asset, amount, usdValue } = balance
  return {
    asset_address: asset.asset,
    base_apr: balance.baseApr,
    base_apy: balance.baseApy,
    emission_apy: balance.emissionApy ?? '0',
    symbol: asset.symbol,
    units: wholeUnits(amount, asset.decimals),
    usd_value: usdValue,
    decimals: asset.decimals,
    cost_basis: costBasisOf(balance, asOfLedger),
  }
}

function metadataOf(balance: SuppliedBalance | OwedBalance, position: LendingPosition) {
  const { asset, amount, shares } = balance
  return {
    raw_amount: amount.toString(),
    share_amount: wholeUnits(shares, asset.decimals),
    ...presentPrice(balance.price),
    liquidation_price: presentThreshold(balance.liquidationPrice),
    claimable: balanceRewards(position, balance),
  }
}

function presentSupplied(balance: SuppliedBalance, position: LendingPosition, asOfLedger: number): Presented {
  const { collateral, asset } = balance
  return {
    ...presentBalance(balance, asOfLedger),
    metadata: {
      side: 'supply',
      ...metadataOf(balance, position),
      collateral_units: wholeUnits(collateral.amount, asset.decimals),
      collateral_share_amount: wholeUnits(collateral.shares, asset.decimals),
      collateral_usd: collateral.usdValue,
      c_factor: balance.cFactor,
    },
  }
}

function presentOwed(balance: OwedBalance, position: LendingPosition, asOfLedger: number): Presented {
  return { ...presentBalance(balance, asOfLedger), metadata: { side: 'borrow', ...metadataOf(balance, position) } }
}

function presentBackstop(backstop: BackstopPosition): z.input<typeof BackstopShare> {
  const { lpToken } = backstop
  return {
    shares: wholeUnits(backstop.shares, lpToken.decimals),
    lp_tokens: wholeUnits(backstop.lpTokens, lpToken.decimals),
    usd_value: backstop.totalUsd,
    apr: backstop.apr ?? '0',
    queued: presentQueued(backstop),
    claimable: backstopRewards(backstop),
  }
}
