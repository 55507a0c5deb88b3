// Joins the differences of a table over the windows of a range.

import type { TableDifferences } from '@orrery/read-model'

/** One for each table, in the order of their names, with at most `most` examples. */
export function mergeTables(found: readonly TableDifferences[], most: number): TableDifferences[] {
  return [...Map.groupBy(found, ({ table }) => table)]
    .map(([table, windows]) => ({
      table,
      counts: {
        missing: sum(windows.map(({ counts }) => counts.missing)),
        extra: sum(windows.map(({ counts }) => counts.extra)),
        changed: sum(windows.map(({ counts }) => counts.changed)),
      },
      firstLedger: Math.min(...windows.map(({ firstLedger }) => firstLedger)),
      lastLedger: Math.max(...windows.map(({ lastLedger }) => lastLedger)),
      places: mergePlaces(windows.flatMap(({ places }) => places)),
      examples: windows.flatMap(({ examples }) => examples).slice(0, most),
    }))
    .sort((a, b) => (a.table < b.table ? -1 : 1))
}

export function mergePlaces(places: TableDifferences['places']): TableDifferences['places'] {
  return [...Map.groupBy(places, ({ protocol, partition }) => `${protocol}/${partition}`).values()].map((own) => ({
    protocol: own[0]?.protocol ?? '',
    partition: own[0]?.partition ?? null,
    firstLedger: Math.min(...own.map(({ firstLedger }) => firstLedger)),
    lastLedger: Math.max(...own.map(({ lastLedger }) => lastLedger)),
  }))
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
