import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openClickHouse } from '../connection.ts'
import { startClickHouseHost } from './start-host.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-durability-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** How many files and folders an engine syncs during an insert of one row, and during a merge of ten parts. */
async function syncedFiles(options: { readonly sync?: boolean }): Promise<{ readonly insert: number; readonly merge: number }> {
  await using host = await startClickHouseHost({ dir: mkdtempSync(join(folder, 'engine-')), ...options })
  await using connection = openClickHouse({ ...host.address('admin'), database: 'system' })
  const { client } = connection
  const synced = async (): Promise<number> => {
    const query = "SELECT sum(value) AS synced FROM system.events WHERE event IN ('FileSync', 'DirectorySync')"
    const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<{ synced: string }>()
    return Number(row?.synced)
  }
  const during = async (query: string): Promise<number> => {
    const before = await synced()
    await client.command({ query })
    return (await synced()) - before
  }
  await client.command({ query: 'CREATE DATABASE orrery' })
  await client.command({ query: 'CREATE TABLE orrery.rows_v1 (n UInt64) ENGINE = ReplacingMergeTree ORDER BY n' })
  const insert = await during('INSERT INTO orrery.rows_v1 VALUES (0)')
  for (let n = 1; n < 10; n++) await client.command({ query: `INSERT INTO orrery.rows_v1 VALUES (${n})` })
  return { insert, merge: await during('OPTIMIZE TABLE orrery.rows_v1 FINAL') }
}

it('an insert is acknowledged, and a merged part replaces others, when the files and their folder are synced to the disk', async () => {
  const { insert, merge } = await syncedFiles({})
  expect(insert).toBeGreaterThan(1)
  expect(merge).toBeGreaterThan(1)
})

it('without sync the operating system decides when they reach the disk', async () => {
  expect(await syncedFiles({ sync: false })).toEqual({ insert: 0, merge: 0 })
})
