// The columns of activities that feeds show as one text: equal to the columns themselves, also of rows that an earlier build stored.

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { ACCOUNT_COLUMNS, ACTIVITY_COLUMNS, AccountActivityRecord, ActivityRecord } from '../queries/activity-columns.ts'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { migrate } from './migrate.ts'

const databases = withDatabases()
const OWN = fileURLToPath(new URL('./migrations/', import.meta.url))

/** The migrations before the one that adds the column. */
function earlierMigrations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of readdirSync(OWN)) if (name < '0053') cpSync(join(OWN, name), join(folder, name))
  return folder
}

/** A value of its own in each column. */
const FULL = {
  ...{ protocol: 'blend', ledger: 50_000_001, tx_order: 3, op_index: 4, event_index: 5, row: 16_777_222, close_time: 1_700_006_407 },
  ...{ tx_hash: 'ab'.repeat(32), address: 'GA', activity_type: 'deposit', contract: 'CPOOL', counterparty: 'CTO', asset_id: 'CASSET' },
  ...{
    asset_symbol: 'A"\\/\u0001\n😀',
    asset_decimals: 7,
    amount: `${2n ** 255n - 1n}`,
    share_amount: '9007199254740993',
    share_decimals: 18,
  },
  ...{
    share_type: 'b_token',
    usd_value: '123456789012345678.00000010',
    action_id: '0'.repeat(31) + 'f',
    direction: 'sent',
    confidence: 0.9,
  },
  ...{ price_usd: '0.000000000000000001', price_source: 'oracle:CO', price_age_seconds: 27, metadata: '{"reason":"\\"a\\"","path":["é"]}' },
}
/** What a leg without an asset has. */
const BARE = {
  ...{ protocol: 'fxdao', ledger: 50_000_002, tx_order: 1, op_index: 0, event_index: 0, row: 0, close_time: 1_700_006_412 },
  ...{ tx_hash: 'cd'.repeat(32), address: 'GA', activity_type: 'claim', contract: 'C', counterparty: '', asset_id: '', asset_symbol: '' },
  ...{
    asset_decimals: null,
    amount: '0',
    share_amount: '0',
    share_decimals: 0,
    share_type: '',
    usd_value: null,
    action_id: '',
    direction: 'none',
  },
  ...{ confidence: 1, price_usd: null, price_source: '', price_age_seconds: 0, metadata: '{}' },
}

it('an activity has the same columns as one text, before and after parts are merged', async () => {
  const database = await databases.databaseOfTest({ empty: true })
  await migrate(database.address('admin'), { folder: earlierMigrations() })
  const { client } = database.connect('admin')
  const insert = (rows: readonly object[]) =>
    client.insert({ table: 'activities_v1', values: rows.map((row) => ({ ...row, adapter_version: 1 })), format: 'JSONEachRow' })
  const read = async (columns: string): Promise<unknown[]> =>
    (await client.query({ query: `SELECT ${columns} FROM activities_v1 ORDER BY ledger, row`, format: 'JSONEachRow' })).json()
  const expectSame = async (count: number): Promise<void> => {
    const separate = (await read(ACTIVITY_COLUMNS)).map((row) => ActivityRecord.parse(row))
    expect(separate).toHaveLength(count)
    expect((await read(ACCOUNT_COLUMNS)).map((row) => AccountActivityRecord.parse(row))).toEqual(separate)
  }
  const partsWithColumn = async (): Promise<number> => {
    const query = `SELECT toUInt32(count()) FROM system.parts_columns
      WHERE database = '${database.name}' AND active AND table = 'activities_v1' AND column = 'shown_json'`
    const [[parts] = [0]] = await (await client.query({ query, format: 'JSONCompactEachRow' })).json<[number]>()
    return parts
  }

  await insert([FULL, BARE])
  await migrate(database.address('admin'))
  expect(await partsWithColumn()).toBe(0)
  await expectSame(2)
  const [full, bare] = (await read(ACCOUNT_COLUMNS)).map((row) => AccountActivityRecord.parse(row))
  const { close_time, ...members } = FULL
  expect(full).toEqual({
    ...members,
    ...{
      close_time_seconds: close_time,
      amount: 2n ** 255n - 1n,
      share_amount: 9_007_199_254_740_993n,
      usd_value: '123456789012345678.0000001',
    },
  })
  expect(bare).toMatchObject({ asset_decimals: null, usd_value: null, price_usd: null, amount: 0n, asset_symbol: '' })

  await insert([{ ...FULL, row: 16_777_223 }])
  expect(await partsWithColumn()).toBe(1)
  await expectSame(3)
  await client.command({ query: 'OPTIMIZE TABLE activities_v1 FINAL' })
  expect(await partsWithColumn()).toBe(1)
  await expectSame(3)
  // What is filled by `SELECT *`, the orders by contract and by ledger, does not copy it.
  expect(Object.keys((await read('*'))[0] as object)).not.toContain('shown_json')
})

it.each(['', '{}', '[1]', '["a'])('a text that is not that of an activity is refused: %s', (shown_json) => {
  expect(AccountActivityRecord.safeParse({ shown_json }).error?.issues).toMatchObject([{ path: ['shown_json'] }])
})
