// A Reflector feed, code v4 and v6. It is upgraded in place, so its storage shows which version it has.
// v4 stores one temporary entry per asset and round (u128 key), v6 one per round (u64 key) and the newest rounds in its instance.
// After an upgrade v6 reads the old form for a day (`protocol` 1) and then the new one, without a transaction for the switch.
// Source: reflector-contract v4.1.0 src/lib.rs and v6.0.0 oracle/src/{prices,protocol,timestamps,mapping,assets}.rs.

import type { EntryRecord, TtlRecord } from '@orrery/ledger'
import { bytes, type Instance, i128, matches, type Of, struct, tuple, u32, u64, u128, vec } from '@orrery/ledger'
import type { At } from '@orrery/protocol-kit'
import { isInstanceKey, readStorage, sameBytes, stringKey } from './instance-storage.ts'
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
import { ReflectorRounds, type Round } from './reflector-rounds.ts'

const DAY_MS = 86_400_000
/** The protocol number of a feed that reads rounds in v6's form. */
const CURRENT_PROTOCOL = 2
/** Number of resolutions that v6 looks back: older rounds have no price, even if their entry exists. */
const PERIODS = 256

/** Known code by hash of its wasm: only for `version`; nothing else depends on it. */
const KNOWN_CODE: Readonly<Record<string, number>> = {
  df88820e231ad8f3027871e5dd3cf45491d7b7735e785731466bfc2946008608: 4,
  '77b7faf45d641344d5febc00a8ba806416dc502a93d0f6027adfccd4552c282f': 4,
  '3478b0387c405f99e7315c04a652586d90c2903ee853d8f2b622c65c752b4629': 6,
}

const KEY = {
  assets: stringKey('assets'),
  baseAsset: stringKey('base_asset'),
  cache: stringKey('cache'),
  cacheSize: stringKey('cache_size'),
  decimals: stringKey('decimals'),
  lastTimestamp: stringKey('last_timestamp'),
  protocol: stringKey('protocol'),
  protocolUpdate: stringKey('protocol_update'),
  resolution: stringKey('resolution'),
}
/** The members that `settingsIn` reads. The others are written with every round. */
const SET_UP_KEYS = [KEY.assets, KEY.baseAsset, KEY.cacheSize, KEY.decimals, KEY.protocol, KEY.protocolUpdate, KEY.resolution]

const UpdateShape = struct({ mask: bytes, prices: vec(i128) })
type Update = Of<typeof UpdateShape>
const CacheShape = vec(tuple(u64, UpdateShape))
const AssetsShape = vec(assetShape)

interface Settings {
  readonly base: string
  readonly decimals: number
  readonly resolutionMs: number
  /** Names of assets; the index is the one in rounds. */
  readonly assets: readonly string[]
  /** 1 until v6 changes it. */
  readonly protocol: number
  /** Time at which v6 first noticed protocol 1, unix milliseconds; 0 if it has not. */
  readonly protocolUpdateMs: number
  readonly version: number
}

interface Feed {
  /** 0 before the first round. */
  readonly lastTimestampMs: number
  /** Rounds in the instance: they outlive their temporary entries. */
  readonly cachedMs: readonly number[]
}

export class Reflector implements Book {
  readonly dirty = new Set<string>()
  /** Rounds whose prices changed since the caller last cleared them, unix seconds. */
  readonly changedSeconds = new Set<number>()
  #settings: Settings | null = null
  /** The bytes from which the settings were read: the instance changes with every round, but these bytes rarely do. */
  #setUpBytes: Uint8Array | null = null
  /** Base and assets of the settings, as `facts` returns them. */
  #listed: Pick<FeedFacts, 'base' | 'assets'> | null = null
  #index = new Map<string, number>()
  #feed: Feed = { lastTimestampMs: 0, cachedMs: [] }
  readonly #rounds = new ReflectorRounds()

  static keys(): string[] {
    return ['settings', 'feed', ...ReflectorRounds.keys()]
  }

  needsPreImage(record: EntryRecord): boolean {
    return this.#settings === null && isInstanceKey(record.key)
  }

  apply(record: EntryRecord | TtlRecord): Unusable | null {
    if (isInstanceKey(record.key)) return record.kind === 'entry' && record.value !== null ? this.#applyInstance(record.value) : null
    const roundMs = matches(u64, record.key)
    if (roundMs !== null) return this.#applyUpdate(Number(roundMs), record)
    const legacyKey = matches(u128, record.key)
    if (legacyKey !== null) return this.#applyLegacy(Number(legacyKey >> 64n), Number(legacyKey & 0xffff_ffff_ffff_ffffn), record)
    return 'unknown_entry'
  }

