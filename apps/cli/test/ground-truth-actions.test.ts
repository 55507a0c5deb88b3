// Actions through `/v1`: they are the feed of every account, grouped without loss.

import { expectCounts } from '@orrery/testkit/ground-truth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { actionsOf, everyAddress, feedOf } from './truth/feeds.ts'
import { each, raw } from './truth/recorded.ts'
import { WholeNetwork } from './truth/whole-network.ts'

let whole: WholeNetwork
/** Newest first, of the accounts that have activities. */
const feeds = new Map<string, Answer['data'][]>()

beforeAll(async () => {
  whole = await WholeNetwork.open()
  await each(everyAddress(), async (address) => {
    const feed = await feedOf(whole, address)
    if (feed.length > 0) feeds.set(address, feed)
  })
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

type Row = Answer['data']

/** What an action must be by the rows of the feed that have its id, in the order in which they happened. */
function expectedAction(rows: readonly Row[]): unknown {
  const [first] = rows
  const sums = (of: readonly Row[], amount: (row: Row) => bigint) => {
    const byAsset = Map.groupBy(of, ({ asset_id }) => asset_id)
    return [...byAsset]
      .filter(([asset]) => asset !== '')
      .map(([asset, legs]) => [asset, legs.reduce((sum, leg) => sum + amount(leg), 0n).toString()])
  }
  const directed = (direction: string) =>
    sums(
      rows.filter((row) => row.direction === direction),
      ({ metadata }) => BigInt(metadata.raw_amount),
    )
  return {
    id: first.metadata.action_id,
    type: first.activity_type,
    types: [...new Set(rows.map(({ activity_type }) => activity_type))].sort(),
    timestamp: first.timestamp,
    ledger: first.ledger,
    tx_hash: first.tx_hash,
    protocol: first.protocol,
    contract: first.contract,
    counterparty: first.counterparty,
    // Of an administrative event `role` is the contract's name of a right, not a side of the action.
    role: first.activity_type === 'admin' ? null : (first.metadata.role ?? null),
    sent: directed('sent'),
    received: directed('received'),
    debt_changes: sums(
      rows.filter(({ metadata }) => metadata.raw_debt_change !== undefined),
      ({ metadata }) => BigInt(metadata.raw_debt_change),
    ),
  }
}

/** The same members of an action. */
function shownAction(action: Answer['data']): unknown {
  const { summary: _, pool_name: __, usd_value: ___, sent, received, debt_changes, ...members } = action
  const amounts = (of: Answer['data'][]) => of.map(({ asset_id, amount }) => [asset_id, raw(amount)])
  return { ...members, sent: amounts(sent), received: amounts(received), debt_changes: amounts(debt_changes) }
}

/** Newest first: by the place of the first row. */
function regrouped(feed: readonly Row[]): Row[][] {
  const groups = [...Map.groupBy(feed.toReversed(), ({ metadata }) => metadata.action_id).values()]
  return groups.sort(([a], [b]) => (a.metadata.action_id < b.metadata.action_id ? 1 : -1))
}

it('the actions of every account are its feed grouped by action, in pages of any size and both orders', async () => {
  const counts = { accounts: feeds.size, rows: 0, actions: 0 }
  await each(feeds, async ([address, feed]) => {
    const expected = regrouped(feed).map(expectedAction)
    const all = await actionsOf(whole, address)
    expect(all.map(shownAction)).toEqual(expected)
    for (const { id, summary, sent, received, usd_value } of all) {
      expect(summary, id).toMatch(/^[A-Z0-9].{3,}/)
      const priced = [sent, received].find((amounts) => amounts.length > 0) ?? []
      if (priced.length === 0 || priced.some((it: Row) => it.usd_value === null)) expect(usd_value, id).toBeNull()
      else expect(usd_value).not.toBeNull()
    }
    // Small pages of an account with much is many requests: one account in a few has them whole.
    const few = expected.length > 60 ? 61 : 7
    expect((await actionsOf(whole, address, '', few)).map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(await actionsOf(whole, address, '&order=asc', few + 1)).toEqual(all.toReversed())
    counts.rows += feed.length
    counts.actions += all.length
  })
  expectCounts('actions', counts, { accounts: 82, rows: 9_898, actions: 6_567 })
}, 900_000)
