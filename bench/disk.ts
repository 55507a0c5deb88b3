// Disk of an index: the demo network is indexed into a new folder, the tables are merged, and the bytes of each table, of the log and of a backup
// are printed, by row and by million activities. For the capacity page. `node bench/disk.ts`.

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClickHouse, startClickHouseHost } from '@orrery/read-model'
import { FOUR_PARTITIONS, startOrrery } from './src/orrery.ts'
import { figure, printLine, printMachine } from './src/print.ts'

interface TableSize {
  readonly name: string
  readonly rows: number
  readonly bytes: number
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

/** Of the merged tables, largest first. */
async function tableSizes(dir: string): Promise<TableSize[]> {
  await using host = await startClickHouseHost({ dir })
  await using connection = openClickHouse(host.address('admin'))
  const rowsOf = async <Row>(query: string): Promise<Row[]> => (await connection.client.query({ query, format: 'JSONEachRow' })).json<Row>()
  const tables = await rowsOf<{ name: string }>("SELECT name FROM system.tables WHERE database = 'orrery' AND engine LIKE '%MergeTree'")
  for (const { name } of tables) await connection.client.command({ query: `OPTIMIZE TABLE ${name} FINAL` })
  const sizes = await rowsOf<{ name: string; rows: string; bytes: string }>(
    "SELECT table AS name, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = 'orrery' AND active GROUP BY name ORDER BY bytes DESC",
  )
  return sizes.map(({ name, rows, bytes }) => ({ name, rows: Number(rows), bytes: Number(bytes) }))
}

printMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-disk-'))
try {
  {
    await using orrery = await startOrrery(data, FOUR_PARTITIONS)
    await orrery.caughtUp()
  }
  const sizes = await tableSizes(join(data, 'clickhouse'))
  const activities = sizes.find(({ name }) => name === 'activities_v1')?.rows ?? 0
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  printLine(`\nTables, merged, with ${activities} activities`)
  for (const { name, rows, bytes } of sizes)
    figure(name, bytes / 1e6, 'MB', `${rows} rows, ${(bytes / Math.max(1, rows)).toFixed(0)} bytes each`)
  figure('all tables', all / 1e6, 'MB', `${(((all / activities) * 1e6) / 1e9).toFixed(2)} GB a million activities`)
  const log = bytesBelow(join(data, 'log'))
  figure('event log', log / 1e6, 'MB', `${(((log / activities) * 1e6) / 1e9).toFixed(2)} GB a million activities`)
} finally {
  rmSync(data, { recursive: true, force: true })
}
