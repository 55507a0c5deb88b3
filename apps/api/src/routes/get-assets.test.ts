import { describe, expect, it } from 'vitest'
import { setCheckpoint, VERSION, withFixtureApi } from './testing/fixture-api.ts'
import { closeTime, hashOf, NEW, ORACLE, OTHER_CONTRACT, timestamp, USDC, XLM } from './testing/fixtures/network.ts'
import { leg, rows } from './testing/fixtures/rows.ts'

// Activities of ledgers 101 to 206 move USDC and XLM. An oracle says at ledger 100 (2026-09-01T12:00:00Z) and never again: 1 USDC = 1 USD,
// 1 XLM = 0.25 USD. The last ledger, 220, closes 20 hours (72,000 s) later.
const fixture = withFixtureApi()

const price = (price_usd: string) => ({ price_usd, price_source: `oracle:${ORACLE}`, price_observed_at: timestamp(100) })
const usdc = { asset_id: USDC, symbol: 'USDC', decimals: 7, issuer: null, tags: ['classic', 'stablecoin'], ...price('1') }
const xlm = { asset_id: XLM, symbol: 'XLM', decimals: 7, issuer: null, tags: ['native'], ...price('0.25') }
const NO_PRICE = { price_usd: null, price_source: null, price_observed_at: null }
const unknown = (asset_id: string) => ({
  ...{ asset_id, symbol: '', decimals: null, issuer: null, tags: [] },
  ...NO_PRICE,
})
const stale = (path: string) => ({ code: 'stale_price', message: expect.stringContaining('72000 seconds'), path })

describe('GET /v1/assets', () => {
  it('has the assets of the index in the order of their contracts, with their prices', async () => {
    const { data, enrichment, meta } = await fixture.data('/v1/assets')
    expect([USDC, XLM]).toEqual([USDC, XLM].sort())
    expect(data).toEqual({ assets: [usdc, xlm], next_cursor: null })
    expect(Object.keys(enrichment.assets)).toEqual([USDC, XLM])
    expect(enrichment.contracts).toMatchObject({ [ORACLE]: { name: 'Reflector oracle' } })
    expect(meta).toMatchObject({ oracle_staleness_seconds: 72_000, sources: ['clickhouse', `oracle:${ORACLE}`] })
    const { warnings } = meta as { warnings: { code: string }[] }
    expect(warnings.filter(({ code }) => code !== 'adapter_unhealthy')).toEqual([
      stale('/assets/0/price_usd'),
      stale('/assets/1/price_usd'),
    ])
  })
})

describe('GET /v1/assets/{id}', () => {
  it('has the asset with its price at the last indexed ledger', async () => {
    const { data, meta } = await fixture.data(`/v1/assets/${XLM}`)
    expect(data).toEqual(xlm)
    expect((meta as { warnings: unknown[] }).warnings).toContainEqual(stale('/price_usd'))
  })
})

describe('GET /v1/prices', () => {
  const prices = async (query: string) => {
    const { data, meta } = await fixture.data(`/v1/prices?assets=${XLM},${OTHER_CONTRACT},${NEW},${USDC}${query}`)
    const { warnings } = meta as { warnings: { code: string }[] }
    return { data, codes: [...new Set(warnings.map(({ code }) => code))].filter((code) => code !== 'adapter_unhealthy') }
  }

  it('has a price of each asset in the order asked, null where there is none', async () => {
    expect(await prices('')).toEqual({
      data: { ledger: 220, prices: [xlm, unknown(OTHER_CONTRACT), unknown(NEW), usdc] },
      codes: ['stale_price'],
    })
  })

  it('is as of a ledger, or of the last one closed at an instant', async () => {
    // An hour after the oracle spoke its price is not stale yet.
    for (const query of ['&as_of_ledger=106', '&at=2026-09-01T13:00:00Z', '&at=2026-09-01T15:09:59%2B02:00']) {
      expect(await prices(query)).toMatchObject({ data: { ledger: 106, prices: [xlm, {}, {}, usdc] }, codes: [] })
    }
    expect(await prices('&as_of_ledger=107')).toMatchObject({ codes: ['stale_price'] })
  })

  it('beyond the last ledger has its prices, before the first one none, both with a warning', async () => {
    for (const query of ['&as_of_ledger=221', '&at=2026-09-02T08:00:01Z']) {
      expect(await prices(query)).toMatchObject({
        data: { ledger: 220, prices: [xlm, {}, {}, usdc] },
        codes: ['outside_index', 'stale_price'],
      })
    }
    for (const query of ['&as_of_ledger=99', '&at=2026-09-01T11:59:59Z']) {
      const { data, codes } = await prices(query)
      expect(data).toMatchObject({ ledger: 99, prices: [{ price_usd: null }, {}, {}, { price_usd: null }] })
      expect(codes).toEqual(['outside_index'])
    }
  })

  it('of an indexed ledger may be kept for an hour once all adapters are healthy', async () => {
    const { headers } = await fixture.api.ask(`/v1/prices?assets=${XLM}&at=2026-09-01T13:00:00Z`)
    // Three of the four protocols have no adapter here, so the answer may still change.
    expect(headers['cache-control']).toBe('private, max-age=1')
  })
})

describe('GET /v1/assets, page by page', () => {
  it('comes in pages, each valued at the watermark of the first one', async () => {
    const first = await fixture.data('/v1/assets?limit=1')
    expect(first.data).toMatchObject({ assets: [usdc] })
    const second = `/v1/assets?limit=1&cursor=${first.data.next_cursor}`
    expect((await fixture.data(second)).data).toEqual({ assets: [xlm], next_cursor: null })

    // 24 hours after the oracle spoke, and ten minutes: its price does not count any more.
    const later = Array.from({ length: 25 }, (_, n) => 221 + n)
    await fixture.store.writeLedgers(
      later.map((ledger) => ({ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) })),
      2n,
    )
    // A token that is first moved after the first page's watermark is not in its pages.
    await fixture.store.write([rows({ activities: [leg({ ledger: 230, tx: 90, assetId: OTHER_CONTRACT })] })], VERSION)
    await setCheckpoint(fixture.store, 245)
    expect((await fixture.data(second)).data).toEqual({ assets: [xlm], next_cursor: null })
    expect((await fixture.data('/v1/assets')).data).toMatchObject({
      assets: [
        { ...usdc, ...NO_PRICE },
        { ...xlm, ...NO_PRICE },
        { asset_id: OTHER_CONTRACT, price_usd: null },
      ],
    })
  })
})
