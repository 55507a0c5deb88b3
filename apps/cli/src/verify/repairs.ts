// What must be folded again: for each protocol the partitions and ledgers of its differing rows.

import type { TableDifferences } from '@orrery/read-model'
import { mergePlaces } from './merge-tables.ts'
import type { Repair } from './verification.ts'

/** One for each protocol with differing rows, in the order of their names. Tables without a protocol are those of the control topic. */
export function repairsOf(tables: readonly TableDifferences[]): Repair[] {
  const places = mergePlaces(tables.flatMap((table) => table.places)).filter(({ protocol }) => protocol !== '')
  return [...Map.groupBy(places, ({ protocol }) => protocol)]
    .map(([protocol, own]) => {
      const partitions = own.flatMap(({ partition }) => partition ?? [])
      return {
        protocol,
        // A row of a table without partitions, or of shared state, may be of any partition.
        partitions: partitions.length === own.length ? partitions.sort((a, b) => a - b) : null,
        fromLedger: Math.min(...own.map(({ firstLedger }) => firstLedger)),
        toLedger: Math.max(...own.map(({ lastLedger }) => lastLedger)),
      }
    })
    .sort((a, b) => (a.protocol < b.protocol ? -1 : 1))
}
