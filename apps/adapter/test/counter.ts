// A protocol that is small enough to compute its rows by hand: it counts the events of each contract.
// It replaces a real protocol in tests of the loop.

import { type Adapter, NO_ROWS, type StateRow } from '@orrery/protocol-kit'

export type Counts = Map<string, bigint>

/** One state row for each contract that a ledger has events of; at an hour's start a snapshot of every contract. */
export function counter(version: number, fails: (ledger: number) => boolean = () => false): Adapter<Counts> {
  return {
    protocol: 'soroswap',
    version,
    load(rows, asOf) {
      const counts: Counts = new Map()
      for (const row of rows) {
        if (row.ledger > asOf) throw new Error(`state of ledger ${row.ledger} was loaded as of ${asOf}`)
        counts.set(row.contract, BigInt(JSON.parse(row.value).count))
      }
      return counts
    },
    fold(counts, slice) {
      const touched = new Set<string>()
      for (const { class: kind, record } of slice.records) {
        if (kind !== 'owned' || record.kind !== 'event' || record.contract === null) continue
        counts.set(record.contract, (counts.get(record.contract) ?? 0n) + 1n)
        touched.add(record.contract)
      }
      if (fails(slice.ledger)) throw new Error('the fold cannot read an entry')
      const { ledger, closeTimeSeconds, partition } = slice
      const state = [...touched].sort().map(
        (contract): StateRow => ({
          protocol: 'soroswap',
          contract,
          key: 'count',
          ledger,
          closeTimeSeconds,
          owner: '',
          scope: partition,
          liveUntil: 0,
          durability: 'fact',
          removed: false,
          inferred: false,
          value: JSON.stringify({ count: String(counts.get(contract)) }),
        }),
      )
      const snapshots = slice.hourStart ? [...counts].sort(([a], [b]) => (a < b ? -1 : 1)) : []
      return {
        ...NO_ROWS,
        state,
        poolSnapshots: snapshots.map(([pool, count]) => ({
          protocol: 'soroswap',
          pool,
          ledger,
          closeTimeSeconds,
          heartbeat: true,
          tvlUsd: '0',
          unpricedAssets: 0,
          shareSupply: count,
          native: {},
        })),
      }
    },
  }
}