  /** `lastprice`: null if the newest round is two resolutions old or lacks the asset. */
  lastPrice(asset: OracleAsset, at: At): OraclePrice | null {
    const settings = this.#settings
    const lastMs = this.#feed.lastTimestampMs
    const nowMs = at.closeTimeSeconds * 1000
    if (settings === null || lastMs === 0 || lastMs > nowMs || nowMs - lastMs >= settings.resolutionMs * 2) return null
    return this.#priceAt(asset, lastMs, at)
  }

  /** `price(asset, timestamp)`: of any round that still exists. */
  price(asset: OracleAsset, timestampSeconds: number, at: At): OraclePrice | null {
    const resolutionMs = this.#settings?.resolutionMs ?? 0
    if (resolutionMs === 0) return null
    return this.#priceAt(asset, Math.floor((timestampSeconds * 1000) / resolutionMs) * resolutionMs, at)
  }

  facts(): FeedFacts | null {
    const settings = this.#settings
    if (settings === null || this.#listed === null) return null
    return {
      ...this.#listed,
      lastTimestampSeconds: Math.floor(this.#feed.lastTimestampMs / 1000),
      resolutionSeconds: Math.floor(settings.resolutionMs / 1000),
      decimals: settings.decimals,
      version: settings.version,
    }
  }

  value(key: string): unknown {
    if (key === 'settings') return this.#settings === null ? null : storedSettings(this.#settings)
    if (key === 'feed') {
      const { lastTimestampMs, cachedMs } = this.#feed
      return lastTimestampMs === 0 ? null : { last_timestamp_ms: String(lastTimestampMs), cached_ms: cachedMs.map(String) }
    }
    return this.#rounds.value(key)
  }

  restore(key: string, value: unknown): void {
    if (key === 'settings') this.#setSettings(settingsOf(value as StoredSettings))
    else if (key === 'feed') {
      const { last_timestamp_ms, cached_ms } = value as { last_timestamp_ms: string; cached_ms: string[] }
      this.#feed = { lastTimestampMs: Number(last_timestamp_ms), cachedMs: cached_ms.map(Number) }
    } else this.#rounds.restore(key, value)
  }

  #setSettings(settings: Settings): void {
    this.#settings = settings
    this.#listed = { base: assetOfName(settings.base), assets: settings.assets.map(assetOfName) }
    this.#index = new Map(settings.assets.map((asset, n) => [asset, n]))
  }

  #priceAt(asset: OracleAsset, timestampMs: number, at: At): OraclePrice | null {
    const settings = this.#settings
    const index = this.#index.get(assetName(asset))
    const round = this.#rounds.get(timestampMs)
    if (settings === null || index === undefined || round === null) return null
    const price = round.prices[index] ?? null
    if (price === null || !this.#readable(round, price, settings, at)) return null
    return { price, timestampSeconds: Math.floor(timestampMs / 1000) }
  }

  #readable(round: Round, price: bigint, settings: Settings, at: At): boolean {
    const live = round.liveUntil === 0 || round.liveUntil >= at.ledger
    if (!readsUpdates(settings, at)) return round.legacy && live && price !== 0n
    const periods = (this.#feed.lastTimestampMs - round.timestampMs) / settings.resolutionMs
    // The history of v6 marks only prices above zero, and v6 reads a round from its instance before it reads the entry.
    return round.update && price > 0n && periods >= 0 && periods < PERIODS && (live || this.#feed.cachedMs.includes(round.timestampMs))
  }

  #applyInstance(value: Uint8Array): Unusable | null {
    const read = readStorage(value, (instance) => {
      const setUpBytes = setUpBytesOf(instance)
      const isKnown = this.#setUpBytes !== null && sameBytes(setUpBytes, this.#setUpBytes)
      return {
        setUpBytes,
        settings: isKnown ? this.#settings : settingsIn(instance),
        lastTimestampMs: Number(instance.get(KEY.lastTimestamp, u64) ?? 0n),
        cache: instance.get(KEY.cache, CacheShape) ?? [],
      }
    })
    if (read === null) return 'unexpected_shape'
    if (read.settings !== null && read.settings !== this.#settings) {
      this.#setSettings(read.settings)
      this.dirty.add('settings')
    }
    this.#setUpBytes = read.setUpBytes
    this.#feed = { lastTimestampMs: read.lastTimestampMs, cachedMs: read.cache.map(([ms]) => Number(ms)) }
    this.dirty.add('feed')
    // If the index begins after the feed, only the cache in the instance has the newest rounds.
    for (const [ms, update] of read.cache) if (this.#rounds.get(Number(ms))?.update !== true) this.#setUpdate(Number(ms), update)
    return null
  }

  #applyUpdate(roundMs: number, record: EntryRecord | TtlRecord): Unusable | null {
    if (record.kind === 'entry' && record.value !== null) {
      const update = matches(UpdateShape, record.value)
      if (update === null) return 'unexpected_shape'
      this.#setUpdate(roundMs, update)
    }
    this.#setLife(roundMs, record)
    return null
  }

  #setUpdate(roundMs: number, update: Update): void {
    const round = this.#rounds.open(roundMs)
    if (round === null) return
    round.update = true
    round.prices = unpack(update)
    this.#changed(roundMs)
  }

