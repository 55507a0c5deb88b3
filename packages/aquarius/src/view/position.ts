// State and an account give a position; state gives a pool as a whole. The fold and the API ask the same functions.
// A position is worth what the pool would pay for it now, exactly as the contract rounds, fees of ranges included.

import {
  type Cost,
  costBasisFact,
  type Deposited,
  type FeeYield,
  type HoldingCost,
  type LpFacts,
  lpPool,
  lpPosition,
  percentOf,
  sumOfDeposited,
  tokenAmount,
  tokenAmounts,
  usdText,
  worthOfDeposited,
} from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { CostBasisFact, DecimalText, LpClaimable, LpPool, LpPosition, LpRange, Network } from '@orrery/protocol-kit'
import { type AquariusState, type Holder, isRegistered, type PoolState, sharesOf, totalLocked } from '../state/state.ts'
import { poolName, SHARE_DECIMALS } from './asset.ts'
import { claimsOf } from './claims-of-holder.ts'
import { holderEmissionApy, poolEmissions } from './emissions.ts'
import { isPayoutSettled } from './pool-reserves.ts'
import type { RangeWorth } from './ranges-of-holder.ts'
import { balancesOf, feeText, type ValuedPool } from './valuation.ts'
import { worthOfHolder } from './worth.ts'

/** The account's position in a pool, or null when it never had anything in it. */
export function positionAnswer(
  state: AquariusState,
  valued: ValuedPool,
  address: Address,
  feeYield: FeeYield,
  network: Network,
): LpPosition | null {
  const holder = valued.pool.holders.get(address)
  if (holder === undefined) return null
  const worth = worthOfHolder(holder, valued)
  const position = lpPosition(factsOf(state, valued, network), address, sharesOf(holder), worth, feeYield)
  return {
    ...position,
    poolSharePct: valued.type === 'concentrated' ? percentOf(worth.netUsd ?? 0n, valued.tvlUsd) : position.poolSharePct,
    emissionApy: holderEmissionApy(valued, holder, worth.netUsd, totalLocked(state)),
    claimable: claimable(state, holder, valued),
    ranges: worth.ranges.map((range) => lpRange(range, valued)),
    exact: isPayoutSettled(valued.pool) && worth.ranges.every((range) => range.exact),
    costBasis: costBasis(holder),
    holdUsd: holdUsd(holder, valued),
  }
}

/** Whether there is anything to show: shares, ranges, or rewards to claim. */
export function isOpen(position: LpPosition): boolean {
  return position.shares > 0n || position.ranges.length > 0 || position.claimable.length > 0
}

export function poolAnswer(state: AquariusState, valued: ValuedPool, feeYield: FeeYield, network: Network): LpPool {
  const { pool, instance } = valued
  return {
    ...lpPool(factsOf(state, valued, network), pool.changedLedger, feeYield),
    balances: balancesOf(valued),
    fee: feeText(instance),
    emissions: poolEmissions(valued),
    status: poolStatus(pool),
  }
}

function factsOf(state: AquariusState, valued: ValuedPool, network: Network): LpFacts {
  const { pool, instance } = valued
  return {
    ...valued,
    pool: pool.pool,
    name: poolName(state, pool.tokens, network),
    poolType: valued.type,
    shareAsset: instance.shareToken || pool.pool,
    shareSupply: instance.totalShares,
    shareDecimals: SHARE_DECIMALS,
  }
}

/** Paused: deposits or swaps are switched off. Retired: off the router's list, and only direct callers go on. */
export function poolStatus(pool: PoolState): LpPool['status'] {
  if (!isRegistered(pool)) return 'retired'
  const { instance } = pool
  return instance?.value.killed.deposit || instance?.value.killed.swap ? 'paused' : 'active'
}

function claimable(state: AquariusState, holder: Holder, valued: ValuedPool): LpClaimable[] {
  const { pool, instance, at } = valued
  if (valued.type === 'unknown') return []
  return claimsOf(pool, instance, holder, { closeTimeSeconds: at.closeTimeSeconds, totalLocked: totalLocked(state) })
    .filter(({ amount }) => amount > 0n)
    .map(({ token, amount, source, contract, blocked, exact }) => {
      return { ...tokenAmount(valued.rewardToken(token), amount), source, contract, blocked, exact }
    })
}

function lpRange({ range, liquidity, inRange, principal, fees, exact }: RangeWorth, valued: ValuedPool): LpRange {
  return {
    tickLower: range.tickLower,
    tickUpper: range.tickUpper,
    liquidity,
    inRange,
    principal: tokenAmounts(valued.tokens, principal),
    fees: tokenAmounts(valued.tokens, fees),
    exact,
    costBasis: range.cost === null ? null : costBasisFact(range.cost.cost),
  }
}

/** Of share tokens, or over all ranges and what they paid: null when one part is unknown. */
function costBasis({ cost, ranges }: Holder): CostBasisFact | null {
  const costs = [cost, ...[...ranges.values()].map((range) => range.cost)].flatMap((it) => it?.cost ?? [])
  const [first, ...others] = costs
  return first === undefined ? null : costBasisFact(others.reduce(addCosts, first))
}

/** Of share tokens and ranges together. */
function holdUsd({ cost, shares, ranges }: Holder, { tokens }: ValuedPool): DecimalText | null {
  const ofRanges = [...ranges.values()].map((range) => depositedFor(range.cost, range.position?.value.liquidity ?? 0n))
  const worth = worthOfDeposited(sumOfDeposited([depositedFor(cost, shares?.value ?? 0n), ...ofRanges]), tokens)
  return worth === null ? null : usdText(worth)
}

/** Units without a cost predate the index: what was deposited for them is unknown. */
function depositedFor(cost: HoldingCost | null, units: bigint): Deposited {
  if (units === 0n) return []
  return cost?.deposited ?? null
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
