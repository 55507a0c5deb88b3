import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { setCheckpoint, VERSION, withFixtureApi } from './testing/fixture-api.ts'
import {
  ALICE,
  CAROL,
  closeTime,
  hashOf,
  NEW_PAIR,
  ORACLE,
  PAIR,
  ROUTER,
  timestamp,
  UNKNOWN_ACCOUNT,
  USDC,
  XLM,
} from './testing/fixtures/network.ts'
import { leg, rows } from './testing/fixtures/rows.ts'

const fixture = withFixtureApi()

interface Page {
  readonly ids: readonly string[]
  readonly ledgers: readonly number[]
  readonly next: string | null
  readonly partial: unknown
}

async function page(address: string, query: string): Promise<Page> {
  const { data, meta } = await fixture.data(`/v1/users/${address}/activities${query}`)
  const activities = data.activities as { id: string; ledger: number }[]
  return {
    ids: activities.map(({ id }) => id),
    ledgers: activities.map(({ ledger }) => ledger),
    next: data.next_cursor as string | null,
    partial: meta.partial_result,
  }
}

/** All pages, each of the next size; `between` happens before each page but the first. */
async function ledgersOverPages(
  address: string,
  filter: string,
  limits: readonly number[],
  between?: (page: number) => Promise<void>,
): Promise<number[]> {
  const found: number[] = []
  let cursor = ''
  for (let n = 0; ; n++) {
    const { ledgers, next } = await page(address, `?limit=${limits[n % limits.length]}${filter}${cursor}`)
    found.push(...ledgers)
    if (next === null) return found
    cursor = `&cursor=${next}`
    await between?.(n)
  }
}

describe('200: a row', () => {
  it('a row has the account, the counterparty and the amount in units of the token', async () => {
    const { data, enrichment, meta } = await fixture.data(`/v1/users/${ALICE}/activities?tx_hash=${hashOf(3)}`)
    const swap = {
      activity_type: 'swap',
      address: ALICE,
      contract: PAIR,
      counterparty: PAIR,
      ledger: 120,
      price_source: `oracle:${ORACLE}`,
      protocol: 'soroswap',
      share_amount: '0',
      share_type: '',
      timestamp: timestamp(120),
      tx_hash: hashOf(3),
      asset_decimals: 7,
    }
    const metadata = { event: 'SoroswapPair/swap', router: ROUTER, action_id: hashOf(3).slice(32) }
    expect(data).toEqual({
      address: ALICE,
      next_cursor: null,
      activities: [
        {
          ...swap,
          id: '00000078000001000000000403000001',
          amount: '4985.0000001',
          asset_id: XLM,
          asset_symbol: 'XLM',
          direction: 'received',
          price_usd: '0.25',
          usd_value: '1246.25',
          metadata: { ...metadata, raw_amount: '49850000001' },
        },
        {
          ...swap,
          id: '00000078000001000000000403000000',
          amount: '1250',
          asset_id: USDC,
          asset_symbol: 'USDC',
          direction: 'sent',
          price_usd: '1',
          usd_value: '1250',
          metadata: { ...metadata, raw_amount: '12500000000' },
        },
      ],
    })
    expect(Object.keys(enrichment.assets).sort()).toEqual([USDC, XLM].sort())
    expect(enrichment.contracts).toMatchObject({
      [PAIR]: { name: 'USDC/XLM (constant product 0.3%)' },
      [ROUTER]: { name: 'Soroswap router', protocol: 'soroswap' },
    })
    // Blend, Aquarius and FxDAO have no adapter here: the feed of all protocols cannot be whole.
    expect(meta).toMatchObject({
      attribution_confidence: 0.9,
      partial_result: true,
      oracle_staleness_seconds: 72_000,
      sources: ['clickhouse', `oracle:${ORACLE}`],
    })
  })

  it('an action gives its shares on one row only', async () => {
    const { data } = await fixture.data(`/v1/users/${ALICE}/activities?tx_hash=${hashOf(1)}`)
    expect(data.activities).toMatchObject([
      { share_amount: '0', share_type: '' },
      { share_amount: '500', share_type: 'lp_share' },
    ])
  })
})

describe('200: filters', () => {
  it.each([
    ['', [130, 130, 120, 120, 101, 101]],
    ['?activity_type=swap', [120, 120]],
    ['?activity_type=swap,deposit&limit=3', [130, 130, 120]],
    ['?activity_type=claim', []],
    [`?protocol=soroswap&contract=${PAIR}`, [130, 130, 120, 120, 101, 101]],
    [`?contract=${NEW_PAIR}`, []],
    ['?from_ledger=120&to_ledger=129', [120, 120]],
    ['?from_ledger=130', [130, 130]],
    ['?as_of_ledger=119', [101, 101]],
    ['?protocol=blend', []],
    ['?order=desc', [130, 130, 120, 120, 101, 101]],
    ['?order=asc', [101, 101, 120, 120, 130, 130]],
    ['?order=asc&limit=3', [101, 101, 120]],
    ['?order=asc&from_ledger=102&activity_type=deposit', [130, 130]],
    [`?from=${timestamp(120)}`, [130, 130, 120, 120]],
    [`?from=${timestamp(120).replace('Z', '.1Z')}`, [130, 130]],
    [`?to=${timestamp(120)}`, [120, 120, 101, 101]],
    [`?to=${timestamp(119)}`, [101, 101]],
    [`?from=${timestamp(102)}&to=${timestamp(129)}&order=asc`, [120, 120]],
    [`?from=${timestamp(120)}&to=${timestamp(120)}`, [120, 120]],
    [`?from=${timestamp(120)}&to_ledger=120`, [120, 120]],
    [`?from_ledger=130&to=${timestamp(220)}`, [130, 130]],
    ['?to=2001-01-01T00:00:00Z', []],
    ['?from=2100-01-01T00:00:00Z', []],
    ['?from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z', [130, 130, 120, 120, 101, 101]],
  ])('%s', async (query, ledgers) => {
    expect((await page(ALICE, query)).ledgers).toEqual(ledgers)
  })

  it('the feed of a protocol without an adapter is partial, that of Soroswap is not, and that of a ledger outside the index is', async () => {
    expect((await page(ALICE, '?protocol=soroswap')).partial).toBe(false)
    expect((await page(ALICE, '?protocol=blend')).partial).toBe(true)
    expect((await page(ALICE, '?protocol=soroswap&from_ledger=99')).partial).toBe(true)
    expect((await page(ALICE, '?protocol=soroswap&to_ledger=221')).partial).toBe(true)
    expect((await page(ALICE, `?protocol=soroswap&from=${timestamp(100)}&to=${timestamp(220)}`)).partial).toBe(false)
    expect((await page(ALICE, '?protocol=soroswap&from=2001-01-01T00:00:00Z')).partial).toBe(true)
    expect((await page(ALICE, '?protocol=soroswap&to=2100-01-01T00:00:00Z')).partial).toBe(true)
    expect((await page(UNKNOWN_ACCOUNT, '?protocol=soroswap')).ids).toEqual([])
  })
})

