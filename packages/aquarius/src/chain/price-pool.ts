// An Aquarius pool where it serves as a price pool: what its instance says of its price, whichever of the three kinds it is.
// Source: soroban-amm liquidity_pool{,_stableswap,_concentrated}/src/storage.rs.

import { getOrMake } from '@orrery/fold-kit'
import { address, type Instance, readInstance, type Shape, struct, u32, u64, u128, u256, vec } from '@orrery/ledger'
import { constantProductQuote, isInstanceKey, variantKey } from '@orrery/pricing'
import type { PricePoolFacts, PricePoolReader } from '@orrery/protocol-kit'
import { concentratedQuote, stableQuote } from '../math/pool-quotes.ts'
import { ampAt } from '../math/stable-swap.ts'

/** Integers as decimal strings. */
interface Facts extends PricePoolFacts {
  readonly kind: 'constant_product' | 'stable' | 'concentrated'
  readonly tokens: readonly string[]
  readonly reserves: readonly string[]
  /** Of stable pools: `Ramp` in its order, and decimals. */
  readonly ramp?: readonly string[]
  readonly decimals?: readonly number[] | null
  /** Of concentrated pools. */
  readonly sqrtPrice?: string
}

const Slot0 = struct({ sqrt_price_x96: u256 })

export const pricePool: PricePoolReader = {
  read(entry, before) {
    if (!isInstanceKey(entry.key) || entry.value === null) return before
    const instance = readInstance(entry.value, { contract: entry.contract, what: 'pool instance' })
    return constantProductFacts(instance) ?? stableFacts(instance) ?? concentratedFacts(instance) ?? before
  },

  quote(pool, remembered, at) {
    const { kind, tokens, reserves, ramp, decimals, sqrtPrice } = remembered as Facts
    const held = reserves.map(BigInt)
    if (kind === 'constant_product') return constantProductQuote(pool, tokens, held)
    if (kind === 'concentrated') return concentratedQuote(pool, tokens, held, BigInt(sqrtPrice ?? 0))
    const [initial = 0n, initialTime = 0n, future = 0n, futureTime = 0n] = (ramp ?? []).map(BigInt)
    const amp = ampAt({ initial, initialTime, future, futureTime }, BigInt(at.closeTimeSeconds))
    return stableQuote(pool, { tokens, reserves: held, decimals: decimals ?? null, amp })
  },
}

function constantProductFacts(instance: Instance): Facts | null {
  const tokens = two(instance, 'TokenA', 'TokenB', address)
  const reserves = two(instance, 'ReserveA', 'ReserveB', u128)
  return tokens === null || reserves === null ? null : { kind: 'constant_product', tokens, reserves: reserves.map(String) }
}

function stableFacts(instance: Instance): Facts | null {
  const tokens = get(instance, 'Tokens', vec(address))
  const reserves = get(instance, 'Reserves', vec(u128))
  const amps = two(instance, 'InitialA', 'FutureA', u128)
  const times = two(instance, 'InitialATime', 'FutureATime', u64)
  if (tokens === null || reserves === null || amps === null || times === null) return null
  return {
    kind: 'stable',
    tokens,
    reserves: reserves.map(String),
    ramp: [amps[0], times[0], amps[1], times[1]].map(String),
    decimals: get(instance, 'Decimals', vec(u32)),
  }
}

function concentratedFacts(instance: Instance): Facts | null {
  const tokens = two(instance, 'Token0', 'Token1', address)
  const reserves = two(instance, 'Reserve0', 'Reserve1', u128)
  const slot = get(instance, 'Slot0', Slot0)
  if (tokens === null || reserves === null || slot === null) return null
  return { kind: 'concentrated', tokens, reserves: reserves.map(String), sqrtPrice: slot.sqrt_price_x96.toString() }
}

/** XDR of the keys by name: a pool is read at every trade in it. */
const keys = new Map<string, Uint8Array>()

function get<T>(instance: Instance, name: string, shape: Shape<T>): T | null {
  return instance.get(
    getOrMake(keys, name, () => variantKey(name)),
    shape,
  )
}

function two<T>(instance: Instance, first: string, second: string, shape: Shape<T>): readonly [T, T] | null {
  const [a, b] = [get(instance, first, shape), get(instance, second, shape)]
  return a === null || b === null ? null : [a, b]
}
