import { expect, it } from 'vitest'
import { withDatabases } from '../testing/index.ts'
import { compareTable } from './compare-table.ts'
import { type VerifiedTable, verifiedTables } from './verified-tables.ts'

const databases = withDatabases()
const range = { from: 10, to: 20, versions: [{ protocol: 'blend', version: 3 }] }

/** Two databases with equal tables. */
async function pair() {
  const [stored, folded] = [await databases.database(), await databases.database()]
  const run = async (query: string, into: readonly (typeof stored)[] = [stored, folded]) => {
    for (const database of into) await database.connect('admin').client.command({ query })
  }
  const scratch = folded.connect('admin')
  const tables = await verifiedTables(scratch)
  const tableOf = (name: string) => tables.find((table) => table.name === name) as VerifiedTable
  const compare = (name: string) => compareTable(scratch, stored.name, tableOf(name), range, 2)
  return { stored, folded, run, tables, compare }
}

/** `protocol, scope, contract, key, ledger, value, version` of rows of state_v1. */
const state = (rows: readonly string[]) =>
  `INSERT INTO state_v1 (protocol, scope, contract, key, ledger, value, adapter_version) VALUES ${rows.map((row) => `(${row})`).join(', ')}`

it('every table of the schema can be compared, and equal tables have no difference', async () => {
  const { run, tables, compare } = await pair()
  await run(state(["'blend', 1, 'C1', 'k', 12, '{}', 3"]))
  for (const { name } of tables) expect(await compare(name), name).toBeNull()
})

it('a missing, an extra and a changed row are counted and named with key, ledger and both values', async () => {
  const { run, stored, folded, compare } = await pair()
  await run(state(["'blend', 1, 'C1', 'same', 12, '{}', 3"]))
  await run(state(["'blend', 1, 'C1', 'changed', 13, 'mine', 3", "'blend', 2, 'C1', 'extra', 14, '', 3"]), [stored])
  await run(state(["'blend', 1, 'C1', 'changed', 13, 'theirs', 3", "'blend', 65535, 'C1', 'missing', 15, '', 3"]), [folded])
  expect(await compare('state_v1')).toEqual({
    table: 'state_v1',
    counts: { missing: 1, extra: 1, changed: 1 },
    firstLedger: 13,
    lastLedger: 15,
    places: [
      { protocol: 'blend', partition: 1, firstLedger: 13, lastLedger: 13 },
      { protocol: 'blend', partition: 2, firstLedger: 14, lastLedger: 14 },
      { protocol: 'blend', partition: null, firstLedger: 15, lastLedger: 15 },
    ],
    examples: [
      {
        ...{ kind: 'changed', ledger: 13 },
        key: { protocol: 'blend', contract: 'C1', key: 'changed', ledger: '13', adapter_version: '3' },
        columns: [{ column: 'value', stored: 'mine', expected: 'theirs' }],
      },
      {
        ...{ kind: 'extra', ledger: 14 },
        key: { protocol: 'blend', contract: 'C1', key: 'extra', ledger: '14', adapter_version: '3' },
        columns: [],
      },
    ],
  })
})

it('rows of other ledgers and of other adapter versions are not compared', async () => {
  const { run, stored, compare } = await pair()
  await run(state(["'blend', 1, 'C1', 'k', 9, '', 3", "'blend', 1, 'C1', 'k', 21, '', 3", "'blend', 1, 'C1', 'k', 12, '', 2"]), [stored])
  expect(await compare('state_v1')).toBeNull()
})

it('of a table with one row for each key, a row that a later ledger has replaced is not missing; an older one is', async () => {
  const { run, stored, folded, compare } = await pair()
  await run(state(["'blend', 1, 'C1', 'replaced', 12, '', 3", "'blend', 1, 'C1', 'stale', 15, '', 3"]), [folded])
  await run(state(["'blend', 1, 'C1', 'replaced', 25, '', 3", "'blend', 1, 'C1', 'stale', 11, '', 3"]), [stored])
  expect(await compare('state_latest_v1')).toMatchObject({
    counts: { missing: 0, extra: 0, changed: 1 },
    examples: [{ kind: 'changed', key: { key: 'stale' }, columns: [{ column: 'ledger', stored: '11', expected: '15' }] }],
  })
})
