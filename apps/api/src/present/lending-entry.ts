// Lending positions in the portfolio: an item for each asset and use of it, and an entry over all pools.

import type { LendingPosition, OwedBalance, SuppliedBalance } from '@orrery/blend'
import { Decimal, usd as usdOf } from '@orrery/pricing'
import type { DecimalText, ProtocolId } from '@orrery/protocol-kit'
import { difference, sumOf, sumOfPriced, wholeUnits } from './amount.ts'
import { byAddress } from './by-address.ts'
import { presentClaimable } from './claimable.ts'
import { presentCostBasis } from './cost-basis.ts'
import { costBasisOf, presentQueued } from './lending-position.ts'
import { type PositionItem, type ProtocolEntry, weightedApy } from './position-item.ts'
import { presentPrice, presentThreshold } from './price.ts'

/** Pools are isolated, so the health factor is that of the weakest pool. */
export function lendingEntry(protocol: ProtocolId, open: readonly LendingPosition[], asOfLedger: number): ProtocolEntry {
  const supplied = open.flatMap((position) => inOrder(position.supply).map((balance) => ({ position, balance })))
  const supply = supplied.filter(({ balance }) => balance.plain.shares > 0n).map((it) => plainItem(it.position, it.balance, asOfLedger))
  const collateral = supplied
    .filter(({ balance }) => balance.collateral.shares > 0n)
    .map((it) => collateralItem(it.position, it.balance, asOfLedger))
  const liabilities = open.flatMap((position) =>
    inOrder(position.borrow)
      .filter(({ shares }) => shares > 0n)
      .map((balance) => owedItem(position, balance, asOfLedger)),
  )
  const backstop = open.flatMap((position) => backstopItems(position, asOfLedger))
  const usd = (items: readonly PositionItem[]): DecimalText => sumOfPriced(items.map((item) => item.usd_value)).sum
  return {
    protocol_id: protocol,
    borrowed_usd: usd(liabilities),
    deposited_usd: sumOf([usd(collateral), usd(supply), usd(backstop)]),
    health_factor: smallest(open.flatMap((position) => position.healthFactor ?? [])),
    net_apy: weightedApy(open.map((position) => ({ usd: position.netUsd ?? '0', apy: position.netApy ?? '0' }))),
    estimates: { borrow_cap_usd: borrowCap(open), borrow_limit_pct: largestLimit(open.map((position) => position.borrowLimitPct)) },
    positions: { backstop, collateral, liabilities, lp: [], supply },
  }
}

function inOrder<T extends SuppliedBalance | OwedBalance>(balances: readonly T[]): T[] {
  return byAddress(balances, ({ asset }) => asset.asset)
}

function smallest(values: readonly DecimalText[]): DecimalText | null {
  return values.length === 0 ? null : values.reduce((a, b) => (new Decimal(a).lte(b) ? a : b))
}

/** A debt without collateral value has no limit; it counts as larger than any limit. */
function largestLimit(limits: readonly (DecimalText | null)[]): DecimalText | null {
  return limits.reduce((a, b) => (a === null || b === null ? null : new Decimal(a).gte(b) ? a : b), '0')
}

function borrowCap(open: readonly LendingPosition[]): DecimalText {
  const sum = (of: (position: LendingPosition) => DecimalText | null): DecimalText => sumOfPriced(open.map(of)).sum
  return difference(
    sum((position) => position.effectiveCollateralUsd),
    sum((position) => position.effectiveLiabilitiesUsd),
  )
}

type Part = Pick<SuppliedBalance, 'shares' | 'amount' | 'usdValue'>

/** An item of a balance, or of the part of it that is used in one way. Its cost basis is that of the whole balance. */
function itemOf(
  position: LendingPosition,
  balance: SuppliedBalance | OwedBalance,
  part: Part,
  asOfLedger: number,
): Omit<PositionItem, 'share_type' | 'liquidation_price'> {
  const { asset } = balance
  return {
    apr: balance.baseApr,
    apy: balance.baseApy,
    asset_amount: wholeUnits(part.amount, asset.decimals),
    asset_id: asset.asset,
    contract: position.pool,
    metadata: {
      raw_amount: part.amount.toString(),
      pool_name: position.poolName,
      ...presentPrice(balance.price),
      emission_apy: balance.emissionApy,
      cost_basis: costBasisOf(balance, asOfLedger),
    },
    share_amount: wholeUnits(part.shares, asset.decimals),
    usd_value: part.usdValue,
  }
}

function plainItem(position: LendingPosition, balance: SuppliedBalance, asOfLedger: number): PositionItem {
  const item = itemOf(position, balance, balance.plain, asOfLedger)
  // Plain supply and collateral earn together, so their claimable amount is shown once: at the collateral if there is some.
  const shown = balance.collateral.shares > 0n ? item : withClaimable(item, position, balance)
  return { ...shown, liquidation_price: null, share_type: 'b_token' }
}

function collateralItem(position: LendingPosition, balance: SuppliedBalance, asOfLedger: number): PositionItem {
  const item = withClaimable(itemOf(position, balance, balance.collateral, asOfLedger), position, balance)
  return { ...item, liquidation_price: presentThreshold(balance.liquidationPrice), share_type: 'b_token_collateral' }
}

function owedItem(position: LendingPosition, balance: OwedBalance, asOfLedger: number): PositionItem {
  const item = withClaimable(itemOf(position, balance, balance, asOfLedger), position, balance)
  return { ...item, liquidation_price: presentThreshold(balance.liquidationPrice), share_type: 'd_token' }
}

/** Adds the BLND that the balance can claim, if there is some. */
function withClaimable<I extends Pick<PositionItem, 'metadata'>>(
  item: I,
  { claimable: { asset, price } }: LendingPosition,
  { claimable: amount }: SuppliedBalance | OwedBalance,
): I {
  if (amount === 0n) return item
  const usdValue = price === null || asset.decimals === null ? null : usdOf(amount, asset.decimals, price.usd)
  return { ...item, metadata: { ...item.metadata, claimable: presentClaimable({ asset, amount, price, usdValue }) } }
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
      liquidation_price: null,
      metadata: {
        raw_amount: backstop.totalLpTokens.toString(),
        pool_name: poolName,
        backstop_contract: backstop.backstop,
        ...presentPrice(backstop.lpPrice),
        emission_apy: backstop.emissionApy,
        queued: presentQueued(backstop),
        claimable: presentClaimable(backstop.claimable),
        cost_basis: presentCostBasis(backstop.costBasis, backstop.totalUsd, lpToken.decimals, asOfLedger),
      },
      share_amount: units(queued.reduce((sum, { shares }) => sum + shares, backstop.shares)),
      share_type: 'backstop_share',
      usd_value: backstop.totalUsd,
    },
  ]
}
