import { testContract } from '@orrery/testkit'
import { expect, it } from 'vitest'
import { namedIds } from './named-ids.ts'

const [POOL, ORACLE, USDC, XLM, LP] = ['pool', 'oracle', 'USDC', 'XLM', 'LP'].map(testContract)

it('ids are found everywhere in an answer: in lists, in the source of a price, and as names of members', () => {
  const auction = { contract: POOL, metadata: { price_source: `oracle:${ORACLE}`, bid: { [`${USDC}`]: '5' }, lot: { [`${LP}`]: '7' } } }
  expect(namedIds({ activities: [auction, { asset_id: XLM, tx_hash: 'a'.repeat(64) }] })).toEqual({
    assets: new Set([USDC, LP, XLM]),
    contracts: new Set([POOL, ORACLE]),
  })
})
