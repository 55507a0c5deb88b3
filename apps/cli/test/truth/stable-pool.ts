// A stable pool's rate from its recorded reserves and amplification: Newton's method in integers, as section 4.2 of the Aquarius reference gives it
// (liquidity_pool_stableswap/src/contract.rs). Written independently of the service's code: the recorded `virtual_price` checks it.

export interface StablePool {
  /** Brought to one scale. */
  readonly balances: readonly bigint[]
  /** As the contract's view `a` gives it: A · n^(n-1). */
  readonly amplification: bigint
}

/** D: what the balances would add up to in perfect balance. */
export function stableInvariant({ balances, amplification }: StablePool): bigint {
  const n = BigInt(balances.length)
  const ann = amplification * n
  const total = balances.reduce((a, b) => a + b, 0n)
  let d = total
  for (;;) {
    const product = balances.reduce((p, x) => (p * d) / (x * n), d)
    const next = ((ann * total + product * n) * d) / ((ann - 1n) * d + (n + 1n) * product)
    if (isWithinOne(next, d)) return next
    d = next
  }
}

/** What swapping `amount` of the token at `from` for the one at `to` gives, without a fee. */
export function stableOutput(pool: StablePool, from: number, to: number, amount: bigint): bigint {
  const { balances, amplification } = pool
  const n = BigInt(balances.length)
  const ann = amplification * n
  const d = stableInvariant(pool)
  const others = balances.map((x, k) => (k === from ? x + amount : x)).filter((_, k) => k !== to)
  const c = (others.reduce((p, x) => (p * d) / (x * n), d) * d) / (ann * n)
  const b = others.reduce((p, x) => p + x, 0n) + d / ann
  let y = d
  for (;;) {
    const next = (y * y + c) / (2n * y + b - d)
    if (isWithinOne(next, y)) return (balances[to] ?? 0n) - next - 1n
    y = next
  }
}

function isWithinOne(a: bigint, b: bigint): boolean {
  return a - b <= 1n && b - a <= 1n
}
