// The position of an account, and a pair as a whole, from the state. The fold and the API call the same functions.
// The value of a position is what the pair would pay for it now: real balances, floored, after a pending fee mint.

import {
  type AmountsWorth,
  costBasisFact,
  type FeeYield,
  type LpFacts,
  lpPool,
  lpPosition,
  usdText,
  worthOfAmounts,
  worthOfDeposited,
} from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { LpPool, LpPosition, Network } from '@orrery/protocol-kit'
import { type Amounts, removalPayout, SHARE_DECIMALS } from '../math/constant-product.ts'
import type { SoroswapState } from '../state/state.ts'
import { pairName } from './asset.ts'
import { FEE, type ValuedPair } from './valuation.ts'

/** The value of dust: the pair refuses to pay it out. */
const NOTHING: Amounts = [0n, 0n]

/** What raw shares would be paid at a pair's ledger. */
export function valueShares(shares: bigint, valued: ValuedPair): AmountsWorth {
  return worthOfAmounts(removalPayout(shares, valued.pool, valued.payoutSupply) ?? NOTHING, valued.tokens)
}

/** The account's position in a pair, or null when it never held a share of it. */
export function positionAnswer(
  state: SoroswapState,
  valued: ValuedPair,
  address: Address,
  feeYield: FeeYield,
  network: Network,
): LpPosition | null {
  const holder = valued.pair.holders.get(address)
  if (holder === undefined) return null
  const shares = holder.shares?.value ?? 0n
  const position = lpPosition(factsOf(state, valued, network), address, shares, valueShares(shares, valued), feeYield)
  if (holder.cost === null) return position
  const holdUsd = worthOfDeposited(shares === 0n ? [] : holder.cost.deposited, valued.tokens)
  return { ...position, costBasis: costBasisFact(holder.cost.cost), holdUsd: holdUsd === null ? null : usdText(holdUsd) }
}

/** A pair cannot be paused, and a factory never removes one: it is always active. */
export function pairAnswer(state: SoroswapState, valued: ValuedPair, feeYield: FeeYield, network: Network): LpPool {
  const pool = lpPool(factsOf(state, valued, network), valued.pair.changedLedger, feeYield)
  return { ...pool, balances: valued.balances, fee: FEE }
}

function factsOf(state: SoroswapState, valued: ValuedPair, network: Network): LpFacts {
  const { pair, instance, pool } = valued
  return {
    ...valued,
    pool: pair.pair,
    name: pairName(state, [instance.token0, instance.token1], network),
    poolType: 'constant_product',
    shareAsset: pair.pair,
    shareSupply: pool.totalSupply,
    shareDecimals: SHARE_DECIMALS,
  }
}
