/**
 * The score by which the router divides rewards among the constant-product pools of one set of tokens: sum of ⌊r · 10⁴ / (56 · (10⁴ − fee))⌋.
 * Source: soroban-amm liquidity_pool_liquidity_calculator.
 */
export function liquidityScore(reserves: readonly bigint[], fee: bigint): bigint {
  return reserves.reduce((sum, reserve) => sum + (reserve * 10_000n) / (56n * (10_000n - fee)), 0n)
}
