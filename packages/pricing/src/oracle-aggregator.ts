// Blend's oracle aggregator: it stores no prices, but reads those of other oracles and checks them.
// Source: oracle-aggregator src/{contract,price_data,storage,types}.rs.

import type { ContractId, EntryRecord, TtlRecord } from '@orrery/ledger'
import { address, dict, struct, u32, u64, vec } from '@orrery/ledger'
import type { At } from '@orrery/protocol-kit'
import { isInstanceKey, readStorage, symbolKey } from './instance-storage.ts'
import {
  assetName,
  assetOfName,
  assetShape,
  type Book,
  type FeedFacts,
  type OracleAsset,
  type OraclePrice,
  type Unusable,
} from './oracle.ts'
import { tenTo } from './usd.ts'

/** The functions of another oracle that the aggregator calls. */
export interface PriceFeed {
  facts(): FeedFacts | null
  price(asset: OracleAsset, timestampSeconds: number, at: At): OraclePrice | null
}

const KEY = {
  base: symbolKey('Base'),
  decimals: symbolKey('Decimals'),
  maxAge: symbolKey('MaxAge'),
  assets: symbolKey('Assets'),
  baseAssets: symbolKey('BaseAssets'),
  oracles: symbolKey('Oracles'),
}
const AssetConfigShape = struct({ asset: assetShape, oracle_index: u32, max_dev: u32 })
const OracleConfigShape = struct({ address, decimals: u32, index: u32, resolution: u32 })

interface AssetConfig {
  /** Name of the asset in the other oracle. */
  readonly asset: string
  readonly oracleIndex: number
  /** Percent by which a price may differ from the previous one; 0, and 100 or more: not checked. */
  readonly maxDeviationPct: number
}

interface SourceConfig {
  readonly contract: ContractId
  readonly decimals: number
  readonly resolutionSeconds: number
}

interface Settings {
  readonly base: string
  readonly decimals: number
  readonly maxAgeSeconds: number
  readonly baseAssets: readonly string[]
  readonly sources: readonly SourceConfig[]
  readonly assets: Readonly<Record<string, AssetConfig>>
}

export class OracleAggregator implements Book {
  readonly dirty = new Set<string>()
  #settings: Settings | null = null
  /** The result of `facts`: computed when the settings change, needed at every price. */
  #facts: FeedFacts | null = null

  static keys(): string[] {
    return ['settings']
  }

  needsPreImage(record: EntryRecord): boolean {
    return this.#settings === null && isInstanceKey(record.key)
  }

  apply(record: EntryRecord | TtlRecord): Unusable | null {
    if (!isInstanceKey(record.key)) return 'unknown_entry'
    if (record.kind !== 'entry' || record.value === null) return null
    const settings = readStorage(record.value, ({ get }): Settings | null => {
      const base = get(KEY.base, assetShape)
      const decimals = get(KEY.decimals, u32)
      const maxAge = get(KEY.maxAge, u64)
      if (base === null || decimals === null || maxAge === null) return null
      const configs = get(KEY.assets, dict(assetShape, AssetConfigShape)) ?? []
      return {
        base,
        decimals,
        maxAgeSeconds: Number(maxAge),
        baseAssets: get(KEY.baseAssets, vec(assetShape)) ?? [],
        sources: (get(KEY.oracles, vec(OracleConfigShape)) ?? []).map((oracle) => ({
          contract: oracle.address,
          decimals: oracle.decimals,
          resolutionSeconds: oracle.resolution,
        })),
        assets: Object.fromEntries(
          configs.map(([name, config]) => [
            name,
            { asset: config.asset, oracleIndex: config.oracle_index, maxDeviationPct: config.max_dev },
          ]),
        ),
      }
    })
    if (settings === null) return 'unexpected_shape'
    this.#setSettings(settings)
    this.dirty.add('settings')
    return null
  }

  /** Whether the aggregator defines the asset as one unit of the base, without a measured price. */
  isBase(asset: OracleAsset): boolean {
    const name = assetName(asset)
    return this.#settings !== null && (name === this.#settings.base || this.#settings.baseAssets.includes(name))
  }

