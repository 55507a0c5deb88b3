import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openStore } from '../clickhouse-store.ts'
import { openClickHouse } from '../connection.ts'
import { migrate } from '../schema/migrate.ts'
import { startClickHouseHost } from './start-host.ts'
import { assertSpaceForTables, assertTablesWritten } from './unwritten-tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-unwritten-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** As a full disk leaves them. Found on a tmpfs that was filled during the migrations: `CREATE TABLE` had reported success. */
function emptyDefinitionOf(table: string, dir: string): void {
  const files = readdirSync(join(dir, 'data', 'store'), { recursive: true, encoding: 'utf8' })
  const [file = ''] = files.filter((name) => name.endsWith(`/${table}.sql`))
  truncateSync(join(dir, 'data', 'store', file), 0)
}

describe('a disk that was full while tables were made', () => {
  it('is reported after the migration, and the tables of a folder without rows are made again by the next start', async () => {
    const dir = join(folder, 'without-rows')
    const first = await startClickHouseHost({ dir })
    const names = await migrate(first.address('admin'))
    expect(names.length).toBeGreaterThan(10)
    assertTablesWritten(dir)
    await first.stop()
    emptyDefinitionOf('state_buckets_v1', dir)
    expect(() => assertTablesWritten(dir)).toThrow(
      expect.objectContaining({ code: 'data_folder_not_written', message: expect.stringContaining('state_buckets_v1.sql') }),
    )
    await using second = await startClickHouseHost({ dir })
    expect(await migrate(second.address('admin'))).toEqual(names)
    assertTablesWritten(dir)
  })

  it('leaves a folder with rows as it is, with an error that names the table', async () => {
    const dir = join(folder, 'with-rows')
    const first = await startClickHouseHost({ dir })
    await migrate(first.address('admin'))
    await using store = openStore(openClickHouse(first.address('writer')))
    await store.writeLedgers([{ ledger: 7, closeTimeSeconds: 1_700_000_000, hash: 'ab'.repeat(32) }], 1n)
    await first.stop()
    emptyDefinitionOf('prices_v1', dir)
    const files = () => readdirSync(join(dir, 'data', 'store'), { recursive: true, encoding: 'utf8' }).sort()
    const before = files()
    await expect(startClickHouseHost({ dir })).rejects.toMatchObject({
      ...{ kind: 'corrupt', code: 'table_definition_empty', context: { table: 'prices_v1' } },
      message: expect.stringContaining('orrery restore'),
    })
    expect(files()).toEqual(before)
  })

  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)('is refused before tables are made', () => {
    const disk = join(folder, 'disk')
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=60m', 'tmpfs', disk])
    try {
      expect(() => assertSpaceForTables(disk)).toThrow(expect.objectContaining({ code: 'data_folder_not_written' }))
    } finally {
      execFileSync('umount', [disk])
    }
    assertSpaceForTables(folder)
  })
})
