import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ScVal, sc } from '@orrery/ledger'
import { sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { CurrencyRates } from './currency-rates.ts'
import { otherAsset } from './index.ts'
import { contract, entry, other, ttl } from './test-slices.ts'

const FEED = contract(1)
const NOON = 1_700_000_400
const usd = otherAsset('USD')

const stampKey = (asset: ScVal): ScVal => sc.vec(sc.symbol('AssetLastStamp'), asset)
const recordKey = (asset: ScVal, seconds: number): ScVal =>
  sc.vec(sc.symbol('AssetRecord'), sc.struct({ asset, timestamp: sc.u64(BigInt(seconds)) }))

function recorded(seconds: number, price: bigint, { stampLiveUntil = null as number | null, recordLiveUntil = 1000 } = {}) {
  const value = sc.struct({ next: sc.void(), price: sc.i128(price), timestamp: sc.u64(BigInt(seconds)) })
  return [
    entry(FEED, recordKey(other('USD'), seconds), value, { change: 'created', durability: 'temporary', liveUntil: recordLiveUntil }),
    entry(FEED, stampKey(other('USD')), sc.u64(BigInt(seconds)), { durability: 'temporary', liveUntil: stampLiveUntil }),
  ]
}

function rates(...records: Parameters<CurrencyRates['apply']>[0][]): CurrencyRates {
  const made = new CurrencyRates()
  for (const record of records) expect(made.apply(record)).toBeNull()
  return made
}

const rateAt = (made: CurrencyRates, ledger: number) => made.lastPrice(usd, { ledger, closeTimeSeconds: NOON })?.price ?? null

describe("FxDAO's feed", () => {
  it('the rate of a currency is its newest record, whatever the order of the entries is', () => {
    const first = recorded(NOON, 2_500_000n)
    const second = recorded(NOON + 60, 2_600_000n)
    for (const order of [second, [...second].reverse()]) {
      expect(rates(...first, ...order).lastPrice(usd, { ledger: 10, closeTimeSeconds: NOON })).toEqual({
        price: 2_600_000n,
        timestampSeconds: NOON + 60,
      })
    }
  })

  it('a currency without a record has no rate', () => {
    expect(rates(...recorded(NOON, 1n)).lastPrice(otherAsset('EUR'), { ledger: 10, closeTimeSeconds: NOON })).toBeNull()
  })

  it('a currency has no rate once the record or its time entry has expired, without any event', () => {
    const shortRecord = rates(...recorded(NOON, 1n, { stampLiveUntil: 1000, recordLiveUntil: 20 }))
    expect([rateAt(shortRecord, 20), rateAt(shortRecord, 21)]).toEqual([1n, null])
    const shortStamp = rates(...recorded(NOON, 1n, { stampLiveUntil: 20 }))
    expect([rateAt(shortStamp, 20), rateAt(shortStamp, 21)]).toEqual([1n, null])
  })

  it('the time entry keeps its TTL if only its value is written', () => {
    const made = rates(...recorded(NOON, 1n, { stampLiveUntil: 20 }), ...recorded(NOON + 60, 2n))
    expect([rateAt(made, 20), rateAt(made, 21)]).toEqual([2n, null])
  })

  it('a rate lasts longer if the TTL of its entries is extended', () => {
    const made = rates(...recorded(NOON, 1n, { stampLiveUntil: 20 }), ttl(FEED, stampKey(other('USD')), 30))
    expect([rateAt(made, 30), rateAt(made, 31)]).toEqual([1n, null])
  })

  it('unknown entries are counted', () => {
    expect(new CurrencyRates().apply(entry(FEED, sc.symbol('Unheard'), sc.void()))).toBe('unknown_entry')
    expect(new CurrencyRates().apply(entry(FEED, stampKey(other('USD')), sc.symbol('noon')))).toBe('unexpected_shape')
  })
})

const vectorFile = join(sharedDir() ?? '', 'reference/vectors/fxdao.json')

it.runIf(existsSync(vectorFile))("answers as FxDAO's deployed feed did when it was executed (from ../shared)", () => {
  const made = new CurrencyRates()
  let asked = 0
  for (const step of JSON.parse(readFileSync(vectorFile, 'utf8')).oracle.steps) {
    if (step.call.fn === 'lastprice' && step.name === 'lastprice') {
      const price = made.lastPrice(otherAsset(step.call.args[1][1]), { ledger: 1, closeTimeSeconds: 0 })
      expect(price && { price: String(price.price), timestamp: String(price.timestampSeconds) }).toEqual(step.result)
      asked++
    }
    for (const change of step.entry_changes) {
      const key = Buffer.from(change.key_xdr, 'base64')
      const value = Buffer.from(change.val_xdr, 'base64')
      expect(made.apply({ ...entry(FEED, sc.void(), sc.void()), key: new Uint8Array(key), value: new Uint8Array(value) })).toBeNull()
    }
  }
  expect(asked).toBe(3)
  expect(made.facts()).toMatchObject({ decimals: 7, assets: [usd, otherAsset('EUR'), otherAsset('GBP')] })
})
