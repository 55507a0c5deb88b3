// What a share pool and a part of it are worth: tokens by the registry's hints, prices of the network or of the pool's own constant product.

import type { Address, ContractId } from '@orrery/ledger'
import { constantProductQuote, type Pricing } from '@orrery/pricing'
import type { AssetInfo, At, Network } from '@orrery/protocol-kit'
import { type ValuedToken, valuedToken } from '../valued-token.ts'
import type { SharePool, SharePoolState } from './share-pool.ts'
import { type AmountsWorth, partOfReserves, type ReservesValue, valueReserves, worthOfAmounts } from './valuation.ts'

/** A pool with its tokens at their prices of one ledger. Amounts raw, in the order of `tokens`. */
export interface ValuedSharePool extends ReservesValue {
  readonly pool: SharePool
  readonly tokens: readonly ValuedToken[]
  readonly reserves: readonly bigint[]
  readonly supply: bigint
}

/** A token as the registry names it. Without a hint its decimals are unknown, and amounts of it have no value. */
export function hintedAsset({ assets }: Network, asset: ContractId): AssetInfo {
  const hint = assets[asset]
  return { asset, symbol: hint?.code ?? '', decimals: hint?.decimals ?? null, tags: hint?.tags ?? [] }
}

/** Null while the pool's instance is not known. */
export function valueSharePool(
  state: SharePoolState,
  pool: SharePool,
  at: At,
  { network, pricing }: { readonly network: Network; readonly pricing: Pricing },
): ValuedSharePool | null {
  if (pool.instance === null) return null
  const { tokens: ids, reserves, supply } = pool.instance.value
  const impliedBy = [constantProductQuote(pool.pool, ids, reserves)]
  const tokens = ids.map((id) => valuedToken(hintedAsset(network, id), pricing.priceOf(state.pricing, id, at, { impliedBy })))
  return { pool, tokens, reserves, supply, ...valueReserves(tokens, reserves) }
}

/** What raw `shares` would pay out: shares · reserve / supply of each token, floored as contracts do. */
export function worthOfShares(shares: bigint, { tokens, reserves, supply }: ValuedSharePool): AmountsWorth {
  return worthOfAmounts(partOfReserves(shares, reserves, supply), tokens)
}

/** Raw shares of an account. */
export function sharesOf({ holders }: SharePool, address: Address): bigint {
  return holders.get(address)?.value ?? 0n
}
