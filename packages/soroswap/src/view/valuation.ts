// From native amounts and prices to USD: the values of a pair's tokens, and its TVL.
// Prices follow the rules of docs/pricing.md: an oracle, else this pair's own ratio, else a price pool, else none.
// An unpriced part has no value and is counted, never taken as zero.

import { type ReservesValue, type ValuedToken, valuedToken, valueReserves } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { type At, constantProductQuote, type Pricing, scaledText } from '@orrery/pricing'
import type { DecimalText, Network } from '@orrery/protocol-kit'
import type { PairInstance } from '../chain/entries.ts'
import { type Amounts, FEE_DENOMINATOR, FEE_NUMERATOR, type Pool, payoutSupply } from '../math/constant-product.ts'
import { feesEnabled, type PairContents, type PairState, type SoroswapState } from '../state/state.ts'
import { assetInfo } from './asset.ts'

/** Fraction of a swap's input that is the fee. */
export const FEE: DecimalText = scaledText((FEE_NUMERATOR * 10n ** 8n) / FEE_DENOMINATOR, 8)

/** A pair with everything that a value needs, as of one ledger. */
export interface ValuedPair extends ReservesValue {
  readonly pair: PairState
  readonly instance: PairInstance
  readonly pool: Pool
  /** Supply after the pending fee mint: the divisor of payouts. */
  readonly payoutSupply: bigint
  readonly tokens: readonly [ValuedToken, ValuedToken]
  /** Stored ones, raw, in the order of `tokens`. */
  readonly reserves: Amounts
  /** What the pair really holds. */
  readonly balances: Amounts
}

/** A pair's stored reserves and shares, and its real balances. */
export function heldBy({ instance, balances }: PairContents): Omit<Pool, 'kLast' | 'feesEnabled'> {
  return {
    reserve0: instance.reserve0,
    reserve1: instance.reserve1,
    // A token whose balance entries cannot be read counts with the stored reserve.
    balance0: balances.get(instance.token0)?.value ?? instance.reserve0,
    balance1: balances.get(instance.token1)?.value ?? instance.reserve1,
    totalSupply: instance.totalSupply,
  }
}

/** The pair as of its ledger, or null while its instance is not known. */
export function valuePair(
  state: SoroswapState,
  pair: PairState,
  at: At,
  { network, pricing }: { readonly network: Network; readonly pricing: Pricing },
): ValuedPair | null {
  const instance = pair.instance?.value
  if (instance === undefined) return null
  const ids = [instance.token0, instance.token1] as const
  const reserves = [instance.reserve0, instance.reserve1] as const
  const impliedBy = [constantProductQuote(pair.pair, ids, reserves)]
  const decimalsOf = (asset: ContractId) => assetInfo(state, asset, network).decimals
  const tokens = ids.map((id) =>
    valuedToken(assetInfo(state, id, network), pricing.priceOf(state.pricing, id, at, { impliedBy, decimalsOf })),
  ) as [ValuedToken, ValuedToken]
  const pool: Pool = {
    ...heldBy({ instance, balances: pair.balances }),
    kLast: instance.kLast ?? 0n,
    feesEnabled: feesEnabled(state, pair),
  }
  return {
    pair,
    instance,
    tokens,
    pool,
    reserves,
    balances: [pool.balance0, pool.balance1],
    payoutSupply: payoutSupply(pool),
    ...valueReserves(tokens, reserves),
  }
}
