import { ledgerBuilder, testAccount, testContract } from '@orrery/testkit'
import { expect, it } from 'vitest'
import { extractLedger, readMemo, sc, TrackedSet } from '../src/index.ts'

const pair = testContract('pair')
const sync = { contract: pair, topics: [sc.string('SoroswapPair'), sc.symbol('sync')], data: sc.void() }

it('a transaction has its memo, of every type, and the fee that it was charged', () => {
  const operations = [{ events: [sync] }]
  const digest = new Uint8Array(32).fill(0xab)
  const builder = ledgerBuilder({})
  const tracked = new TrackedSet(builder.passphrase)
  tracked.addContract(pair)
  const ledger = builder.ledger({
    transactions: [
      { operations, memo: 'none' },
      { operations, memo: { text: 'Größe 7' } },
      { operations, memo: { text: Uint8Array.of(0x61, 0xff, 0x62) } },
      { operations, memo: { id: (1n << 64n) - 1n }, feeSource: testAccount('sponsor') },
      { operations, memo: { hash: digest } },
      { operations, memo: { return: digest } },
      { operations: [{ kind: 'payment', events: [sync] }], memo: { id: 7n }, oldEnvelope: true },
    ],
  })
  const { transactions } = extractLedger(ledger, tracked)
  expect(transactions.map(({ memo }) => readMemo(memo))).toEqual([
    { type: 'none', value: '' },
    { type: 'text', value: 'Größe 7' },
    { type: 'text', value: 'a\ufffdb' },
    { type: 'id', value: '18446744073709551615' },
    { type: 'hash', value: 'ab'.repeat(32) },
    { type: 'return', value: 'ab'.repeat(32) },
    { type: 'id', value: '7' },
  ])
  // The builder writes results with a fee of 100 stroops.
  expect(new Set(transactions.map(({ feeCharged }) => feeCharged))).toEqual(new Set([100n]))
})
