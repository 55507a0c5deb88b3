// FxDAO's price feed: how many units of a currency one XLM is worth. It has no events, and two temporary entries for each currency:
// the time of the newest record, and the record of that time. If either expires, there is no rate.
// Source: the deployed code (hash ebac5ad4…), read by its behaviour; docs/pricing.md, "FxDAO's feed".

import type { EntryRecord, TtlRecord } from '@orrery/ledger'
import { address, i128, matches, type ScVal, sc, struct, u32, u64, variant, vec, writeScVal } from '@orrery/ledger'
import type { At, EntryName } from '@orrery/protocol-kit'
import { isInstanceKey, readStorage, variantKey } from './instance-storage.ts'
import {
  assetName,
  assetOfName,
  assetScVal,
  assetShape,
  type Book,
  type FeedFacts,
  type OracleAsset,
  type OraclePrice,
  type Unusable,
} from './oracle.ts'

const KeyShape = variant({
  AssetsData: [],
  AssetLastStamp: [assetShape],
  AssetRecord: [struct({ asset: assetShape, timestamp: u64 })],
  Quota: [address],
})
const RecordShape = struct({ price: i128, timestamp: u64 })
const AssetsShape = struct({ assets: vec(assetShape), base: assetShape })
const CORE_DATA = variantKey('CoreData')
const CoreShape = struct({ dp: u32 })

interface Rate {
  /** Unix seconds of the newest record, and the live-until ledger of the entry with that time. */
  readonly stampSeconds: number
  readonly stampLiveUntil: number
  readonly price: bigint
  readonly recordSeconds: number
  readonly recordLiveUntil: number
}

const NO_RATE: Rate = { stampSeconds: 0, stampLiveUntil: 0, price: 0n, recordSeconds: 0, recordLiveUntil: 0 }

export class CurrencyRates implements Book {
  readonly dirty = new Set<string>()
  /** Names of assets whose rate changed since the caller last cleared them. */
  readonly changedAssets = new Set<string>()
  #base: string | null = null
  #assets: readonly string[] = []
  #decimals: number | null = null
  readonly #rates = new Map<string, Rate>()

  static keys(): string[] {
    return ['settings', 'rates']
  }

  needsPreImage(record: EntryRecord): boolean {
    const key = matches(KeyShape, record.key)
    if (key === null) return this.#decimals === null && isInstanceKey(record.key)
    if (key.name === 'AssetsData') return this.#base === null
    if (key.name === 'AssetLastStamp') return !this.#rates.has(key.values[0])
    return key.name === 'AssetRecord' && record.change === 'bootstrap' && !this.#rates.get(key.values[0].asset)?.recordSeconds
  }

  apply(record: EntryRecord | TtlRecord): Unusable | null {
    if (isInstanceKey(record.key)) return this.#applyCore(record)
    const key = matches(KeyShape, record.key)
    if (key === null) return 'unknown_entry'
    switch (key.name) {
      case 'AssetsData':
        return this.#applyAssets(record)
      case 'AssetLastStamp':
        return this.#applyStamp(key.values[0], record)
      case 'AssetRecord':
        return this.#applyRecord(key.values[0].asset, Number(key.values[0].timestamp), record)
      case 'Quota': // limits of callers
        return null
    }
  }

  /** `lastprice`: here the amount of the currency for one XLM. */
  lastPrice(asset: OracleAsset, at: At): OraclePrice | null {
    const rate = this.#rates.get(assetName(asset))
    if (rate === undefined || rate.stampSeconds === 0 || rate.recordSeconds !== rate.stampSeconds) return null
    if (!isLive(rate.stampLiveUntil, at) || !isLive(rate.recordLiveUntil, at)) return null
    return { price: rate.price, timestampSeconds: rate.recordSeconds }
  }

