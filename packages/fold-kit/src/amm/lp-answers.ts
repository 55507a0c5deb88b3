// A pool and an account's part of it as the API shows them. What only some AMMs have (a fee, rewards, ranges, a cost) has its value without it here;
// those that have it replace the member.

import type { Address, ContractId } from '@orrery/ledger'
import { ratio } from '@orrery/pricing'
import type { DecimalText, LpPool, LpPoolType, LpPosition } from '@orrery/protocol-kit'
import type { FeeYield } from '../fee-yield.ts'
import { usdText } from '../usd-units.ts'
import type { ValuedToken } from '../valued-token.ts'
import { type AmountsWorth, type ReservesValue, tokenAmounts } from './valuation.ts'

/** What answers about a pool and about positions in it both show. Amounts raw, in the order of `tokens`. */
export interface LpFacts extends ReservesValue {
  readonly pool: ContractId
  readonly name: string
  readonly poolType: LpPoolType
  readonly shareAsset: ContractId
  readonly shareSupply: bigint
  readonly shareDecimals: number
  readonly tokens: readonly ValuedToken[]
  readonly reserves: readonly bigint[]
}

/** Raw `shares` of an account, and what they would pay out. */
export function lpPosition(facts: LpFacts, address: Address, shares: bigint, worth: AmountsWorth, { apr, apy }: FeeYield): LpPosition {
  const { pool, name, poolType, shareAsset, shareSupply, shareDecimals, tokens } = facts
  return {
    pool,
    poolName: name,
    poolType,
    shareAsset,
    address,
    shares,
    shareDecimals,
    shareSupply,
    poolSharePct: percentOf(shares, shareSupply),
    tokens: worth.amounts.length === 0 ? [] : tokenAmounts(tokens, worth.amounts),
    netUsd: worth.netUsd === null ? null : usdText(worth.netUsd),
    feeApr: apr,
    feeApy: apy,
    emissionApy: '0',
    claimable: [],
    ranges: [],
    exact: true,
    costBasis: null,
    holdUsd: null,
  }
}

/** @param ledger Of the last change of the pool. */
export function lpPool(facts: LpFacts, ledger: number, { apr, apy }: FeeYield): LpPool {
  const { pool, name, poolType, shareAsset, shareSupply, shareDecimals, tokens, reserves, tvlUsd, unpricedAssets } = facts
  return {
    pool,
    name,
    poolType,
    shareAsset,
    shareSupply,
    shareDecimals,
    reserves: tokenAmounts(tokens, reserves),
    balances: reserves,
    fee: '0',
    feeApr: apr,
    feeApy: apy,
    emissions: [],
    tvlUsd: usdText(tvlUsd),
    unpricedAssets,
    status: 'active',
    ledger,
  }
}

/** 100 · part / whole with at most 8 fractional digits, rounded half up; `0` of nothing. */
export function percentOf(part: bigint, whole: bigint): DecimalText {
  return whole === 0n ? '0' : ratio(part * 100n, whole, 8)
}
