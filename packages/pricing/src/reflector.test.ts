import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractLedger, TrackedSet } from '@orrery/ledger'
import { loadNetwork } from '@orrery/protocols'
import { readBatchFile, sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { type OracleAsset, otherAsset, pricing, stellarAsset } from './index.ts'
import { Reflector } from './reflector.ts'
import { contract, legacyPrice, other, reflectorInstance, slice, stellar, update, updateRound } from './test-slices.ts'

const FEED = contract(1)
const XLM = contract(2)
const NOON = 1_700_000_400 // a multiple of 300
const DAY = 86_400
const assets = [stellar(XLM), other('EUR')]
const xlm = stellarAsset(XLM)
const eur = otherAsset('EUR')

function feed(...records: Parameters<Reflector['apply']>[0][]): Reflector {
  const made = new Reflector()
  for (const record of records) expect(made.apply(record)).toBeNull()
  return made
}

const priced = (reflector: Reflector, asset: OracleAsset, closeTimeSeconds: number, ledger = 10) =>
  reflector.lastPrice(asset, { ledger, closeTimeSeconds })?.price ?? null

describe('a feed with one entry an asset (code v4)', () => {
  const v4 = feed(reflectorInstance(FEED, { assets, lastSeconds: NOON }), legacyPrice(FEED, NOON, 0, 25n))

  it('lastprice is that of the newest round until it is two resolutions old', () => {
    expect(v4.lastPrice(xlm, { ledger: 10, closeTimeSeconds: NOON })).toEqual({ price: 25n, timestampSeconds: NOON })
    expect(priced(v4, xlm, NOON + 599)).toBe(25n)
    expect(priced(v4, xlm, NOON + 600)).toBeNull()
  })

  it('an asset that is not in the newest round, not listed, or in a future round has no lastprice', () => {
    expect(priced(v4, eur, NOON)).toBeNull()
    expect(priced(v4, stellarAsset(FEED), NOON)).toBeNull()
    expect(priced(v4, xlm, NOON - 1)).toBeNull()
  })

  it('price returns earlier rounds by time, rounded down to a round', () => {
    const later = feed(
      reflectorInstance(FEED, { assets, lastSeconds: NOON + 300 }),
      legacyPrice(FEED, NOON, 0, 25n),
      legacyPrice(FEED, NOON + 300, 1, 7n),
    )
    expect(priced(later, xlm, NOON + 310)).toBeNull()
    expect(later.price(xlm, NOON + 299, { ledger: 10, closeTimeSeconds: NOON + 310 })?.price).toBe(25n)
  })

  it('a price is absent once its entry has expired, without any event', () => {
    const short = feed(reflectorInstance(FEED, { assets, lastSeconds: NOON }), legacyPrice(FEED, NOON, 0, 25n, 15))
    expect(priced(short, xlm, NOON, 15)).toBe(25n)
    expect(priced(short, xlm, NOON, 16)).toBeNull()
  })
})

describe('a feed with one entry a round (code v6)', () => {
  it('prices of a v6 round are found by the bits of the mask', () => {
    const many = Array.from({ length: 10 }, (_, n) => other(`A${n}`))
    // Bits 1, 8 and 9: byte 0 = 2, byte 1 = 3.
    const v6 = feed(
      reflectorInstance(FEED, { assets: many, lastSeconds: NOON, protocol: 2 }),
      updateRound(FEED, NOON, update([2, 3], [11n, 18n, 19n])),
    )
    expect(many.map((_, n) => priced(v6, otherAsset(`A${n}`), NOON))).toEqual([null, 11n, null, null, null, null, null, null, 18n, 19n])
  })

  it('a price of zero or below counts as absent', () => {
    const v6 = feed(reflectorInstance(FEED, { assets, lastSeconds: NOON, protocol: 2 }), updateRound(FEED, NOON, update([3], [0n, -1n])))
    expect([priced(v6, xlm, NOON), priced(v6, eur, NOON)]).toEqual([null, null])
  })

  it('a round in the instance outlives its entry', () => {
    const round = update([1], [25n])
    const cached = reflectorInstance(FEED, { assets, lastSeconds: NOON, protocol: 2, cache: [[NOON, round]] })
    expect(priced(feed(updateRound(FEED, NOON, round, 15), cached), xlm, NOON, 16)).toBe(25n)
    const bare = reflectorInstance(FEED, { assets, lastSeconds: NOON, protocol: 2 })
    expect(priced(feed(updateRound(FEED, NOON, round, 15), bare), xlm, NOON, 16)).toBeNull()
  })

  it('a feed has the rounds of its instance before any round entry was observed', () => {
    const v6 = feed(reflectorInstance(FEED, { assets, lastSeconds: NOON, protocol: 2, cache: [[NOON, update([1], [25n])]] }))
    expect(priced(v6, xlm, NOON)).toBe(25n)
  })
})

describe('a feed that was upgraded in place', () => {
  it('an upgraded feed reads the old form for a day, then the new one, although no entry records the switch', () => {
    // A round that stands only in the new form tells which of the two is read.
    const now = NOON + DAY
    const upgraded = feed(
      reflectorInstance(FEED, { assets, lastSeconds: now, protocolUpdateSeconds: NOON }),
      updateRound(FEED, now, update([3], [25n, 7n])),
    )
    expect(priced(upgraded, xlm, now)).toBeNull() // exactly a day: not yet
    expect(priced(upgraded, xlm, now + 1)).toBe(25n)
  })

  it('an upgraded feed does not find rounds of the old form once it reads the new one', () => {
    const old = feed(reflectorInstance(FEED, { assets, lastSeconds: NOON, protocol: 2 }), legacyPrice(FEED, NOON, 0, 25n))
    expect(priced(old, xlm, NOON)).toBeNull()
  })
})

it('unknown entries do not stop a feed and are reported', () => {
  const made = new Reflector()
  expect(made.apply({ ...reflectorInstance(FEED, { assets, lastSeconds: NOON }), key: Uint8Array.of(0, 0, 0, 1) })).toBe('unknown_entry')
  expect(made.apply(updateRound(FEED, NOON, other('not a round')))).toBe('unexpected_shape')
  expect(made.facts()).toBeNull()
})

const ledgerFile = join(sharedDir() ?? '', 'ledgers/mainnet/FCD285FF--53312000.xdr.zstd')
const vectorFile = join(sharedDir() ?? '', 'reference/vectors/blend.json')

it.runIf(existsSync(ledgerFile) && existsSync(vectorFile))('reads the DEX feed of mainnet ledger 53,312,000 (from ../shared)', async () => {
  const network = await loadNetwork('mainnet')
  const prices = pricing(network)
  const tracked = new TrackedSet(network.passphrase)
  for (const { contract: id } of prices.roots('soroswap')) tracked.addContract(id)
  const [bytes] = await readBatchFile(ledgerFile)
  const { records } = extractLedger(bytes as Uint8Array, tracked)

  const vector = JSON.parse(readFileSync(vectorFile, 'utf8')).mainnet_reflector_legacy
  const state = prices.empty()
  const at = { ledger: vector.ledger, closeTimeSeconds: vector.close_time }
  const rows = prices.apply(state, slice(at.ledger, at.closeTimeSeconds, records))
  expect(rows.notices).toEqual([])

  const withKeyParts = vector.entry_changes.filter(
    ({ expected }: { expected: { key_parts?: unknown } }) => expected?.key_parts !== undefined,
  )
  expect(withKeyParts).toHaveLength(9)
  for (const { expected } of withKeyParts) {
    const feedFacts = prices.feed(state, expected.contract)
    const asset = feedFacts?.assets[expected.key_parts.asset_index] as OracleAsset
    expect(prices.lastPrice(state, expected.contract, asset, at)).toEqual({
      price: BigInt(expected.value),
      timestampSeconds: Number(expected.key_parts.timestamp_ms) / 1000,
    })
  }
})
