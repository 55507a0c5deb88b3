import { describe, expect, it } from 'vitest'
import { setCheckpoint, VERSION, withFixtureApi } from '../testing/fixture-api.ts'
import {
  ALICE,
  CAROL,
  closeTime,
  hashOf,
  NEW_PAIR,
  OTHER_CONTRACT,
  PAIR,
  timestamp,
  USDC,
  VAULTS,
  XLM,
} from '../testing/fixtures/network.ts'
import { leg, rows } from '../testing/fixtures/rows.ts'

// Activities in USDC/XLM: deposits of Alice in ledgers 101 and 130, her swap in 120, and one activity of Carol in each of 200 to 206.
const fixture = withFixtureApi(['soroswap', 'fxdao'])

interface Feed {
  readonly activities: readonly { readonly id: string; readonly ledger: number; readonly address: string; readonly asset_id: string }[]
  readonly next_cursor: string | null
}

const feed = async (query = '', pool = PAIR): Promise<Feed> =>
  (await fixture.data(`/v1/pools/${pool}/activities${query}`)).data as unknown as Feed
const ledgersOf = ({ activities }: Feed): number[] => activities.map(({ ledger }) => ledger)

const ALL = [206, 205, 204, 203, 202, 201, 200, 130, 130, 120, 120, 101, 101]

describe('GET /v1/pools/{pool_id}/activities', () => {
  it('has the activities of all accounts in the pool, newest first, as the feeds of the accounts have them', async () => {
    const { activities, next_cursor } = await feed()
    expect(ledgersOf({ activities, next_cursor })).toEqual(ALL)
    expect(next_cursor).toBeNull()
    const own = await Promise.all(
      [CAROL, ALICE].map(async (address) => (await fixture.data(`/v1/users/${address}/activities`)).data as unknown as Feed),
    )
    expect(activities).toEqual(own.flatMap((one) => one.activities))
  })

  it('comes in pages that have each row once', async () => {
    const whole = await feed()
    for (const limit of [1, 4, 13]) {
      const paged: unknown[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: Feed = await feed(`?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`)
        paged.push(...page.activities)
        cursor = page.next_cursor
      }
      expect(paged).toEqual(whole.activities)
    }
  })

  it.each([
    ['a type', '?activity_type=swap', [120, 120]],
    ['several types', '?activity_type=swap,withdraw', [205, 203, 201, 120, 120]],
    ['a transaction', `?tx_hash=${hashOf(1)}`, [101, 101]],
    ['ledgers', '?from_ledger=120&to_ledger=200', [200, 130, 130, 120, 120]],
    ['a ledger', '?as_of_ledger=119', [101, 101]],
    ['time', `?from=${timestamp(102)}&to=${timestamp(200)}`, [200, 130, 130, 120, 120]],
  ])('filters by %s', async (_, query, ledgers) => {
    expect(ledgersOf(await feed(query))).toEqual(ledgers)
  })

  it('comes oldest first, in pages that have each row once', async () => {
    const paged: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Feed = await feed(`?order=asc&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
      paged.push(...ledgersOf(page))
      cursor = page.next_cursor
    }
    expect(paged).toEqual(ALL.toReversed())
  })

  it('refuses a cursor of another pool or filter, and filters that the path already names', async () => {
    const { next_cursor } = await feed('?limit=2')
    const ask = (path: string) => fixture.refusal(`/v1/pools/${path}`)
    expect(await ask(`${NEW_PAIR}/activities?cursor=${next_cursor}`)).toMatchObject({ code: 'invalid_cursor' })
    expect(await ask(`${PAIR}/activities?activity_type=swap&cursor=${next_cursor}`)).toMatchObject({ code: 'invalid_cursor' })
    expect(await ask(`${PAIR}/activities?protocol=soroswap`)).toMatchObject({ code: 'unknown_parameter' })
    expect(await ask(`${PAIR}/activities?contract=${PAIR}`)).toMatchObject({ code: 'unknown_parameter' })
    expect(await ask(`${OTHER_CONTRACT}/activities`)).toMatchObject({ status: 404 })
  })

  it('of a currency of FxDAO has its vaults only, although all currencies have one contract', async () => {
    const vault = (tx: number, currency: string) =>
      leg({
        ...{ ledger: 140, tx, protocol: 'fxdao', contract: VAULTS, counterparty: VAULTS, assetId: tx === 61 ? XLM : USDC },
        key: { ledger: 140, txOrder: tx, opIndex: 0, eventIndex: 0, row: 0 },
        metadata: { event: 'new_vault', currency },
      })
    await fixture.store.write([rows({ activities: [vault(61, 'USD'), vault(62, 'EUR')] })], VERSION)
    const { activities } = await feed('', 'fxdao:USD')
    expect(activities.map(({ asset_id }) => asset_id)).toEqual([XLM])
  })

  it('a later page has no row beyond the watermark of the first', async () => {
    const first = await feed('?limit=2')
    await fixture.store.write([rows({ activities: [leg({ ledger: 221, tx: 70, address: ALICE })] })], VERSION)
    await fixture.store.writeLedgers([{ ledger: 221, closeTimeSeconds: closeTime(221), hash: hashOf(221) }], 2n)
    await setCheckpoint(fixture.store, 221)
    await setCheckpoint(fixture.store, 221, 221, 'fxdao')
    expect(ledgersOf(await feed())).toEqual([221, ...ALL])
    const rest = await feed(`?cursor=${first.next_cursor}`)
    expect(ledgersOf(rest)).toEqual(ALL.slice(2))
  })
})
