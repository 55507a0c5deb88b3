// The nouns that all oracles share: what they list and what they answer (SEP-40).

import type { ContractId } from '@orrery/ledger'

/** `Asset` of SEP-40: a token contract, or a symbol of the world outside. */
export type OracleAsset = { readonly kind: 'stellar'; readonly contract: ContractId } | { readonly kind: 'other'; readonly symbol: string }

/** `PriceData` of SEP-40. */
export interface OraclePrice {
  /** Raw, in the oracle's base and decimals. */
  readonly price: bigint
  /** When the oracle says it was true, unix seconds. */
  readonly timestampSeconds: number
}
