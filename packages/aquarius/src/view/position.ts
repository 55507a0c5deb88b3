// State and an account give a position; state gives a pool as a whole. The fold and the API ask the same functions.
// A position is worth what the pool would pay for it now, exactly as the contract rounds, fees of ranges included.

import { type Cost, costBasisFact, type FeeYield, type UsdUnits, usdText } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import { ratio } from '@orrery/pricing'
import type { CostBasisFact, LpClaimable, LpPool, LpPosition, LpRange, Network, TokenAmount } from '@orrery/protocol-kit'
import { type AquariusState, type Holder, isRegistered, type PoolState, sharesOf, totalLocked } from '../state/state.ts'
import { poolName, SHARE_DECIMALS } from './asset.ts'
import { claimsOf } from './claims-of-holder.ts'
import { holderEmissionApy, poolEmissions } from './emissions.ts'
import { isPayoutSettled } from './pool-reserves.ts'
import type { RangeWorth } from './ranges-of-holder.ts'
import { feeText, type ValuedPool } from './valuation.ts'
import { type Worth, worthOf, worthOfHolder } from './worth.ts'

/** The account's position in a pool, or null when it never had anything in it. */
export function lpPosition(
  state: AquariusState,
  address: Address,
  valued: ValuedPool,
  feeYield: FeeYield,
  network: Network,
): LpPosition | null {
  const { pool, instance } = valued
  const holder = pool.holders.get(address)
  if (holder === undefined) return null
  const worth = worthOfHolder(holder, valued)
  const shares = sharesOf(holder)
  const supply = instance.totalShares
  return {
    pool: pool.pool,
    poolName: poolName(state, pool.tokens, network),
    poolType: valued.type,
    shareAsset: shareAsset(pool),
    address,
    shares,
    shareDecimals: SHARE_DECIMALS,
    shareSupply: supply,
    poolSharePct: valued.type === 'concentrated' ? percent(worth.netUsd ?? 0n, valued.tvlUsd) : percent(shares, supply),
    tokens: worth.amounts.length === 0 ? [] : tokenAmounts(worth, valued),
    netUsd: worth.netUsd === null ? null : usdText(worth.netUsd),
    feeApr: feeYield.apr,
    feeApy: feeYield.apy,
    emissionApy: holderEmissionApy(valued, holder, worth.netUsd, totalLocked(state)),
    claimable: claimable(state, holder, valued),
    ranges: worth.ranges.map((range) => lpRange(range, valued)),
    exact: isPayoutSettled(pool) && worth.ranges.every((range) => range.exact),
    costBasis: costBasis(holder),
  }
}

/** Whether there is anything to show: shares, ranges, or rewards to claim. */
export function isOpen(position: LpPosition): boolean {
  return position.shares > 0n || position.ranges.length > 0 || position.claimable.length > 0
}

export function lpPool(state: AquariusState, valued: ValuedPool, feeYield: FeeYield, network: Network): LpPool {
  const { pool, instance, reserves, tokens } = valued
  return {
    pool: pool.pool,
    name: poolName(state, pool.tokens, network),
    poolType: valued.type,
    shareAsset: shareAsset(pool),
    shareSupply: instance.totalShares,
    shareDecimals: SHARE_DECIMALS,
    reserves: tokenAmounts(worthOf(reserves, valued), valued),
    balances: tokens.map((token, n) => pool.balances.get(token.info.asset)?.value ?? reserves[n] ?? 0n),
    fee: feeText(instance),
    feeApr: feeYield.apr,
    feeApy: feeYield.apy,
    emissions: poolEmissions(valued),
    tvlUsd: usdText(valued.tvlUsd),
    unpricedAssets: valued.unpricedAssets,
    status: poolStatus(pool),
    ledger: pool.changedLedger,
  }
}

/** Paused: deposits or swaps are switched off. Retired: off the router's list, and only direct callers go on. */
export function poolStatus(pool: PoolState): LpPool['status'] {
  if (!isRegistered(pool)) return 'retired'
  const { instance } = pool
  return instance?.value.killed.deposit || instance?.value.killed.swap ? 'paused' : 'active'
}

export function shareAsset(pool: PoolState): string {
  return pool.instance?.value.shareToken || pool.pool
}

function claimable(state: AquariusState, holder: Holder, valued: ValuedPool): LpClaimable[] {
  const { pool, instance, at } = valued
  if (valued.type === 'unknown') return []
  return claimsOf(pool, instance, holder, { closeTimeSeconds: at.closeTimeSeconds, totalLocked: totalLocked(state) })
    .filter(({ amount }) => amount > 0n)
    .map(({ token, amount, source, contract, blocked, exact }) => {
      const valuedToken = valued.rewardToken(token)
      return { ...tokenAmount(valuedToken, amount), source, contract, blocked, exact }
    })
}

function lpRange({ range, liquidity, inRange, principal, fees, exact }: RangeWorth, valued: ValuedPool): LpRange {
  return {
    tickLower: range.tickLower,
    tickUpper: range.tickUpper,
    liquidity,
    inRange,
    principal: tokenAmounts(worthOf(principal, valued), valued),
    fees: tokenAmounts(worthOf(fees, valued), valued),
    exact,
    costBasis: range.cost === null ? null : costBasisFact(range.cost),
  }
}

/** Of share tokens, or over all ranges and what they paid: null when one part is unknown. */
function costBasis({ cost, ranges }: Holder): CostBasisFact | null {
  const costs = [cost, ...[...ranges.values()].map((range) => range.cost)].filter((it) => it !== null)
  const [first, ...others] = costs
  return first === undefined ? null : costBasisFact(others.reduce(addCosts, first))
}

function addCosts(a: Cost, b: Cost): Cost {
  const opened = [a, b].filter(({ units }) => units > 0n).map(({ openedLedger }) => openedLedger)
  return {
    units: a.units + b.units,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
    realizedUsd: a.realizedUsd === null || b.realizedUsd === null ? null : a.realizedUsd + b.realizedUsd,
    openedLedger: opened.length > 0 ? Math.min(...opened) : Math.max(a.openedLedger, b.openedLedger),
    confidence: a.confidence === 'exact' && b.confidence === 'exact' ? 'exact' : 'inferred',
  }
}

function percent(part: UsdUnits, whole: UsdUnits): string {
  return whole === 0n ? '0' : ratio(part * 100n, whole, 8)
}

function tokenAmounts({ amounts }: Worth, { tokens }: ValuedPool): TokenAmount[] {
  return tokens.map((token, n) => tokenAmount(token, amounts[n] ?? 0n))
}

function tokenAmount(token: ValuedPool['tokens'][number], amount: bigint): TokenAmount {
  const value = token.value(amount)
  return { asset: token.info, amount, price: token.price, usdValue: value === null ? null : usdText(value) }
}
