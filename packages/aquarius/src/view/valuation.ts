// From native amounts and prices to USD: what a pool's tokens are worth, and its TVL.
// Prices follow the rules of docs/pricing.md: an oracle, else this pool's own rate, else a price pool, else none.
// An unpriced part has no value and is counted, never taken as zero.

import { type ReservesValue, type ValuedToken, valuedToken, valueReserves } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { type At, constantProductQuote, type PoolQuote, type Pricing, scaledText } from '@orrery/pricing'
import type { DecimalText, LpPoolType, Network } from '@orrery/protocol-kit'
import type { PoolInstance } from '../chain/pool-instance.ts'
import { concentratedQuote, stableQuote } from '../math/pool-quotes.ts'
import { ampAt } from '../math/stable-swap.ts'
import type { AquariusState, PoolState } from '../state/state.ts'
import { assetInfo } from './asset.ts'
import { viewReserves } from './pool-reserves.ts'

/** Kinds of `add_pool` whose formulas this package has. */
export const KNOWN_KINDS: ReadonlySet<string> = new Set(['constant', 'stable', 'concentrated'])

/** A pool with everything that a value needs, at one moment. */
export interface ValuedPool extends ReservesValue {
  readonly pool: PoolState
  readonly instance: PoolInstance
  readonly at: At
  readonly type: LpPoolType
  readonly tokens: readonly ValuedToken[]
  /** Stored reserves; of a kind that we cannot read what the pool holds. In the order of `tokens`. */
  readonly reserves: readonly bigint[]
  /** What payouts are parts of. */
  readonly payoutReserves: readonly bigint[]
  /** A token that is paid on top, at its price. */
  readonly rewardToken: (token: ContractId) => ValuedToken
}

/** By its announcement and its storage: whichever we do not know makes it unknown. */
export function poolType(pool: PoolState): LpPoolType {
  const layout = pool.instance?.value.layout ?? 'other'
  const isKnown = pool.listing === null || KNOWN_KINDS.has(pool.listing.kind)
  return layout === 'other' || !isKnown ? 'unknown' : layout
}

/** Fraction of a swap's input that is the fee. */
export function feeText({ fee }: PoolInstance): DecimalText {
  return scaledText(BigInt(fee), 4)
}

/** The pool at its own moment, or null while its instance is not known. */
export function valuePool(
  state: AquariusState,
  pool: PoolState,
  at: At,
  { network, pricing }: { readonly network: Network; readonly pricing: Pricing },
): ValuedPool | null {
  const instance = pool.instance?.value
  if (instance === undefined) return null
  const type = poolType(pool)
  const ids = pool.tokens
  const decimalsOf = (asset: ContractId) => assetInfo(state, asset, network).decimals
  const quote = ownQuote(pool, instance, type, at)
  const value = (id: ContractId, impliedBy: readonly PoolQuote[]) =>
    valuedToken(assetInfo(state, id, network), pricing.priceOf(state.pricing, id, at, { impliedBy, decimalsOf }))
  const tokens = ids.map((id) => value(id, quote === null ? [] : [quote]))
  const isRead = instance.reserves.length === ids.length
  const reserves = isRead ? instance.reserves : ids.map((id) => pool.balances.get(id)?.value ?? 0n)
  return {
    pool,
    instance,
    at,
    type,
    tokens,
    reserves,
    payoutReserves: isRead ? viewReserves(pool, at.ledger) : reserves,
    ...valueReserves(tokens, reserves),
    rewardToken: (id) => tokens.find((token) => token.info.asset === id) ?? value(id, []),
  }
}

function ownQuote({ pool }: PoolState, instance: PoolInstance, type: LpPoolType, at: At): PoolQuote | null {
  const { tokens, reserves, amplification, concentrated } = instance
  if (type === 'constant_product') return constantProductQuote(pool, tokens, reserves)
  if (type === 'concentrated' && concentrated !== null) return concentratedQuote(pool, tokens, reserves, concentrated.sqrtPrice)
  if (type !== 'stable' || amplification === null) return null
  const amp = ampAt(amplification, BigInt(at.closeTimeSeconds))
  return stableQuote(pool, { tokens, reserves, decimals: amplification.decimals, amp })
}

/** What the pool really holds of each token, raw; the reserve where no balance is known. */
export function balancesOf({ pool, tokens, reserves }: ValuedPool): bigint[] {
  return tokens.map((token, n) => pool.balances.get(token.info.asset)?.value ?? reserves[n] ?? 0n)
}
