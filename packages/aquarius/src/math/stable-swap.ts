// The invariant of stable pools in the manner of Curve, as Aquarius's contract computes it: integers, floors, Newton's method to within one.
// Source: soroban-amm liquidity_pool_stableswap/src/contract.rs, `a`, `_get_d`, `_get_y`, `_get_y_d`.

/** Steps after which the contract gives up. It needs four or so. */
const MOST_STEPS = 255

/** Amplification as it is stored, `A · n^(n−1)`, and its ramp. Unix seconds. */
export interface Ramp {
  readonly initial: bigint
  readonly initialTime: bigint
  readonly future: bigint
  readonly futureTime: bigint
}

/** Amp at a moment: linear between two, each step floored away from the present value's side. */
export function ampAt({ initial, initialTime, future, futureTime }: Ramp, seconds: bigint): bigint {
  if (seconds >= futureTime) return future
  const passed = seconds - initialTime
  const span = futureTime - initialTime
  return future > initial ? initial + ((future - initial) * passed) / span : initial - ((initial - future) * passed) / span
}

/**
 * D of balances that were brought to one scale:
 *
 *   P = D · Π ⌊… D / (xᵢ · n)⌋        D' = ⌊(Ann · S + P · n) · D / ((Ann − 1) · D + (n + 1) · P)⌋        Ann = Amp · n
 *
 * from D = S until two steps differ by one at most. Null where the contract panics: a balance of zero beside others.
 */
export function invariant(balances: readonly bigint[], amp: bigint): bigint | null {
  const n = BigInt(balances.length)
  const s = balances.reduce((sum, x) => sum + x, 0n)
  if (s === 0n) return 0n
  if (balances.some((x) => x === 0n)) return null
  const ann = amp * n
  let d = s
  for (let step = 0; step < MOST_STEPS; step++) {
    let p = d
    for (const x of balances) p = (p * d) / (x * n)
    const before = d
    d = ((ann * s + p * n) * d) / ((ann - 1n) * d + (n + 1n) * p)
    if (within1(d, before)) return d
  }
  return null
}

/**
 * The balance of `of` at which the others give D:
 *
 *   c = ⌊⌊D · Π ⌊… D / (xₖ · n)⌋⌋ · D / (Ann · n)⌋        b = Σ xₖ + ⌊D / Ann⌋        y' = ⌊(y² + c) / (2y + b − D)⌋        k ≠ of
 *
 * Null where the contract panics.
 */
export function balanceAt(d: bigint, of: number, balances: readonly bigint[], amp: bigint): bigint | null {
  const n = BigInt(balances.length)
  const ann = amp * n
  let c = d
  let s = 0n
  for (const [k, x] of balances.entries()) {
    if (k === of) continue
    if (x === 0n) return null
    s += x
    c = (c * d) / (x * n)
  }
  if (ann === 0n) return null
  c = (c * d) / (ann * n)
  const b = s + d / ann
  let y = d
  for (let step = 0; step < MOST_STEPS; step++) {
    const before = y
    const denominator = 2n * y + b - d
    if (denominator <= 0n) return null
    y = (y * y + c) / denominator
    if (within1(y, before)) return y
  }
  return null
}

function within1(a: bigint, b: bigint): boolean {
  return a > b ? a - b <= 1n : b - a <= 1n
}
