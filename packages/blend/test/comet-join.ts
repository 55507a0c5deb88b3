// What the Comet pool gives for BLND alone: v2 answers a claim in those LP tokens, so they are right when BLND, pool and fee are.
// Source: comet-contracts-v1 contracts/src/c_math.rs (`calc_lp_token_amount_given_token_deposits_in`), c_num.rs (`c_pow`, `c_pow_approx`).

import { divFloor, mulDivFloor } from '@orrery/protocol-kit'
import type { CometRecords } from '../src/chain/values.ts'

/** Everything is computed with 18 digits; tokens, weights and the fee have 7. */
const ONE = 10n ** 18n
const SCALAR = 10n ** 11n
/** A term of the power series that is no larger ends it. */
const PRECISION = 10n ** 8n
const MOST_TERMS = 50n

type CometRecord = CometRecords extends ReadonlyMap<string, infer R> ? R : never

/** LP tokens minted: total · ((1 + joined · (1 − (1 − weight) · fee) / balance)^weight − 1), each step floored. */
export function lpTokensFor(joined: bigint, { balance, weight }: CometRecord, totalShares: bigint, swapFee: bigint): bigint {
  const [held, total, exponent] = [balance * SCALAR, totalShares * SCALAR, weight * SCALAR]
  const feePart = mulDivFloor(ONE - exponent, swapFee * SCALAR, ONE)
  const afterFee = mulDivFloor(joined * SCALAR, ONE - feePart, ONE)
  const grown = power(mulDivFloor(held + afterFee, ONE, held), exponent)
  return divFloor(mulDivFloor(grown, total, ONE) - total, SCALAR)
}

/** (1 + x)^exponent by its binomial series, x and exponent below 1; less its last term where that is above zero, so never too much. */
function power(base: bigint, exponent: bigint): bigint {
  const x = base - ONE
  let term = ONE
  let sum = ONE
  for (let n = 1n; n <= MOST_TERMS; n++) {
    term = mulDivFloor(term, mulDivFloor(exponent - (n - 1n) * ONE, x, ONE), ONE)
    term = divFloor(term, n)
    sum += term
    if ((term < 0n ? -term : term) <= PRECISION) break
  }
  return term > 0n ? sum - term : sum
}
