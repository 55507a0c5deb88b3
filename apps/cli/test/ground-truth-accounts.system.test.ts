// The list of a protocol's positions at the last ledger of the recording against the portfolios of all its accounts, order included.

import { readFileSync } from 'node:fs'
import { Decimal } from '@orrery/pricing'
import { groundTruthRecording } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersByLedger, each } from './truth/recorded.ts'
import { WholeNetwork } from './truth/whole-network.ts'

let whole: WholeNetwork
/** Positions by protocol, from the portfolios. */
const expected = new Map<string, Item[]>()
const PROTOCOLS = ['blend', 'aquarius', 'soroswap', 'fxdao'] as const
const SORTS = ['health_factor', 'net_usd', 'borrowed_usd'] as const
const ofDebts = new Set<string>(['blend', 'fxdao'])

interface Item {
  readonly address: string
  readonly pool_id: string
  readonly deposited_usd: string
  readonly borrowed_usd: string
  readonly net_usd: string
  readonly health_factor: string | null
  readonly borrow_limit_pct: string | null
}

beforeAll(async () => {
  const accounts = new Set<string>()
  for (const answer of [...(await answersByLedger('')).values()].flat())
    if (answer.address !== undefined) accounts.add(String(answer.address))
  const scenario = JSON.parse(readFileSync(groundTruthRecording().networkFile, 'utf8')) as { readonly accounts: Record<string, string> }
  for (const account of Object.values(scenario.accounts)) accounts.add(account)
  whole = await WholeNetwork.open()
  // Accounts that no answer names: contracts that hold positions, such as backstops and pairs.
  for (const protocol of PROTOCOLS) for (const { address } of await pages(protocol, '')) accounts.add(address)
  await each(accounts, async (address) => {
    const { data } = await whole.get(`/v1/users/${address}/positions`)
    for (const { protocol_id, pools } of data.protocols) {
      const items: Item[] = pools.map(({ pool_id, deposited_usd, borrowed_usd, net_usd, health_factor, borrow_limit_pct }: Item) => ({
        ...{ address, pool_id, deposited_usd, borrowed_usd, net_usd, health_factor, borrow_limit_pct },
      }))
      expected.set(protocol_id, [...(expected.get(protocol_id) ?? []), ...items.filter(hasValue)])
    }
  })
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

/** A pool that an account has left, with rewards to claim, has zeros in the portfolio, and so has a position without a price. */
const hasValue = ({ deposited_usd, borrowed_usd }: Item): boolean => deposited_usd !== '0' || borrowed_usd !== '0'

async function pages(protocol: string, query: string, limit = 100, cursor = ''): Promise<Item[]> {
  const found: Item[] = []
  for (let next: string | null = cursor; next !== null; ) {
    const { data } = await whole.get(`/v1/protocols/${protocol}/accounts?limit=${limit}${query}${next === '' ? '' : `&cursor=${next}`}`)
    found.push(...data.positions)
    next = data.next_cursor
  }
  return found
}

const text = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

function sorted(items: readonly Item[], sort: (typeof SORTS)[number]): Item[] {
  const value = (a: Item, b: Item): number => {
    const [one, other] = [a[sort], b[sort]]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    const order = new Decimal(one).comparedTo(other) ?? 0
    return sort === 'health_factor' ? order : -order
  }
  return [...items].sort((a, b) => value(a, b) || text(a.pool_id, b.pool_id) || text(a.address, b.address))
}

describe.each(PROTOCOLS)('the positions in %s', (protocol) => {
  for (const sort of SORTS.filter((one) => one !== 'health_factor' || ofDebts.has(protocol))) {
    it(`are those of the portfolios of all accounts, in the order of ${sort}`, async () => {
      const all = sorted(expected.get(protocol) ?? [], sort)
      expect(all.length).toBeGreaterThan(0)
      expect((await pages(protocol, `&sort=${sort}`, 17)).filter(hasValue)).toEqual(all)
    })
  }

  it('of one pool are those of the portfolios', async () => {
    const all = expected.get(protocol) ?? []
    for (const pool of new Set(all.map(({ pool_id }) => pool_id))) {
      const own = all.filter(({ pool_id }) => pool_id === pool)
      expect((await pages(protocol, `&pool=${pool}`, 7)).filter(hasValue), pool).toEqual(sorted(own, 'net_usd'))
    }
  })
})

describe.each([...ofDebts])('the positions in %s', (protocol) => {
  it('below a health factor are those of the portfolios', async () => {
    const all = expected.get(protocol) ?? []
    for (const below of ['1', '1.1', '1.5', '2']) {
      const found = all.filter(({ health_factor }) => health_factor !== null && new Decimal(health_factor).lt(below))
      const query = `&sort=health_factor&health_factor_below=${below}`
      expect((await pages(protocol, query, 3)).filter(hasValue), below).toEqual(sorted(found, 'health_factor'))
    }
  })
})