  #applyLegacy(roundMs: number, index: number, record: EntryRecord | TtlRecord): Unusable | null {
    if (record.kind === 'entry' && record.value !== null) {
      const price = matches(i128, record.value)
      if (price === null) return 'unexpected_shape'
      const round = this.#rounds.open(roundMs)
      if (round !== null) {
        round.legacy = true
        while (round.prices.length < index) round.prices.push(null)
        round.prices[index] = price
        this.#changed(roundMs)
      }
    }
    this.#setLife(roundMs, record)
    return null
  }

  /** One call writes all entries of a round with the same TTL, so the round has one. A removal removes the round. */
  #setLife(roundMs: number, record: EntryRecord | TtlRecord): void {
    if (record.kind === 'entry' && record.value === null) this.#rounds.remove(roundMs)
    const round = this.#rounds.get(roundMs)
    if (round !== null && record.liveUntil !== null) round.liveUntil = Math.max(round.liveUntil, record.liveUntil)
    this.dirty.add(this.#rounds.keyAt(roundMs))
  }

  #changed(roundMs: number): void {
    this.dirty.add(this.#rounds.keyAt(roundMs))
    this.changedSeconds.add(Math.floor(roundMs / 1000))
  }
}

/** The bytes from which settings are read: a copy, so that the ledger is not kept in memory. */
function setUpBytesOf({ executable, entries }: Instance): Uint8Array {
  const code = executable.kind === 'wasm' ? executable.hash : ''
  const kept = entries.filter(({ key }) => SET_UP_KEYS.some((of) => sameBytes(key, of)))
  return Buffer.concat([Buffer.from(code), ...kept.flatMap(({ key, value }) => [key, value])])
}

/** Null if the feed was created, but is not configured yet. */
function settingsIn({ executable, get }: Instance): Settings | null {
  const protocol = get(KEY.protocol, u32)
  const protocolUpdateMs = get(KEY.protocolUpdate, u64)
  const isV6 = protocol !== null || protocolUpdateMs !== null || get(KEY.cacheSize, u32) !== null
  const resolutionMs = get(KEY.resolution, u32)
  const base = get(KEY.baseAsset, assetShape)
  const decimals = get(KEY.decimals, u32)
  if (resolutionMs === null || base === null || decimals === null) return null
  const codeHash = executable.kind === 'wasm' ? executable.hash : ''
  return {
    base,
    decimals,
    resolutionMs,
    assets: get(KEY.assets, AssetsShape) ?? [],
    protocol: protocol ?? 1,
    protocolUpdateMs: Number(protocolUpdateMs ?? 0n),
    version: KNOWN_CODE[codeHash] ?? (isV6 ? 6 : 4),
  }
}

/** Whether `lastprice` at that time reads v6's form: from a day after v6 first noticed protocol 1, even if the switch is not in storage yet. */
function readsUpdates({ protocol, protocolUpdateMs }: Settings, at: At): boolean {
  return protocol === CURRENT_PROTOCOL || (protocolUpdateMs !== 0 && protocolUpdateMs + DAY_MS < at.closeTimeSeconds * 1000)
}

/** Prices by asset index: bit (i mod 8) of mask byte ⌊i / 8⌋ is set if asset i is in the update; the prices follow each other without gaps. */
function unpack({ mask, prices }: Update): (bigint | null)[] {
  const unpacked: (bigint | null)[] = []
  let next = 0
  for (let index = 0; index < mask.length * 8; index++) {
    const isIn = ((mask[index >> 3] as number) >> (index & 7)) & 1
    if (isIn === 0) continue
    while (unpacked.length < index) unpacked.push(null)
    unpacked.push(prices[next++] ?? null)
  }
  return unpacked
}

interface StoredSettings {
  readonly base: string
  readonly decimals: number
  readonly resolution_ms: string
  readonly assets: readonly string[]
  readonly protocol: number
  readonly protocol_update_ms: string
  readonly version: number
}

function storedSettings(settings: Settings): StoredSettings {
  const { base, decimals, resolutionMs, assets, protocol, protocolUpdateMs, version } = settings
  return { base, decimals, resolution_ms: String(resolutionMs), assets, protocol, protocol_update_ms: String(protocolUpdateMs), version }
}

function settingsOf({ resolution_ms, protocol_update_ms, ...same }: StoredSettings): Settings {
  return { ...same, resolutionMs: Number(resolution_ms), protocolUpdateMs: Number(protocol_update_ms) }
}
