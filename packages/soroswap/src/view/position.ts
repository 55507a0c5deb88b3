// The position of an account, and a pair as a whole, from the state. The fold and the API call the same functions.
// The value of a position is what the pair would pay for it now: real balances, floored, after a pending fee mint.

import { costBasisFact, type FeeYield, type UsdUnits, usdSum, usdText } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import { ratio } from '@orrery/pricing'
import type { LpPool, LpPosition, Network, TokenAmount } from '@orrery/protocol-kit'
import { type Amounts, removalPayout, SHARE_DECIMALS } from '../math/constant-product.ts'
import type { PairState, SoroswapState } from '../state/state.ts'
import { pairName } from './asset.ts'
import { FEE, type ValuedPair } from './valuation.ts'

/** The value of shares at a pair's ledger. */
export interface ValuedShares {
  readonly amounts: Amounts
  readonly values: readonly [UsdUnits | null, UsdUnits | null]
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
  const values = [valued.tokens[0].value(amounts[0]), valued.tokens[1].value(amounts[1])] as const
  return { amounts, values, netUsd: usdSum(values), unpricedAssets: values.filter((value) => value === null).length }
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
    tokens: tokenAmounts(worth.amounts, worth.values, valued),
    netUsd: worth.netUsd === null ? null : usdText(worth.netUsd),
    feeApr: feeYield.apr,
    feeApy: feeYield.apy,
    ...NO_REWARDS,
    costBasis: holder.cost === null ? null : costBasisFact(holder.cost),
  }
}

export function lpPool(state: SoroswapState, pair: PairState, valued: ValuedPair, feeYield: FeeYield, network: Network): LpPool {
  const { instance, pool } = valued
  const values = [valued.tokens[0].value(pool.reserve0), valued.tokens[1].value(pool.reserve1)] as const
  return {
    pool: pair.pair,
    name: pairName(state, [instance.token0, instance.token1], network),
    poolType: 'constant_product',
    shareAsset: pair.pair,
    shareSupply: pool.totalSupply,
    shareDecimals: SHARE_DECIMALS,
    reserves: tokenAmounts([pool.reserve0, pool.reserve1], values, valued),
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

function tokenAmounts(amounts: Amounts, values: readonly (UsdUnits | null)[], valued: ValuedPair): TokenAmount[] {
  return valued.tokens.map((token, n) => {
    const value = values[n] ?? null
    return { asset: token.info, amount: amounts[n] ?? 0n, price: token.price, usdValue: value === null ? null : usdText(value) }
  })
}
