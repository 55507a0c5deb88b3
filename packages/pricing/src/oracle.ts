// Types that all oracles share: assets, prices (SEP-40), and the state of one oracle.

import type { ContractId, EntryRecord, TtlRecord } from '@orrery/ledger'
import { address, type ScVal, type Shape, sc, symbol, variant } from '@orrery/ledger'

/** `Asset` of SEP-40: a token contract, or the symbol of an asset outside Stellar. */
export type OracleAsset = { readonly kind: 'stellar'; readonly contract: ContractId } | { readonly kind: 'other'; readonly symbol: string }

/** `PriceData` of SEP-40. */
export interface OraclePrice {
  /** Raw, in the oracle's base and decimals. */
  readonly price: bigint
  /** Time of the price according to the oracle, unix seconds. */
  readonly timestampSeconds: number
}

/** Facts that an oracle reports about itself. */
export interface FeedFacts {
  /** Null for a contract that has none. */
  readonly lastTimestampSeconds: number | null
  readonly resolutionSeconds: number | null
  readonly decimals: number
  readonly base: OracleAsset
  readonly assets: readonly OracleAsset[]
  /** Major version of its code, if known. */
  readonly version: number | null
}

/** Why a change could not be used. It is counted as a notice, and the previous value stays. */
export type Unusable = 'unknown_entry' | 'unexpected_shape'

/**
 * The state of one contract, and how it changes. It consists of a few keyed JSON values, each a state row:
 * the fold marks the keys that changed, and `load` restores them.
 */
export interface Book {
  /** Keys whose value may have changed since the caller last cleared them. */
  readonly dirty: Set<string>
  /** Applies one change of the contract's entries in `ledger`, or returns why it cannot. */
  apply(record: EntryRecord | TtlRecord, ledger: number): Unusable | null
  /** True if the state includes the entry of the record but has no value of it yet, so that the value before the change is needed. */
  needsPreImage(record: EntryRecord): boolean
  /** The value of a key as JSON, or null if there is none. */
  value(key: string): unknown
  /** Restores the value of a key. */
  restore(key: string, value: unknown): void
}

/** How oracles name assets: a token by its contract, everything else (`USD`, `BTC`) by a symbol. */
export const stellarAsset = (contract: ContractId): OracleAsset => ({ kind: 'stellar', contract })
export const otherAsset = (symbol: string): OracleAsset => ({ kind: 'other', symbol })

/** Unique text of an asset: the contract id, or `other:USD`. No contract id has a colon. */
export function assetName(asset: OracleAsset): string {
  return asset.kind === 'stellar' ? asset.contract : `other:${asset.symbol}`
}

/** The inverse of `assetName`. */
export function assetOfName(name: string): OracleAsset {
  return name.startsWith('other:') ? otherAsset(name.slice('other:'.length)) : stellarAsset(name)
}

const AssetVariant = variant({ Stellar: [address], Other: [symbol] })

/** The inverse of `assetShape`. */
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
