import { describe, expect, it } from 'vitest'
import { setCheckpoint, VERSION, withFixtureApi } from './testing/fixture-api.ts'
import {
  ALICE,
  BOB,
  CAROL,
  closeTime,
  hashOf,
  NEW_PAIR,
  PAIR,
  timestamp,
  UNKNOWN_ACCOUNT,
  USDC,
  whole,
  XLM,
} from './testing/fixtures/network.ts'
import { leg, rows } from './testing/fixtures/rows.ts'

// Of Alice: deposits in ledgers 101 and 130, a swap in 120, each of two rows; of Carol: one row in each of 200 to 206.
const fixture = withFixtureApi()

interface Page {
  readonly actions: readonly Readonly<Record<string, unknown>>[]
  readonly next_cursor: string | null
}

const ask = async (query = '', address = ALICE): Promise<Page> =>
  (await fixture.data(`/v1/users/${address}/actions${query}`)).data as unknown as Page
const ledgersOf = ({ actions }: Page) => actions.map(({ ledger }) => ledger)

async function allPages(address: string, filter: string, limit: number): Promise<Page['actions']> {
  const found: Page['actions'][number][] = []
  let cursor = ''
  for (;;) {
    const page = await ask(`?limit=${limit}${filter}${cursor}`, address)
    found.push(...page.actions)
    if (page.next_cursor === null) return found
    cursor = `&cursor=${page.next_cursor}`
  }
}

/** An action of Bob: a row of each type, in the places of one transaction that `events` names. */
const action = (txOrder: number, actionId: string, events: readonly number[], of: Parameters<typeof leg>[0]) =>
  events.map((eventIndex, n) => leg({ address: BOB, ...of, actionId, key: { ledger: of.ledger, txOrder, opIndex: 0, eventIndex, row: n } }))

