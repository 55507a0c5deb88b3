// Ticks and prices of concentrated pools: the arithmetic of Uniswap v3, bit for bit.
// Source: soroban-amm liquidity_pool_concentrated/src/{math,bitmap,constants}.rs.

const Q32 = 1n << 32n
const Q128 = 1n << 128n
const MAX_U256 = (1n << 256n) - 1n
const MIN_TICK = -887_272
const MAX_TICK = 887_272
/** Ticks in a chunk of storage. */
const CHUNK = 16

/** √1.0001^(−2^n), Q128, for each bit of a tick. */
const FACTORS = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x09aa508b5b7a84e1c677de54f3e99bc9n,
  0x005d6af8dedb81196699c329225ee604n,
  0x0002216e584f5fa1ea926041bedfe98n,
  0x000048a170391f7dc42444e8fa2n,
] as const

const known = new Map<number, bigint>()

/** √(1.0001^tick), Q64.96, rounded up. @throws RangeError outside of ±887,272. */
export function sqrtPriceAt(tick: number): bigint {
  const made = known.get(tick) ?? computeSqrtPrice(tick)
  // Ranges end on few different ticks and every valuation asks for both.
  if (known.size > 100_000) known.clear()
  known.set(tick, made)
  return made
}

function computeSqrtPrice(tick: number): bigint {
  if (tick < MIN_TICK || tick > MAX_TICK) throw new RangeError(`no price at tick ${tick}`)
  const bits = Math.abs(tick)
  let ratio = Q128
  for (const [n, factor] of FACTORS.entries()) if ((bits & (1 << n)) !== 0) ratio = (ratio * factor) >> 128n
  if (tick > 0) ratio = MAX_U256 / ratio
  return ratio / Q32 + (ratio % Q32 === 0n ? 0n : 1n)
}

/** Where a tick is stored: which chunk, and its place among the sixteen. */
export function tickPlace(tick: number, spacing: number): { readonly chunk: number; readonly place: number } {
  const compressed = Math.floor(tick / spacing)
  const chunk = Math.floor(compressed / CHUNK)
  return { chunk, place: compressed - chunk * CHUNK }
}

/** The tick at a place of a chunk: the inverse of `tickPlace`. */
export function tickOfPlace(chunk: number, place: number, spacing: number): number {
  return (chunk * CHUNK + place) * spacing
}