  /** The oracle of an asset's price. */
  sourceOf(asset: OracleAsset): ContractId | null {
    const config = this.#settings?.assets[assetName(asset)]
    return config === undefined ? null : (this.#settings?.sources[config.oracleIndex]?.contract ?? null)
  }

  /** The oracles that it uses, each once. */
  sources(): readonly ContractId[] {
    return [...new Set((this.#settings?.sources ?? []).map(({ contract }) => contract))]
  }

  /** Age in seconds up to which a round is a price. 0 before it was set up. */
  maxAgeSeconds(): number {
    return this.#settings?.maxAgeSeconds ?? 0
  }

  /** `lastprice`. `feedOf` returns the other oracles at the same moment, or null for one that cannot be read, whose assets then have no price. */
  lastPrice(asset: OracleAsset, at: At, feedOf: (contract: ContractId) => PriceFeed | null): OraclePrice | null {
    const settings = this.#settings
    if (settings === null) return null
    if (this.isBase(asset)) return { price: tenTo(settings.decimals), timestampSeconds: at.closeTimeSeconds }
    const config = settings.assets[assetName(asset)]
    const source = config === undefined ? undefined : settings.sources[config.oracleIndex]
    const feed = source === undefined ? null : feedOf(source.contract)
    if (config === undefined || source === undefined || feed === null) return null
    const found = checkedPrice(feed, source, config, settings.maxAgeSeconds, at)
    return found === null ? null : { ...found, price: rescale(found.price, source.decimals, settings.decimals) }
  }

  facts(): FeedFacts | null {
    return this.#facts
  }

  value(): unknown {
    if (this.#settings === null) return null
    const { base, decimals, maxAgeSeconds, baseAssets, sources, assets } = this.#settings
    return {
      base,
      decimals,
      max_age_seconds: String(maxAgeSeconds),
      base_assets: baseAssets,
      sources: sources.map((source) => ({
        contract: source.contract,
        decimals: source.decimals,
        resolution_seconds: String(source.resolutionSeconds),
      })),
      assets: Object.entries(assets).map(([name, { asset, oracleIndex, maxDeviationPct }]) => ({
        name,
        asset,
        oracle_index: oracleIndex,
        max_deviation_pct: maxDeviationPct,
      })),
    }
  }

  restore(_key: string, value: unknown): void {
    const stored = value as StoredSettings
    this.#setSettings({
      base: stored.base,
      decimals: stored.decimals,
      maxAgeSeconds: Number(stored.max_age_seconds),
      baseAssets: stored.base_assets,
      sources: stored.sources.map(({ resolution_seconds, ...source }) => ({ ...source, resolutionSeconds: Number(resolution_seconds) })),
      assets: Object.fromEntries(
        stored.assets.map(({ name, asset, oracle_index, max_deviation_pct }) => [
          name,
          { asset, oracleIndex: oracle_index, maxDeviationPct: max_deviation_pct },
        ]),
      ),
    })
  }

  #setSettings(settings: Settings): void {
    this.#settings = settings
    this.#facts = {
      lastTimestampSeconds: null,
      resolutionSeconds: null,
      decimals: settings.decimals,
      base: assetOfName(settings.base),
      assets: [...settings.baseAssets, ...Object.keys(settings.assets)].map(assetOfName),
      version: null,
    }
  }
}

/**
 * Goes back from the source's newest round, one resolution per step, to the first round that has a price and is not older than the maximum age.
 * With a deviation limit the next older price (at most ⌊maxAge / resolution⌋ steps further back) must exist and be close:
 *
 *   |price − older| ≤ older · limit / 100          division towards zero
 *
 * It calls `price`, not `lastprice`, so it still returns a price when `lastprice` of the source returns none.
 */
function checkedPrice(feed: PriceFeed, source: SourceConfig, config: AssetConfig, maxAgeSeconds: number, at: At): OraclePrice | null {
  const asset = assetOfName(config.asset)
  const oldest = at.closeTimeSeconds - maxAgeSeconds
  const step = source.resolutionSeconds
  const last = feed.facts()?.lastTimestampSeconds ?? null
  if (last === null || step === 0) return null

  let price: OraclePrice | null = null
  let timestamp = last
  for (; price === null && timestamp >= oldest; timestamp -= step) price = feed.price(asset, timestamp, at)
  if (price === null || price.timestampSeconds < oldest) return null

  if (config.maxDeviationPct > 0 && config.maxDeviationPct < 100) {
    let older: OraclePrice | null = null
    for (let n = Math.floor(maxAgeSeconds / step); n > 0 && older === null; n--, timestamp -= step) {
      older = feed.price(asset, timestamp, at)
    }
    if (older === null) return null
    const moved = price.price > older.price ? price.price - older.price : older.price - price.price
    if (moved > (older.price * BigInt(config.maxDeviationPct)) / 100n) return null
  }
  return price
}

/** Converts between numbers of decimals, rounding towards zero as the contract does. */
function rescale(price: bigint, from: number, to: number): bigint {
  return from > to ? price / tenTo(from - to) : price * tenTo(to - from)
}

interface StoredSettings {
  readonly base: string
  readonly decimals: number
  readonly max_age_seconds: string
  readonly base_assets: readonly string[]
  readonly sources: readonly { readonly contract: ContractId; readonly decimals: number; readonly resolution_seconds: string }[]
  readonly assets: readonly {
    readonly name: string
    readonly asset: string
    readonly oracle_index: number
    readonly max_deviation_pct: number
  }[]
}