describe('200: an action', () => {
  it('has the sums of its rows by token and direction, and a sentence', async () => {
    const { data, enrichment } = await fixture.data(`/v1/users/${ALICE}/actions?tx_hash=${hashOf(3)}`)
    expect(data).toEqual({
      address: ALICE,
      next_cursor: null,
      actions: [
        {
          id: hashOf(3).slice(32),
          type: 'swap',
          types: ['swap'],
          summary: 'Swapped 1,250 USDC for 4,985 XLM in USDC/XLM 0.3 % (Soroswap)',
          timestamp: timestamp(120),
          ledger: 120,
          tx_hash: hashOf(3),
          protocol: 'soroswap',
          contract: PAIR,
          pool_name: 'USDC/XLM (constant product 0.3%)',
          counterparty: PAIR,
          role: null,
          sent: [{ asset_id: USDC, symbol: 'USDC', amount: '1250', usd_value: '1250' }],
          received: [{ asset_id: XLM, symbol: 'XLM', amount: '4985.0000001', usd_value: '1246.25' }],
          debt_changes: [],
          usd_value: '1250',
        },
      ],
    })
    expect(Object.keys(enrichment.assets).sort()).toEqual([USDC, XLM].sort())
    expect(Object.keys(enrichment.contracts)).toEqual([PAIR])
  })

  it('a deposit of two tokens is one action', async () => {
    const { actions } = await ask(`?tx_hash=${hashOf(1)}`)
    expect(actions).toMatchObject([
      {
        type: 'deposit',
        types: ['deposit'],
        sent: [
          { asset_id: USDC, amount: '250' },
          { asset_id: XLM, amount: '1250' },
        ],
      },
    ])
    expect(actions).toMatchObject([{ received: [], usd_value: '562.5' }])
  })

  it('an action of many rows has all of them, whatever the length of the page', async () => {
    const of = { ledger: 153, tx: 81, assetId: USDC, amount: whole(1), usdValue: '1' }
    const events = Array.from({ length: 40 }, (_, n) => n + 1)
    const written = [...action(1, 'one', [1], of), ...action(2, 'many', events, of), ...action(3, 'two', [1, 2], of)]
    await fixture.store.write([rows({ activities: written })], VERSION)
    for (const limit of [1, 2, 3, 100]) {
      for (const order of ['asc', 'desc']) {
        const found = await allPages(BOB, `&from_ledger=153&to_ledger=153&order=${order}`, limit)
        const sums = found.map(({ id, sent }) => [id, (sent as { amount: string }[])[0]?.amount])
        const ascending = [
          ['one', '1'],
          ['many', '40'],
          ['two', '2'],
        ]
        expect(sums).toEqual(order === 'asc' ? ascending : ascending.toReversed())
      }
    }
  })

  it('the same token in several rows is one item, a debt that changes has its sign, and an unknown price makes the sum null', async () => {
    const of = { ledger: 140, tx: 80, assetId: USDC, amount: whole(10), usdValue: '10' }
    const debt = { ...of, direction: 'none', activityType: 'liquidation' } as const
    await fixture.store.write(
      [
        rows({
          activities: [
            ...action(1, 'split', [1, 2], of),
            ...action(2, 'owed', [1, 2], { ...debt, metadata: { role: 'liquidated', debt_change: '-10', raw_debt_change: '-100000000' } }),
            ...action(2, 'owed', [3], { ...of, assetId: XLM, assetSymbol: 'XLM', usdValue: null, direction: 'received' }),
            ...action(3, 'path', [1], { ...of, direction: 'none', activityType: 'swap', metadata: { path_step: 1 } }),
            // An office of a contract is no role in the action.
            ...action(4, 'office', [1], { ...of, direction: 'none', activityType: 'admin', metadata: { role: 'EmergencyAdmin' } }),
          ].map((row, n) => ({ ...row, key: { ...row.key, row: n } })),
        }),
      ],
      VERSION,
    )
    const { actions } = await ask('?from_ledger=140&to_ledger=140&order=asc', BOB)
    const amount = { asset_id: USDC, symbol: 'USDC' }
    expect(actions).toMatchObject([
      { id: 'split', role: null, sent: [{ ...amount, amount: '20', usd_value: '20' }], received: [], debt_changes: [], usd_value: '20' },
      {
        id: 'owed',
        type: 'liquidation',
        types: ['deposit', 'liquidation'],
        role: 'liquidated',
        sent: [],
        received: [{ asset_id: XLM, symbol: 'XLM', amount: '10', usd_value: null }],
        debt_changes: [{ ...amount, amount: '-20', usd_value: '-20' }],
        usd_value: null,
      },
      { id: 'path', sent: [], received: [], debt_changes: [], usd_value: null },
      { id: 'office', type: 'admin', role: null },
    ])
  })
})

describe('200: filters', () => {
  it.each([
    ['', [130, 120, 101]],
    ['?order=asc', [101, 120, 130]],
    ['?activity_type=swap', [120]],
    ['?activity_type=swap,deposit&limit=2', [130, 120]],
    ['?activity_type=claim', []],
    [`?protocol=soroswap&contract=${PAIR}`, [130, 120, 101]],
    [`?contract=${NEW_PAIR}`, []],
    ['?from_ledger=120&to_ledger=129', [120]],
    ['?as_of_ledger=119', [101]],
    [`?from=${timestamp(102)}`, [130, 120]],
    [`?to=${timestamp(120)}&order=asc`, [101, 120]],
    ['?protocol=blend', []],
  ])('%s', async (query, ledgers) => {
    expect(ledgersOf(await ask(query))).toEqual(ledgers)
  })

  it('choose an action by any of its rows, and show all of them', async () => {
    const of = { ledger: 141, tx: 81 }
    const both = [
      ...action(1, 'both', [1], { ...of, activityType: 'deposit', contract: NEW_PAIR }),
      ...action(1, 'both', [2], { ...of, activityType: 'borrow', direction: 'received', assetId: XLM, assetSymbol: 'XLM' }),
    ].map((row, n) => ({ ...row, key: { ...row.key, row: n } }))
    await fixture.store.write([rows({ activities: both })], VERSION)
    for (const filter of ['activity_type=deposit', 'activity_type=borrow', `contract=${NEW_PAIR}`, `contract=${PAIR}`]) {
      const { actions } = await ask(`?from_ledger=141&to_ledger=141&${filter}`, BOB)
      expect(actions).toMatchObject([{ types: ['borrow', 'deposit'], sent: [{ asset_id: USDC }], received: [{ asset_id: XLM }] }])
    }
    // No row has both.
    expect((await ask(`?from_ledger=141&to_ledger=141&activity_type=borrow&contract=${NEW_PAIR}`, BOB)).actions).toEqual([])
  })

  it('an account that was never seen has no actions', async () => {
    expect(await ask('', UNKNOWN_ACCOUNT)).toMatchObject({ actions: [], next_cursor: null })
  })
})