  facts(): FeedFacts | null {
    if (this.#base === null || this.#decimals === null) return null
    return {
      lastTimestampSeconds: null,
      resolutionSeconds: null,
      decimals: this.#decimals,
      base: assetOfName(this.#base),
      assets: this.#assets.map(assetOfName),
      version: null,
    }
  }

  value(key: string): unknown {
    if (key === 'settings') {
      return this.#base === null && this.#decimals === null ? null : { base: this.#base, decimals: this.#decimals, assets: this.#assets }
    }
    if (this.#rates.size === 0) return null
    return [...this.#rates]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([asset, rate]) => ({
        asset,
        stamp_seconds: String(rate.stampSeconds),
        stamp_live_until: rate.stampLiveUntil,
        price: String(rate.price),
        record_seconds: String(rate.recordSeconds),
        record_live_until: rate.recordLiveUntil,
      }))
  }

  restore(key: string, value: unknown): void {
    if (key === 'settings') {
      const stored = value as { base: string | null; decimals: number | null; assets: string[] }
      this.#base = stored.base
      this.#decimals = stored.decimals
      this.#assets = stored.assets
      return
    }
    for (const stored of value as StoredRate[]) {
      this.#rates.set(stored.asset, {
        stampSeconds: Number(stored.stamp_seconds),
        stampLiveUntil: stored.stamp_live_until,
        price: BigInt(stored.price),
        recordSeconds: Number(stored.record_seconds),
        recordLiveUntil: stored.record_live_until,
      })
    }
  }

  #applyCore(record: EntryRecord | TtlRecord): Unusable | null {
    if (record.kind !== 'entry' || record.value === null) return null
    const core = readStorage(record.value, ({ get }) => ({ dp: get(CORE_DATA, CoreShape)?.dp ?? null }))
    if (core === null) return 'unexpected_shape'
    if (core.dp !== null) this.#decimals = core.dp
    this.dirty.add('settings')
    return null
  }

  #applyAssets(record: EntryRecord | TtlRecord): Unusable | null {
    if (record.kind !== 'entry' || record.value === null) return null
    const assets = matches(AssetsShape, record.value)
    if (assets === null) return 'unexpected_shape'
    this.#base = assets.base
    this.#assets = assets.assets
    this.dirty.add('settings')
    return null
  }

  #applyStamp(asset: string, record: EntryRecord | TtlRecord): Unusable | null {
    const rate = this.#rates.get(asset) ?? NO_RATE
    const stampLiveUntil = liveUntilAfter(record, rate.stampLiveUntil)
    if (record.kind === 'ttl') return this.#set(asset, { ...rate, stampLiveUntil })
    if (record.value === null) return this.#set(asset, { ...rate, stampSeconds: 0 })
    const stamp = matches(u64, record.value)
    if (stamp === null) return 'unexpected_shape'
    return this.#set(asset, { ...rate, stampSeconds: Number(stamp), stampLiveUntil })
  }

  #applyRecord(asset: string, seconds: number, record: EntryRecord | TtlRecord): Unusable | null {
    const rate = this.#rates.get(asset) ?? NO_RATE
    if (seconds < rate.recordSeconds) return null // an older record, which is never read again
    const recordLiveUntil = liveUntilAfter(record, seconds === rate.recordSeconds ? rate.recordLiveUntil : 0)
    if (record.kind === 'ttl') return seconds === rate.recordSeconds ? this.#set(asset, { ...rate, recordLiveUntil }) : null
    if (record.value === null) return this.#set(asset, { ...rate, recordSeconds: 0 })
    const found = matches(RecordShape, record.value)
    if (found === null) return 'unexpected_shape'
    this.changedAssets.add(asset)
    return this.#set(asset, { ...rate, price: found.price, recordSeconds: seconds, recordLiveUntil })
  }

  #set(asset: string, rate: Rate): null {
    this.#rates.set(asset, rate)
    this.dirty.add('rates')
    return null
  }
}

/** Bootstrap entries of a feed that predates the index: of each asset the time of the newest record, and that record. */
export function ratesNamedBy(read: EntryRecord): EntryName[] {
  const name = (key: ScVal, durability: EntryName['durability']): EntryName => ({
    contract: read.contract,
    key: writeScVal(key),
    durability,
  })
  if (isInstanceKey(read.key)) return [name(sc.vec(sc.symbol('AssetsData')), 'persistent')]
  const key = matches(KeyShape, read.key)
  if (key === null || read.value === null) return []
  if (key.name === 'AssetsData') {
    const assets = matches(AssetsShape, read.value)?.assets ?? []
    return assets.map((asset) => name(sc.vec(sc.symbol('AssetLastStamp'), assetScVal(assetOfName(asset))), 'temporary'))
  }
  const timestamp = key.name === 'AssetLastStamp' ? matches(u64, read.value) : null
  if (key.name !== 'AssetLastStamp' || timestamp === null) return []
  const record = sc.struct({ asset: assetScVal(assetOfName(key.values[0])), timestamp: sc.u64(timestamp) })
  return [name(sc.vec(sc.symbol('AssetRecord'), record), 'temporary')]
}

/** A created entry has a new TTL. Otherwise TTLs never decrease; parallel clusters of a ledger may report different ones (CAP-63), and the maximum holds. */
function liveUntilAfter(record: EntryRecord | TtlRecord, before: number): number {
  if (record.liveUntil === null) return before
  return record.kind === 'entry' && record.change === 'created' ? record.liveUntil : Math.max(before, record.liveUntil)
}

/** 0 means unknown, which occurs only if the entry was written before the index began. */
function isLive(liveUntil: number, at: At): boolean {
  return liveUntil === 0 || liveUntil >= at.ledger
}

interface StoredRate {
  readonly asset: string
  readonly stamp_seconds: string
  readonly stamp_live_until: number
  readonly price: string
  readonly record_seconds: string
  readonly record_live_until: number
}
