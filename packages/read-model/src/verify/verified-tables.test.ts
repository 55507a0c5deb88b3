import { expect, it } from 'vitest'
import { withDatabases } from '../testing/index.ts'
import { UNFOLDED_TABLES, verifiedTables } from './verified-tables.ts'

const databases = withDatabases()

// A new table is compared by its columns. This list shows how, so that a table that must be compared in another way is noticed.
it('each table of the schema is verified, or listed with the reason why no ledger determines it', async () => {
  const connection = (await databases.database()).connect('admin')
  const found = await verifiedTables(connection)
  expect(Object.fromEntries(found.map(({ name, comparison, ledger }) => [name, `${comparison} by ${ledger}`]))).toEqual({
    activities_by_contract_v1: 'rows by ledger',
    activities_by_ledger_v1: 'rows by ledger',
    activities_v1: 'rows by ledger',
    assets_v1: 'oldest by first_ledger',
    control_facts_v1: 'rows by ledger',
    health_factor_steps_v1: 'rows by ledger',
    ledgers_v1: 'rows by ledger',
    notices_v1: 'rows by ledger',
    open_positions_latest_v1: 'newest by ledger',
    open_positions_v1: 'rows by ledger',
    pool_daily_v1: 'newest by ledger',
    pool_hourly_v1: 'newest by ledger',
    pool_snapshots_v1: 'rows by ledger',
    position_daily_v1: 'newest by ledger',
    position_snapshots_by_ledger_v1: 'rows by ledger',
    position_snapshots_v1: 'rows by ledger',
    positions_latest_v1: 'newest by ledger',
    prices_hourly_v1: 'newest by ledger',
    prices_v1: 'rows by ledger',
    reserve_hourly_v1: 'newest by ledger',
    reserve_snapshots_v1: 'rows by ledger',
    state_buckets_v1: 'newest by ledger',
    state_by_owner_v1: 'rows by ledger',
    state_latest_v1: 'newest by ledger',
    state_v1: 'rows by ledger',
    transactions_v1: 'rows by ledger',
    tx_lookup_v1: 'rows by ledger',
  })
  const query = "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name"
  const all = await (await connection.client.query({ query, format: 'JSONEachRow' })).json<{ name: string }>()
  const listed = [...found.map(({ name }) => name), ...Object.keys(UNFOLDED_TABLES), 'schema_migrations']
  expect(all.map(({ name }) => name)).toEqual(listed.sort())
})