describe('200: pages', () => {
  it('pages of any size have every action once and whole, although rows of two actions alternate', async () => {
    const of = { ledger: 150, tx: 82, amount: whole(1), usdValue: '1' }
    const alternating = [
      ...action(1, 'a', [1, 3, 5], of),
      ...action(1, 'b', [2, 4], of),
      ...action(1, 'c', [6], of),
      ...action(2, 'a', [1, 2], of),
    ]
    // Written twice: no action counts a row twice.
    for (let n = 0; n < 2; n++) await fixture.store.write([rows({ activities: alternating })], VERSION)
    const expected = [
      ['a', '2'],
      ['c', '1'],
      ['b', '2'],
      ['a', '3'],
    ]
    for (const limit of [1, 2, 3, 4]) {
      for (const order of ['desc', 'asc']) {
        const found = await allPages(BOB, `&from_ledger=150&to_ledger=150&order=${order}`, limit)
        const shown = found.map(({ id, sent }) => [id, (sent as { amount: string }[])[0]?.amount])
        expect(shown).toEqual(order === 'desc' ? expected : expected.toReversed())
      }
    }
  })

  it('pages neither skip nor repeat actions while rows arrive', async () => {
    const first = await ask('?limit=2', CAROL)
    const oldest = await ask('?limit=6&order=asc', CAROL)
    const ledger = 221
    await fixture.store.writeLedgers([{ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) }], 2n)
    await fixture.store.write([rows({ activities: [leg({ ledger, tx: 90, address: CAROL })] })], VERSION)
    expect(ledgersOf(await ask('?limit=1', CAROL))).toEqual([206])
    await setCheckpoint(fixture.store, ledger)
    expect(ledgersOf(await ask('?limit=1', CAROL))).toEqual([221])
    expect(ledgersOf(await ask(`?cursor=${first.next_cursor}`, CAROL))).toEqual([204, 203, 202, 201, 200])
    expect(ledgersOf(await ask(`?order=asc&cursor=${oldest.next_cursor}`, CAROL))).toEqual([206])
  })
})

describe('400: a cursor', () => {
  it('works only with its own filters, and not with the feed', async () => {
    const { next_cursor: next } = await ask('?limit=2&from_ledger=200', CAROL)
    expect(ledgersOf(await ask(`?limit=5&from_ledger=200&cursor=${next}`, CAROL))).toHaveLength(5)
    const others = [
      `${CAROL}/actions?cursor=${next}`,
      `${CAROL}/actions?from_ledger=199&cursor=${next}`,
      `${CAROL}/actions?from_ledger=200&order=asc&cursor=${next}`,
      `${CAROL}/actions?from_ledger=200&activity_type=swap&cursor=${next}`,
      `${ALICE}/actions?from_ledger=200&cursor=${next}`,
      `${CAROL}/activities?from_ledger=200&cursor=${next}`,
    ]
    for (const other of others) expect(await fixture.refusal(`/v1/users/${other}`)).toMatchObject({ status: 400, code: 'invalid_cursor' })
  })
})

it('200: the sentence of an action is that of its transaction', async () => {
  const { actions } = await ask()
  for (const { tx_hash, summary } of actions) {
    const { data } = await fixture.data(`/v1/transactions/${tx_hash}`)
    expect(summary).toBe(data.summary)
  }
})
