import { expect, it } from 'vitest'
import { runStatement } from '../testing/send-statement.ts'
import { withClickHouse } from '../testing/with-clickhouse.ts'

const synced = withClickHouse({ syncs: true })
const unsynced = withClickHouse()

// Names and meaning: https://clickhouse.com/docs/operations/settings/merge-tree-settings
const SETTINGS = `SELECT arrayStringConcat(groupArray(name || '=' || value), ' ') FROM (
  SELECT name, value FROM system.merge_tree_settings
  WHERE name IN ('fsync_after_insert', 'fsync_part_directory', 'min_rows_to_fsync_after_merge', 'min_compressed_bytes_to_fsync_after_merge')
  ORDER BY name)`

it('the embedded engine syncs every inserted and merged part of every table before it is acknowledged', async () => {
  expect(await runStatement(synced.engine, 'admin', SETTINGS)).toBe(
    'fsync_after_insert=1 fsync_part_directory=1 min_compressed_bytes_to_fsync_after_merge=1 min_rows_to_fsync_after_merge=1',
  )
  const { name } = await synced.database()
  const tables = `SELECT count() > 20, countIf(engine_full LIKE '%fsync%') FROM system.tables WHERE database = '${name}' AND engine LIKE '%MergeTree'`
  // No table replaces the settings of the engine by its own.
  expect(await runStatement(synced.engine, 'admin', tables)).toBe('1\t0')
  await runStatement(synced.engine, 'admin', `CREATE TABLE ${name}.synced (a UInt8) ENGINE = MergeTree ORDER BY a`)
  const syncs = "SELECT value FROM system.events WHERE event IN ('FileSync', 'DirectorySync') ORDER BY event"
  const count = async (): Promise<number[]> => (await runStatement(synced.engine, 'admin', syncs))?.toString().split('\n').map(Number) ?? []
  const before = await count()
  await runStatement(synced.engine, 'writer', `INSERT INTO ${name}.synced VALUES (1)`)
  const after = await count()
  // The files of the part, its temporary directory and the one it is moved into.
  expect(after).toHaveLength(2)
  for (const [n, syncsAfter] of after.entries()) expect(syncsAfter).toBeGreaterThan(before[n] ?? 0)
})

it('the embedded engine merges small parts by sevens, and no table by other rules', async () => {
  const settings = `SELECT arrayStringConcat(groupArray(name || '=' || value), ' ') FROM (
    SELECT name, value FROM system.merge_tree_settings WHERE name IN ('merge_selector_base', 'merge_selector_enable_heuristic_to_remove_small_parts_at_right') ORDER BY name)`
  expect(await runStatement(unsynced.engine, 'admin', settings)).toBe(
    'merge_selector_base=7 merge_selector_enable_heuristic_to_remove_small_parts_at_right=0',
  )
  const { name } = await unsynced.database()
  const tables = `SELECT count() > 20, countIf(engine_full LIKE '%merge_selector%') FROM system.tables WHERE database = '${name}' AND engine LIKE '%MergeTree'`
  expect(await runStatement(unsynced.engine, 'admin', tables)).toBe('1\t0')
})

it('the embedded engine leaves writing to the disk to the OS where it shall not sync', async () => {
  expect(await runStatement(unsynced.engine, 'admin', SETTINGS)).toBe(
    'fsync_after_insert=0 fsync_part_directory=0 min_compressed_bytes_to_fsync_after_merge=0 min_rows_to_fsync_after_merge=0',
  )
})
