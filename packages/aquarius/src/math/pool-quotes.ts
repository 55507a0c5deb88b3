// Rates at which stable and concentrated pools would trade: for the pool that is valued and for pools that serve as price pools.

import type { ContractId } from '@orrery/ledger'
import { poolRate, tenTo } from '@orrery/pricing'
import type { PoolQuote } from '@orrery/protocol-kit'
import { type StablePool, stableSwapExactIn } from './stable.ts'

/** A stable pool at one moment, as far as its price depends on it. */
interface QuotedPool extends Pick<StablePool, 'reserves' | 'amp'> {
  readonly tokens: readonly ContractId[]
  /** Decimals that the pool stores; null: those of the tokens are used. */
  readonly decimals: readonly number[] | null
}

/** A stable pool: the amount that the contract would pay for one token, without its fee. */
export function stableQuote(contract: ContractId, { tokens, reserves, amp, decimals: storedDecimals }: QuotedPool): PoolQuote {
  return {
    contract,
    tokens,
    reserves,
    rate(of, against, decimalsOf) {
      const decimals = (storedDecimals ?? tokens.map(decimalsOf)).filter((it) => it !== null)
      const ofDecimals = decimals[of]
      if (decimals.length !== tokens.length || ofDecimals === undefined || of === against) return null
      const unit = tenTo(ofDecimals)
      const swap = stableSwapExactIn({ reserves, decimals, amp, fee: 0n, protocolPart: 0n, totalShares: 0n }, of, against, unit)
      return swap === null ? null : poolRate(swap.amountOut, unit)
    },
  }
}

const Q192 = 1n << 192n

/** A concentrated pool at its current price. `sqrtPrice`: √(token1 / token0) in raw units, Q64.96. */
export function concentratedQuote(
  contract: ContractId,
  tokens: readonly ContractId[],
  reserves: readonly bigint[],
  sqrtPrice: bigint,
): PoolQuote {
  const price = sqrtPrice * sqrtPrice
  return { contract, tokens, reserves, rate: (of) => (of === 0 ? poolRate(price, Q192) : poolRate(Q192, price)) }
}
