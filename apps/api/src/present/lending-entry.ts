// Lending positions in the portfolio: an item for each asset and use of it, and an entry over all pools.

import type { LendingPosition, OwedBalance, SuppliedBalance } from '@orrery/blend'
import type { CostBasisFact, DecimalText, ProtocolId } from '@orrery/protocol-kit'
import { difference, wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'
import { presentCostBasis, splitCost } from './cost-basis.ts'
import { backstopRewards, balanceRewards, rewardsOf } from './lending-rewards.ts'
import { poolEntry, weightedApy, yieldWithRewards } from './pool-entry.ts'
import { type ProtocolEntry, protocolEntry } from './portfolio.ts'
import type { PositionItem } from './position-item.ts'
import { presentPrice, presentThreshold } from './price.ts'
import { presentQueued } from './queued-shares.ts'
import type { Reward } from './reward.ts'

/** @param positions Open ones, and those of left pools with rewards to claim. Pools are isolated, so the health factor is that of the weakest. */
export function lendingEntry(protocol: ProtocolId, positions: readonly LendingPosition[], asOfLedger: number): ProtocolEntry {
  const parts = positions.map((position) => ({ position, rewards: rewardsOf(position), ...itemsOf(position, asOfLedger) }))
  return protocolEntry(protocol, {
    positions: {
      backstop: parts.flatMap(({ backstop }) => backstop),
      collateral: parts.flatMap(({ collateral }) => collateral),
      liabilities: parts.flatMap(({ liabilities }) => liabilities),
      lp: [],
      supply: parts.flatMap(({ supply }) => supply),
    },
    pools: parts.map(({ position, rewards, backstop, collateral, liabilities, supply }) =>
      poolEntry(
        {
          pool_id: position.pool,
          contract: position.pool,
          name: position.poolName,
          net_apy: position.netApy ?? '0',
          health_factor: position.healthFactor,
          borrow_limit_pct: position.borrowLimitPct,
          borrow_cap_usd: position.borrowCapUsd ?? '0',
        },
        [...backstop, ...collateral, ...supply],
        liabilities,
        rewards,
      ),
    ),
    rewards: parts.flatMap(({ rewards }) => rewards),
    net_apy: weightedApy(positions.map((position) => ({ usd: position.netUsd ?? '0', apy: position.netApy ?? '0' }))),
  })
}

/** `net_apy_with_rewards` of one pool. */
export function poolYieldWithRewards(position: LendingPosition): DecimalText {
  const { backstop, collateral, liabilities, supply } = itemsOf(position, 0)
  return yieldWithRewards([...backstop, ...collateral, ...supply], liabilities)
}

interface Items {
  readonly backstop: PositionItem[]
  readonly collateral: PositionItem[]
  readonly liabilities: PositionItem[]
  readonly supply: PositionItem[]
}

function itemsOf(position: LendingPosition, asOfLedger: number): Items {
  const supplied = byAddress(position.supply, ({ asset }) => asset.asset).map((balance) => suppliedItems(position, balance, asOfLedger))
  const owed = byAddress(position.borrow, ({ asset }) => asset.asset).filter(({ shares }) => shares > 0n)
  return {
    backstop: backstopItems(position, asOfLedger),
    collateral: supplied.flatMap(({ collateral }) => collateral),
    liabilities: owed.map((balance) => owedItem(position, balance, asOfLedger)),
    supply: supplied.flatMap(({ plain }) => plain),
  }
}

interface ItemOf {
  readonly position: LendingPosition
  readonly balance: SuppliedBalance | OwedBalance
  readonly part: SuppliedBalance['plain']
  readonly costBasis: CostBasisFact | null
  readonly rewards: readonly Reward[]
  readonly asOfLedger: number
}

/** An item of a balance, or of the part of it that is used in one way. */
function itemOf({
  position,
  balance,
  part,
  costBasis,
  rewards,
  asOfLedger,
}: ItemOf): Omit<PositionItem, 'share_type' | 'liquidation_price'> {
  const { asset, side } = balance
  return {
    apr: balance.baseApr,
    apy: balance.baseApy,
    asset_amount: wholeUnits(part.amount, asset.decimals),
    asset_id: asset.asset,
    contract: position.pool,
    emission_apy: balance.emissionApy,
    metadata: {
      kind: 'lending',
      raw_amount: part.amount.toString(),
      pool_name: position.poolName,
      ...presentPrice(balance.price),
      claimable: [...rewards],
      cost_basis: presentCostBasis(costBasis, part.usdValue, asset.decimals, asOfLedger, side === 'borrow'),
    },
    share_amount: wholeUnits(part.shares, asset.decimals),
    usd_value: part.usdValue,
  }
}

/**
 * One balance as collateral and as plain supply. Value, cost and gains are divided by shares, and the plain part is the rest, so that both add up
 * to the balance. Both earn together: what can be claimed is shown once, at the collateral if there is some.
 */
function suppliedItems(
  position: LendingPosition,
  balance: SuppliedBalance,
  asOfLedger: number,
): { readonly collateral: PositionItem[]; readonly plain: PositionItem[] } {
  const { collateral, plain, shares } = balance
  if (shares === 0n) return { collateral: [], plain: [] }
  const [collateralCost, plainCost] = splitCost(balance.costBasis, { part: collateral.shares, whole: shares })
  const rewards = balanceRewards(position, balance)
  const common = { position, balance, asOfLedger }
  const hasCollateral = collateral.shares > 0n
  const asCollateral = itemOf({ ...common, part: collateral, costBasis: collateralCost, rewards })
  const rest = { ...plain, usdValue: restUsd(balance) }
  const asPlain = itemOf({ ...common, part: rest, costBasis: plainCost, rewards: hasCollateral ? [] : rewards })
  return {
    collateral: hasCollateral
      ? [{ ...asCollateral, liquidation_price: presentThreshold(balance.liquidationPrice), share_type: 'b_token_collateral' }]
      : [],
    plain: plain.shares > 0n ? [{ ...asPlain, liquidation_price: null, share_type: 'b_token' }] : [],
  }
}

/** Value of the balance minus the value of its collateral: at most 1e-8 USD more than the plain part alone, rounded down, would have. */
function restUsd({ usdValue, collateral }: SuppliedBalance): DecimalText | null {
  return usdValue === null || collateral.usdValue === null ? null : difference(usdValue, collateral.usdValue)
}

function owedItem(position: LendingPosition, balance: OwedBalance, asOfLedger: number): PositionItem {
  const { costBasis, liquidationPrice } = balance
  const item = itemOf({ position, balance, part: balance, costBasis, rewards: balanceRewards(position, balance), asOfLedger })
  return { ...item, liquidation_price: presentThreshold(liquidationPrice), share_type: 'd_token' }
}

/** One item for everything that the account has in the pool's backstop. Queued shares are included: they have the same value. */
function backstopItems({ pool, poolName, backstop }: LendingPosition, asOfLedger: number): PositionItem[] {
  if (backstop === null || backstop.totalLpTokens === 0n) return []
  const { lpToken, queued } = backstop
  const units = (raw: bigint): DecimalText => wholeUnits(raw, lpToken.decimals)
  return [
    {
      apr: backstop.apr ?? '0',
      // Interest of the backstop stays in the pool until an auction pays it out, so nothing compounds by itself.
      apy: backstop.apr ?? '0',
      asset_amount: units(backstop.totalLpTokens),
      asset_id: lpToken.asset,
      contract: pool,
      emission_apy: backstop.emissionApy,
      liquidation_price: null,
      metadata: {
        kind: 'backstop',
        raw_amount: backstop.totalLpTokens.toString(),
        pool_name: poolName,
        backstop_contract: backstop.backstop,
        ...presentPrice(backstop.lpPrice),
        queued: presentQueued(backstop),
        claimable: backstopRewards(backstop),
        cost_basis: presentCostBasis(backstop.costBasis, backstop.totalUsd, lpToken.decimals, asOfLedger),
      },
      share_amount: units(queued.reduce((sum, { shares }) => sum + shares, backstop.shares)),
      share_type: 'backstop_share',
      usd_value: backstop.totalUsd,
    },
  ]
}
