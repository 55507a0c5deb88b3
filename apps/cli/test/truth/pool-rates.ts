// At which rates a recorded pool would trade, from its own answers: rule 3 of docs/pricing.md.

import type { ExpectedAnswer } from '@orrery/testkit'
import { Fraction } from './fraction.ts'
import { stableOutput } from './stable-pool.ts'

export interface PoolRates {
  readonly contract: string
  readonly tokens: readonly string[]
  /** Raw, as stored. */
  readonly reserves: readonly bigint[]
  /** Raw units of the token at `against` for a raw unit of the one at `of`; null where the pool cannot say. */
  readonly rate: (of: number, against: number) => Fraction | null
}

/** Of a line `aquarius.pool` or `soroswap.pair`. */
export function ratesOfPool(line: ExpectedAnswer): PoolRates {
  const { contract } = line
  if (line.kind === 'soroswap.pair') {
    const reserves = [BigInt(line.reserve_0 as string), BigInt(line.reserve_1 as string)]
    return { contract, tokens: [String(line.token_0), String(line.token_1)], reserves, rate: ratioOf(reserves) }
  }
  const tokens = line.tokens as string[]
  const reserves = (line.stored_reserves as string[]).map(BigInt)
  const rate = { constant_product: ratioOf(reserves), stable: stableRate(line, reserves), concentrated: rootRate(line) }[
    line.pool_type as string
  ]
  return { contract, tokens, reserves, rate: rate ?? (() => null) }
}

/** The ratio of the stored reserves. */
function ratioOf(reserves: readonly bigint[]): PoolRates['rate'] {
  return (of, against) => positive(reserves[against] ?? 0n, reserves[of] ?? 0n)
}

/** What the contract gives for one whole unit, without its fee. */
function stableRate({ a, decimals }: ExpectedAnswer, reserves: readonly bigint[]): PoolRates['rate'] {
  return (of, against) => {
    const scales = (decimals as string[]).map(Number)
    if (reserves.some((reserve) => reserve === 0n)) return null
    const most = Math.max(...scales)
    const up = scales.map((scale) => 10n ** BigInt(most - scale))
    const balances = reserves.map((reserve, n) => reserve * (up[n] ?? 1n))
    const unit = 10n ** BigInt(scales[of] ?? 0)
    const output = stableOutput({ balances, amplification: BigInt(a as string) }, of, against, unit * (up[of] ?? 1n)) / (up[against] ?? 1n)
    return positive(output, unit)
  }
}

/** The square of the root price, Q64.96: token 1 for token 0. */
function rootRate({ slot0 }: ExpectedAnswer): PoolRates['rate'] {
  return (of) => {
    const root = BigInt((slot0 as { sqrt_price_x96: string }).sqrt_price_x96)
    return of === 0 ? positive(root * root, 1n << 192n) : positive(1n << 192n, root * root)
  }
}

function positive(numerator: bigint, denominator: bigint): Fraction | null {
  return numerator > 0n && denominator > 0n ? new Fraction(numerator, denominator) : null
}