describe('400: a cursor', () => {
  it('a cursor works only with its own filters, whatever the size of the page is', async () => {
    const { next } = await page(CAROL, '?limit=2&from_ledger=200')
    expect((await page(CAROL, `?limit=5&from_ledger=200&cursor=${next}`)).ledgers).toEqual([204, 203, 202, 201, 200])
    const others = [
      `${CAROL}/activities?cursor=${next}`,
      `${CAROL}/activities?from_ledger=199&cursor=${next}`,
      `${CAROL}/activities?from_ledger=200&protocol=soroswap&cursor=${next}`,
      `${ALICE}/activities?from_ledger=200&cursor=${next}`,
      `${CAROL}/activities?from_ledger=200&order=asc&cursor=${next}`,
      `${CAROL}/activities?from=${timestamp(200)}&cursor=${next}`,
      `${CAROL}/activities?from_ledger=200&to=${timestamp(206)}&cursor=${next}`,
    ]
    for (const other of others) expect(await fixture.refusal(`/v1/users/${other}`)).toMatchObject({ status: 400, code: 'invalid_cursor' })
  })

  it('a cursor of a list of types does not depend on their order', async () => {
    const { next } = await page(CAROL, '?limit=2&activity_type=deposit,withdraw')
    expect((await page(CAROL, `?activity_type=withdraw,deposit,withdraw&cursor=${next}`)).ledgers).toEqual([204, 203, 202, 201, 200])
  })
})

describe('200: pages', () => {
  it('pages of any size give every row once, newest first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 }), async (limits) => {
        expect(await ledgersOverPages(CAROL, '', limits)).toEqual([206, 205, 204, 203, 202, 201, 200])
      }),
      { numRuns: 12 },
    )
  })

  it('pages of any size give every row once, oldest first', async () => {
    for (const limits of [[1], [3], [2, 5]]) {
      expect(await ledgersOverPages(CAROL, '&order=asc', limits)).toEqual([200, 201, 202, 203, 204, 205, 206])
      const filter = `&order=asc&from=${timestamp(201)}&to=${timestamp(205)}`
      expect(await ledgersOverPages(CAROL, filter, limits)).toEqual([201, 202, 203, 204, 205])
    }
  })

  it('an order given by its default has the same cursors as one that is not given', async () => {
    const { next } = await page(CAROL, '?limit=2')
    expect((await page(CAROL, `?order=desc&cursor=${next}`)).ledgers).toEqual([204, 203, 202, 201, 200])
  })

  it('pages are the same if a row was written several times', async () => {
    const again = Array.from({ length: 7 }, (_, n) =>
      leg({ ledger: 200 + n, tx: 20 + n, address: CAROL, activityType: n % 2 === 0 ? 'deposit' : 'withdraw' }),
    )
    for (let copy = 0; copy < 3; copy++) await fixture.store.write([rows({ activities: again })], VERSION)
    expect(await ledgersOverPages(CAROL, '', [1])).toEqual([206, 205, 204, 203, 202, 201, 200])
    expect(await ledgersOverPages(CAROL, '', [3])).toEqual([206, 205, 204, 203, 202, 201, 200])
  })

  it('pages neither skip nor repeat rows while rows arrive, and a new first page has the new ones', async () => {
    const arrive = async (n: number): Promise<void> => {
      const ledger = 221 + n
      await fixture.store.writeLedgers([{ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) }], BigInt(2 + n))
      await fixture.store.write([rows({ activities: [leg({ ledger, tx: 40 + n, address: CAROL })] })], VERSION)
      await setCheckpoint(fixture.store, ledger)
    }
    expect(await ledgersOverPages(CAROL, '', [2], arrive)).toEqual([206, 205, 204, 203, 202, 201, 200])
    expect((await page(CAROL, '?limit=4')).ledgers).toEqual([223, 222, 221, 206])
    const oldestFirst = await ledgersOverPages(CAROL, '&order=asc', [4], (n) => arrive(n + 3))
    expect(oldestFirst).toEqual([200, 201, 202, 203, 204, 205, 206, 221, 222, 223])
  })

  it('pages have no rows above the watermark', async () => {
    await fixture.store.write([rows({ activities: [leg({ ledger: 230, tx: 60, address: CAROL })] })], VERSION)
    expect((await page(CAROL, '?limit=1')).ledgers).toEqual([225])
  })
})
