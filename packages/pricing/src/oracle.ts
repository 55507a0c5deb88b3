// The nouns that all oracles share: what they list, what they answer (SEP-40), and what is remembered of one.

import type { ContractId, EntryRecord, TtlRecord } from '@orrery/ledger'
import { address, type ScVal, type Shape, sc, symbol, variant } from '@orrery/ledger'

/** `Asset` of SEP-40: a token contract, or a symbol of the world outside. */
export type OracleAsset = { readonly kind: 'stellar'; readonly contract: ContractId } | { readonly kind: 'other'; readonly symbol: string }

/** `PriceData` of SEP-40. */
export interface OraclePrice {
  /** Raw, in the oracle's base and decimals. */
  readonly price: bigint
  /** When the oracle says it was true, unix seconds. */
  readonly timestampSeconds: number
}

/** What an oracle says of itself. */
export interface FeedFacts {
  /** Null for a contract that has no such notion. */
  readonly lastTimestampSeconds: number | null
  readonly resolutionSeconds: number | null
  readonly decimals: number
  readonly base: OracleAsset
  readonly assets: readonly OracleAsset[]
  /** Major version of its code, where we know it. */
  readonly version: number | null
}

/** Why a change could not be used. It is counted, and what was known before stays. */
export type Unusable = 'unknown_entry' | 'unexpected_shape'

/**
 * What is remembered of one contract, and how it changes. Its memory is a few keyed JSON values, each a state row:
 * the fold marks the keys that changed, a loader gives them back.
 */
export interface Book {
  /** Keys whose value may have changed since the caller last cleared them. */
  readonly dirty: Set<string>
  /** Applies one change of the contract's entries that `ledger` made, or says why it cannot. */
  apply(record: EntryRecord | TtlRecord, ledger: number): Unusable | null
  /** True when the record's entry is one that we remember and have not seen yet: its value before is then news as well. */
  adopts(record: EntryRecord): boolean
  /** The remembered value as JSON, or null when there is none. */
  value(key: string): unknown
  /** Takes a remembered value back. */
  restore(key: string, value: unknown): void
}

/** How oracles name assets: a token by its contract, everything else (`USD`, `BTC`) by a symbol. */
export const stellarAsset = (contract: ContractId): OracleAsset => ({ kind: 'stellar', contract })
export const otherAsset = (symbol: string): OracleAsset => ({ kind: 'other', symbol })

/** One text for one asset: the contract id, or `other:USD`. No contract id has a colon. */
export function assetName(asset: OracleAsset): string {
  return asset.kind === 'stellar' ? asset.contract : `other:${asset.symbol}`
}

/** The asset that `assetName` made the text of. */
export function assetOfName(name: string): OracleAsset {
  return name.startsWith('other:') ? otherAsset(name.slice('other:'.length)) : stellarAsset(name)
}

const AssetVariant = variant({ Stellar: [address], Other: [symbol] })

/** What `assetShape` reads. */
export function assetScVal(asset: OracleAsset): ScVal {
  return asset.kind === 'stellar'
    ? sc.vec(sc.symbol('Stellar'), sc.address(asset.contract))
    : sc.vec(sc.symbol('Other'), sc.symbol(asset.symbol))
}

/** `Vec[Symbol Stellar, Address]` or `Vec[Symbol Other, Symbol]`, as the asset's name. */
export const assetShape: Shape<string> = {
  name: 'oracle asset',
  read: (reader) => {
    const asset = AssetVariant.read(reader)
    if (typeof asset === 'symbol') return asset
    return asset.name === 'Stellar' ? asset.values[0] : `other:${asset.values[0]}`
  },
}
