// The loss of a pair in a ledger without an action of its holders: each of them then has less.

import type { UsdUnits } from '@orrery/fold-kit'
import type { PairContents } from '../state/state.ts'
import { heldBy, type ValuedPair } from '../view/valuation.ts'

/**
 * Value of the tokens that left the pair for nothing: it has less of a token, more of none, and as many shares as before. A swap pays in and out, a
 * deposit or a withdrawal changes the supply. The rest is a clawback by the issuer, or a token that lowers balances by itself. 0n without such
 * a loss; null where a lost token has no price.
 *
 * What the pair holds beyond its reserves is a gift that any account may take (`skim`), so it does not count. A loss in the same ledger as another
 * action of the pair is not detected here. The snapshots of the next hour have both.
 */
export function lostUsd(before: PairContents, { pool: now, tokens }: Pick<ValuedPair, 'pool' | 'tokens'>): UsdUnits | null {
  const was = heldBy(before)
  const lost0 = least(was.balance0, was.reserve0) - least(now.balance0, now.reserve0)
  const lost1 = least(was.balance1, was.reserve1) - least(now.balance1, now.reserve1)
  if (now.totalSupply !== was.totalSupply || lost0 < 0n || lost1 < 0n) return 0n
  const [value0, value1] = [tokens[0].value(lost0), tokens[1].value(lost1)]
  return value0 === null || value1 === null ? null : value0 + value1
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
