import { sc, writeScVal } from '@orrery/ledger'
import type { EntryName } from '@orrery/protocol-kit'
import type { ContractDataNow } from '@orrery/stellar-rpc'
import { expect, it } from 'vitest'
import { type ReadablePools, readPools } from './read-pools.ts'

const name = (contract: string, key: string): EntryName => ({ contract, key: writeScVal(sc.symbol(key)), durability: 'persistent' })
const keyOf = ({ contract, key }: EntryName): string =>
  `${contract} ${Buffer.from(key)
    .toString()
    .replace(/[^a-z]/g, '')}`

/** Of each pool `first`, and where that exists `second`. */
const pools: ReadablePools = {
  pools: ['A', 'B', 'C', 'D'],
  names: (pool, _, read) => [name(pool, 'first'), ...(read.length === 0 ? [] : [name(pool, 'second')])],
  rowsOf: (_, entries) => new Map(entries.map((entry) => [entry.contract, []])),
}

/** Entries of the RPC by the ledger that wrote them; each call is answered one ledger later. */
async function asked(written: Readonly<Record<string, number>>) {
  const calls: string[][] = []
  const readings = await readPools(
    'G',
    [pools],
    (_, pool) => pool !== 'D',
    async (names) => {
      calls.push(names.map(keyOf))
      return names.flatMap((it): ContractDataNow[] => {
        const lastModifiedLedger = written[keyOf(it)]
        const facts = { value: new Uint8Array(), asOfLedger: 100 + calls.length, liveUntilLedger: 0 }
        return lastModifiedLedger === undefined ? [] : [{ ...it, ...facts, lastModifiedLedger }]
      })
    },
  )
  return { calls, readings: [...(readings.get(pools) ?? [])].map(([pool, { asOfLedger }]) => [pool, asOfLedger]) }
}

it('entries of all pools are read at once, then the entries that they name, and none twice', async () => {
  const { calls, readings } = await asked({ 'A first': 50, 'A second': 60, 'B first': 70 })
  expect(calls).toEqual([
    ['A first', 'B first', 'C first'],
    ['A second', 'B second'],
  ])
  expect(readings).toEqual([
    ['A', 101],
    ['B', 101],
  ])
})

it('a pool that changed between two calls is left out, because its parts are of different ledgers', async () => {
  const { readings } = await asked({ 'A first': 50, 'A second': 102, 'B first': 101, 'B second': 101 })
  expect(readings).toEqual([['B', 101]])
})
