// Filters of actions through `/v1`: each chooses the actions that have a row which the feed has with that filter.

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { actionsOf, everyAddress, feedOf } from './truth/feeds.ts'
import { each } from './truth/recorded.ts'
import { expectCounts, sampleOf } from './truth/sampled.ts'
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

it('a filter chooses the actions with a row that the feed has with that filter, and changes nothing in them', async () => {
  const counts = { filters: 0, actions: 0 }
  await each(sampleOf([...feeds], 4), async ([address, feed]) => {
    const all = await actionsOf(whole, address)
    const middle = feed[Math.floor(feed.length / 2)]
    const values = (member: string) => [...new Set(feed.map((row) => row[member]))].map((value) => `&${member}=${value}`)
    const filters = [
      ...values('activity_type'),
      ...values('protocol'),
      ...values('contract').slice(0, 3),
      `&tx_hash=${middle.tx_hash}`,
      `&from_ledger=${middle.ledger}`,
      `&to_ledger=${middle.ledger}`,
      `&as_of_ledger=${middle.ledger}`,
      `&from=${middle.timestamp}`,
      `&to=${middle.timestamp}&activity_type=${middle.activity_type},swap`,
      `&contract=${middle.contract}&activity_type=${middle.activity_type}&protocol=${middle.protocol}`,
    ]
    for (const filter of filters) {
      const chosen = new Set((await feedOf(whole, address, filter)).map(({ metadata }) => metadata.action_id))
      const expected = all.filter(({ id }) => chosen.has(id))
      // As of a ledger, pools have their names of that ledger.
      const without = ({ pool_name, summary, ...members }: Answer['data']) =>
        filter.includes('as_of_ledger') ? members : { ...members, pool_name, summary }
      expect((await actionsOf(whole, address, filter)).map(without), filter).toEqual(expected.map(without))
      counts.filters++
      counts.actions += expected.length
    }
  })
  expectCounts('filters of actions', counts, { filters: 1_498, actions: 32_088 })
}, 900_000)
