import { expect, it } from 'vitest'
import { withDatabases } from '../testing/index.ts'
import { removeReplaced } from './remove-replaced.ts'
import { repairTable } from './repair-table.ts'
import { type VerifiedTable, verifiedTables } from './verified-tables.ts'

const databases = withDatabases()
const range = { from: 10, to: 20, versions: [{ protocol: 'blend', version: 3 }] }

/** A damaged index whose parts are not merged, and the rows of a second fold. */
async function damaged() {
  const [stored, folded] = [await databases.database(), await databases.database()]
  const [index, scratch] = [stored.connect('admin'), folded.connect('admin')]
  // Parts too large to be merged: `SYSTEM STOP MERGES` would stop the deletions as well.
  for (const table of ['state_v1', 'state_latest_v1'])
    await index.client.command({ query: `ALTER TABLE ${table} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1` })
  const tables = await verifiedTables(scratch)
  const tableOf = (name: string) => tables.find((table) => table.name === name) as VerifiedTable
  /** Rows `contract, key, ledger, value, adapter version` of one insert. */
  const insert = async (into: typeof index, ...rows: string[]) => {
    const values = rows.map((row) => `('blend', 1, ${row})`).join(', ')
    const query = `INSERT INTO state_v1 (protocol, scope, contract, key, ledger, value, adapter_version) VALUES ${values}`
    await into.client.command({ query })
  }
  /** All stored rows, those that another one replaces included. */
  const rows = async (table: string) => {
    const query = `SELECT contract, key, ledger, value, adapter_version FROM ${table} ORDER BY ALL`
    return (await (await index.client.query({ query, format: 'JSONCompactEachRow' })).json()) as unknown[]
  }
  const repair = (name: string) => repairTable(scratch, stored.name, tableOf(name), range)
  const remove = (name: string) => removeReplaced(scratch, stored.name, tableOf(name), range)
  return { index, scratch, insert, rows, repair, remove, tables }
}

it('after a repair no statement reads the row that was replaced, before parts are merged, in a table and in those derived from it', async () => {
  const { index, scratch, insert, rows, repair, remove } = await damaged()
  await insert(index, "'C1', 'changed', 13, 'wrong', 3", "'C1', 'same', 13, 'right', 3")
  await insert(scratch, "'C1', 'changed', 13, 'right', 3", "'C1', 'same', 13, 'right', 3")
  await repair('state_v1')
  const right = [
    ['C1', 'changed', 13, 'right', 3],
    ['C1', 'same', 13, 'right', 3],
  ]
  const both = [right[0], ['C1', 'changed', 13, 'wrong', 3], right[1]]
  // The row that was inserted has made the derived one, so that a comparison of this table finds nothing to repair.
  expect([await rows('state_v1'), await rows('state_latest_v1')]).toEqual([both, both])
  expect([await remove('state_v1'), await remove('state_latest_v1')]).toEqual([true, true])
  expect([await rows('state_v1'), await rows('state_latest_v1')]).toEqual([right, right])
  expect([await remove('state_v1'), await remove('state_latest_v1')]).toEqual([false, false])
})

it('rows of other ledgers and other versions, earlier rows of a key, and equal copies stay', async () => {
  const { index, insert, rows, remove } = await damaged()
  const untouched = [
    ["'C1', 'before', 9, 'one', 3", "'C1', 'before', 9, 'other', 3"],
    ["'C1', 'after', 21, 'one', 3", "'C1', 'after', 21, 'other', 3"],
    ["'C1', 'version', 13, 'one', 2", "'C1', 'version', 13, 'other', 2"],
    ["'C1', 'newer', 13, 'one', 3", "'C1', 'newer', 14, 'other', 3"],
    ["'C1', 'copy', 13, 'one', 3", "'C1', 'copy', 13, 'one', 3"],
  ]
  for (const [one = '', other = ''] of untouched) {
    await insert(index, one)
    await insert(index, other)
  }
  const [state, latest] = [await rows('state_v1'), await rows('state_latest_v1')]
  expect([state.length, latest.length]).toEqual([10, 10])
  expect([await remove('state_v1'), await remove('state_latest_v1')]).toEqual([false, false])
  expect([await rows('state_v1'), await rows('state_latest_v1')]).toEqual([state, latest])
})

it('a row that is written while replaced ones are removed stays', async () => {
  const { index, insert, rows, remove } = await damaged()
  for (const value of ['wrong', 'right']) await insert(index, `'C1', 'k', 13, '${value}', 3`)
  const removal = remove('state_v1')
  await insert(index, "'C1', 'k', 13, 'newest', 3")
  await removal
  expect(await rows('state_v1')).toContainEqual(['C1', 'k', 13, 'newest', 3])
})

it('a million copies with equal values take no more memory than a repair may', async () => {
  const { index, remove } = await damaged()
  const copies = `INSERT INTO state_v1 (protocol, scope, contract, key, ledger, value, adapter_version)
    SELECT 'blend', 1, 'C1', toString(number), 13, repeat(toString(number), 40), 3 FROM numbers(1000000)`
  for (let n = 0; n < 2; n++) await index.client.command({ query: copies })
  for (const value of ['wrong', 'right'])
    await index.client.command({ query: copies.replace('repeat(toString(number), 40)', `'${value}'`).replace('1000000', '1000') })
  expect(await remove('state_v1')).toBe(true)
  const query = "SELECT count() AS n, countIf(value = 'right') AS right FROM state_v1"
  expect(await (await index.client.query({ query, format: 'JSONEachRow' })).json()).toEqual([{ n: '1999000', right: '1000' }])
})

it('every table of the schema takes the statements', async () => {
  const { tables, remove } = await damaged()
  for (const { name } of tables) expect(await remove(name), name).toBe(false)
})
