// Most columns of a page of an account are read as one text: they are what was written, also of rows that an earlier build stored.

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SettingsMap, TupleParam } from '@clickhouse/client'
import { expect, it, onTestFinished } from 'vitest'
import { readSettings } from '../connection.ts'
import { accountActionRows } from '../queries/account-actions.ts'
import { accountActivities, filteredAccountActivities } from '../queries/account-activities.ts'
import { AccountActivityRecord } from '../queries/activity-columns.ts'
import { type Query, statementOf } from '../query.ts'
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

/** As answers have them. */
const shown = ({ close_time, amount, share_amount, ...row }: typeof FULL | typeof BARE) => ({
  ...row,
  ...{ close_time_seconds: close_time, amount: BigInt(amount), share_amount: BigInt(share_amount) },
})
const SHOWN_FULL = { ...shown(FULL), usd_value: '123456789012345678.0000001' }
const SHOWN_BARE = shown(BARE)

const FIRST_PAGE = {
  ...{ address: 'GA', from_ledger: null, to_ledger: 60_000_000, watermark: 60_000_000, after_ledger: null, after_tx_order: null },
  ...{ after_op_index: null, after_event_index: null, after_row: null, rows: 10 },
}
const NO_FILTER = { protocol: '', contract: '', types: [], tx_hash: '' }

it('pages of an account show the same columns whether they read them or their text, before and after parts are merged', async () => {
  const database = await databases.databaseOfTest({ empty: true })
  await migrate(database.address('admin'), { folder: earlierMigrations() })
  const { client } = database.connect('admin')
  const insert = (rows: readonly object[]) =>
    client.insert({ table: 'activities_v1', values: rows.map((row) => ({ ...row, adapter_version: 1 })), format: 'JSONEachRow' })
  /** As the API sends it, with the condition that leaves out quarantined pools. */
  const page = async (query: Query, filter: object = {}): Promise<unknown[]> => {
    const active = [new TupleParam(['blend', 1]), new TupleParam(['fxdao', 1])]
    const sent = statementOf(query, { ...FIRST_PAGE, ...NO_FILTER, ...filter })
    const answer = await client.query({
      query: sent.sql,
      query_params: { ...sent.params, active },
      clickhouse_settings: {
        ...readSettings(10, 2 ** 30),
        ...query.settings,
        additional_table_filters: SettingsMap.from({ activities_v1: "contract != \\'CQUARANTINED\\'" }),
      },
      format: 'JSONEachRow',
    })
    return (await answer.json()).map((row) => query.row.parse(row))
  }
  const partsWithColumn = async (): Promise<number> => {
    const query = `SELECT toUInt32(count()) FROM system.parts_columns
      WHERE database = '${database.name}' AND active AND table = 'activities_v1' AND column = 'shown_json'`
    const [[parts] = [0]] = await (await client.query({ query, format: 'JSONCompactEachRow' })).json<[number]>()
    return parts
  }
  const partsWithout = async (): Promise<number> => {
    const query = `SELECT toUInt32(count()) FROM system.parts WHERE database = '${database.name}' AND active AND table = 'activities_v1'`
    const [[parts] = [0]] = await (await client.query({ query, format: 'JSONCompactEachRow' })).json<[number]>()
    return parts - (await partsWithColumn())
  }
  const expectPages = async (...newestFirst: readonly object[]): Promise<void> => {
    expect(await page(accountActivities.desc)).toEqual(newestFirst)
    expect(await page(accountActionRows.desc)).toEqual(newestFirst)
    expect(await page(accountActivities.asc)).toEqual(newestFirst.toReversed())
    expect(await page(accountActionRows.asc)).toEqual(newestFirst.toReversed())
    for (const filter of [{ types: ['claim'] }, { contract: 'C' }, { protocol: 'fxdao' }, { tx_hash: BARE.tx_hash }])
      expect(await page(filteredAccountActivities.desc, filter)).toEqual([SHOWN_BARE])
  }

  await insert([FULL, { ...FULL, row: 1, contract: 'CQUARANTINED' }])
  await insert([BARE])
  // Stored in the background: no start waits for it.
  await client.command({ query: 'SYSTEM STOP MERGES activities_v1' })
  await migrate(database.address('admin'))
  expect(await partsWithColumn()).toBe(0)
  await expectPages(SHOWN_BARE, SHOWN_FULL)

  const next = { ...FULL, row: FULL.row + 1 }
  await insert([next])
  expect(await partsWithColumn()).toBe(1)
  await expectPages(SHOWN_BARE, { ...SHOWN_FULL, row: next.row }, SHOWN_FULL)
  await client.command({ query: 'SYSTEM START MERGES activities_v1' })
  await expect.poll(partsWithout, { timeout: 20_000 }).toBe(0)
  await expectPages(SHOWN_BARE, { ...SHOWN_FULL, row: next.row }, SHOWN_FULL)
  await client.command({ query: 'OPTIMIZE TABLE activities_v1 FINAL' })
  expect(await partsWithColumn()).toBe(1)
  await expectPages(SHOWN_BARE, { ...SHOWN_FULL, row: next.row }, SHOWN_FULL)

  const query = `SELECT table FROM system.columns WHERE database = '${database.name}' AND name = 'shown_json'`
  expect(await (await client.query({ query, format: 'JSONCompactEachRow' })).json()).toEqual([['activities_v1']])
})

it.each(['', '{}', '[1]', '["a'])('a text that is not that of an activity is refused: %s', (shown_json) => {
  expect(AccountActivityRecord.safeParse({ shown_json }).error?.issues).toMatchObject([{ path: ['shown_json'] }])
})
