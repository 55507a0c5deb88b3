// Integer arithmetic as in the contracts. Every name states its rounding.

/** ⌊a · b / c⌋, towards minus infinity. `c` must be positive. */
export function mulDivFloor(a: bigint, b: bigint, c: bigint): bigint {
  return divFloor(a * b, c)
}

/** ⌈a · b / c⌉, towards plus infinity. `c` must be positive. */
export function mulDivCeil(a: bigint, b: bigint, c: bigint): bigint {
  return divCeil(a * b, c)
}

/** ⌊n / d⌋, towards minus infinity (bigint `/` goes towards zero). `d` must be positive. */
export function divFloor(n: bigint, d: bigint): bigint {
  // A single division if possible, because folds spend much of their time here.
  if (n >= 0n) return n / d
  return n % d === 0n ? n / d : n / d - 1n
}

/** ⌈n / d⌉, towards plus infinity. `d` must be positive. */
export function divCeil(n: bigint, d: bigint): bigint {
  return n > 0n ? (n - 1n) / d + 1n : n / d
}

/** ⌊√n⌋ by Newton's method. `n` must not be negative. */
export function sqrtFloor(n: bigint): bigint {
  if (n < 0n) throw new RangeError('sqrtFloor of a negative number')
  if (n < 2n) return n
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1)
  for (;;) {
    const y = (x + n / x) >> 1n
    if (y >= x) return x
    x = y
  }
}
