// The position of an account, and a pair as a whole, from the state. The fold and the API call the same functions.
// The value of a position is what the pair would pay for it now: real balances, floored, after a pending fee mint.

import { costBasisFact, type FeeYield, tokenAmounts, type UsdUnits, usdText, worthOfAmounts } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import { ratio } from '@orrery/pricing'
import type { LpPool, LpPosition, Network } from '@orrery/protocol-kit'
import { type Amounts, removalPayout, SHARE_DECIMALS } from '../math/constant-product.ts'
import type { PairState, SoroswapState } from '../state/state.ts'
import { pairName } from './asset.ts'
import { FEE, type ValuedPair } from './valuation.ts'

/** The value of shares at a pair's ledger. */
export interface ValuedShares {
  readonly amounts: readonly bigint[]
  readonly values: readonly (UsdUnits | null)[]
  /** Sum of the shown values, null when one is unknown. */
  readonly netUsd: UsdUnits | null
  readonly unpricedAssets: number
}

/** Soroswap pays its holders fees and nothing else, over the whole range of prices. */
const NO_REWARDS = { emissionApy: '0', claimable: [], ranges: [], exact: true } as const

/** The value of dust: the pair refuses to pay it out. */
const NOTHING: Amounts = [0n, 0n]

export function valueShares(shares: bigint, valued: ValuedPair): ValuedShares {
  const amounts = removalPayout(shares, valued.pool, valued.payoutSupply) ?? NOTHING
  return worthOfAmounts(amounts, valued.tokens)
}

/** The account's position in a pair, or null when it never held a share of it. */
export function lpPosition(
  state: SoroswapState,
  pair: PairState,
  address: Address,
  valued: ValuedPair,
  feeYield: FeeYield,
  network: Network,
): LpPosition | null {
  const holder = pair.holders.get(address)
  if (holder === undefined) return null
  const shares = holder.shares?.value ?? 0n
  const worth = valueShares(shares, valued)
  const supply = valued.pool.totalSupply
  return {
    pool: pair.pair,
    poolName: pairName(state, [valued.instance.token0, valued.instance.token1], network),
    poolType: 'constant_product',
    shareAsset: pair.pair,
    address,
    shares,
    shareDecimals: SHARE_DECIMALS,
    shareSupply: supply,
    poolSharePct: supply === 0n ? '0' : ratio(shares * 100n, supply, 8),
    tokens: tokenAmounts(valued.tokens, worth.amounts),
    netUsd: worth.netUsd === null ? null : usdText(worth.netUsd),
    feeApr: feeYield.apr,
    feeApy: feeYield.apy,
    ...NO_REWARDS,
    costBasis: holder.cost === null ? null : costBasisFact(holder.cost),
  }
}

export function lpPool(state: SoroswapState, pair: PairState, valued: ValuedPair, feeYield: FeeYield, network: Network): LpPool {
  const { instance, pool } = valued
  return {
    pool: pair.pair,
    name: pairName(state, [instance.token0, instance.token1], network),
    poolType: 'constant_product',
    shareAsset: pair.pair,
    shareSupply: pool.totalSupply,
    shareDecimals: SHARE_DECIMALS,
    reserves: tokenAmounts(valued.tokens, [pool.reserve0, pool.reserve1]),
    balances: [pool.balance0, pool.balance1],
    fee: FEE,
    feeApr: feeYield.apr,
    feeApy: feeYield.apy,
    emissions: [],
    tvlUsd: usdText(valued.tvlUsd),
    unpricedAssets: valued.unpricedAssets,
    // A pair cannot be paused, and a factory never removes one.
    status: 'active',
    ledger: pair.changedLedger,
  }
}
