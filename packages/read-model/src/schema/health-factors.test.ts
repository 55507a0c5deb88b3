// The health factor of positions that an earlier build stored, in `native` alone: the column has it before and after the rows are merged.

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TupleParam } from '@clickhouse/client'
import { expect, it, onTestFinished } from 'vitest'
import { streamHealthFactors } from '../queries/stream-events.ts'
import { statementOf } from '../query.ts'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { migrate } from './migrate.ts'

const databases = withDatabases()
const OWN = fileURLToPath(new URL('./migrations/', import.meta.url))

/** The migrations before a file. */
function migrationsBefore(file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of readdirSync(OWN)) if (name < file) cpSync(join(OWN, name), join(folder, name))
  return folder
}

/**
 * Pool, effective collateral, effective debt, `native`, and the health factor: the contract's own, also where the quotient of the values differs, or the
 * quotient rounded down to 7 digits.
 */
const POSITIONS = [
  ['lent', '390236.15736692', '60356.4907203', '{"supply":{"health_factor":"1"},"health_factor":"6.4600001"}', '6.4600001'],
  ['unpriced', '12.5', '1', '{"health_factor":null}', null],
  ['vault', '2', '3', '{"collateral":"20000000"}', '0.6666666'],
  ['vault without a price', null, '3', '{}', null],
  ['vault without debt', '7', '0', '{}', null],
] as const

const OF_LEDGERS = { from_ledger: 1, to_ledger: 2, watermark: 2, addresses: ['GA'], protocols: [], contracts: [], rows: 20 }

it('positions of earlier builds have a health factor as a column', async () => {
  const database = await databases.databaseOfTest({ empty: true })
  await migrate(database.address('admin'), { folder: migrationsBefore('0051') })
  const { client } = database.connect('admin')
  const insert = async (ledger: number): Promise<void> => {
    const rows = POSITIONS.map(([pool, collateral, debt, native]) => ({
      ...{ protocol: 'blend', address: 'GA', pool, ledger, open: true, native, adapter_version: 1 },
      ...{ effective_collateral_usd: collateral, effective_liabilities_usd: debt },
    }))
    await client.insert({ table: 'position_snapshots_v1', values: rows, format: 'JSONEachRow' })
  }
  const healthFactors = async (table = 'position_snapshots_v1'): Promise<unknown> => {
    const query = `SELECT ledger, pool, toString(health_factor) FROM ${table} FINAL ORDER BY ledger, pool`
    return (await client.query({ query, format: 'JSONCompactEachRow' })).json()
  }
  /** Stored in the part, not computed for each reader. */
  const partsWithColumn = async (): Promise<number> => {
    const query = `SELECT toUInt32(count()) FROM system.parts_columns
      WHERE database = '${database.name}' AND active AND table = 'position_snapshots_v1' AND column = 'health_factor'`
    const [[parts] = [0]] = await (await client.query({ query, format: 'JSONCompactEachRow' })).json<[number]>()
    return parts
  }
  const merge = () => client.command({ query: 'OPTIMIZE TABLE position_snapshots_v1 FINAL' })
  const expected = (ledger: number) => POSITIONS.map(([pool, , , , healthFactor]) => [ledger, pool, healthFactor])

  await insert(1)
  await insert(2)
  await migrate(database.address('admin'), { folder: migrationsBefore('0055') })
  const earlier = [...expected(1), ...expected(2)]
  expect(await partsWithColumn()).toBe(0)
  // Its condition is on the effective debt, from which the health factor of vaults is computed.
  const { sql, params } = statementOf(streamHealthFactors.byAddress, OF_LEDGERS)
  const query_params = { ...params, active: [new TupleParam(['blend', 1])] }
  const { settings = {} } = streamHealthFactors.byAddress
  const streamed = await client.query({ query: sql, query_params, clickhouse_settings: settings, format: 'JSONEachRow' })
  const changes = (await streamed.json()).map((row) => streamHealthFactors.byAddress.row.parse(row))
  expect(changes.map(({ ledger, pool, health_factor }) => [ledger, pool, health_factor])).toEqual(earlier)
  expect(await healthFactors()).toEqual(earlier)
  expect(await healthFactors('positions_latest_v1')).toEqual(expected(2))
  // Stored in the background: no start waits for it.
  await client.command({ query: 'SYSTEM STOP MERGES position_snapshots_v1' })
  await migrate(database.address('admin'))
  expect(await partsWithColumn()).toBe(0)
  await client.command({ query: 'SYSTEM START MERGES position_snapshots_v1' })
  await expect.poll(partsWithColumn, { timeout: 20_000 }).toBe(2)
  expect(await healthFactors()).toEqual(earlier)
  await merge()
  expect(await partsWithColumn()).toBe(1)
  expect(await healthFactors()).toEqual(earlier)

  await insert(3)
  expect(await healthFactors('positions_latest_v1')).toEqual(expected(3))
  expect(await healthFactors()).toEqual([...earlier, ...expected(3)])
  await merge()
  expect(await healthFactors()).toEqual([...earlier, ...expected(3)])
  expect(await partsWithColumn()).toBe(1)
})
