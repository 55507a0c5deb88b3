import { readFileSync } from 'node:fs'
import { NO_ROWS } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { openStore } from './clickhouse-store.ts'
import { activityRow, closeTimeOf, poolSnapshotRow, positionSnapshotRow, stateRow, transactionRow } from './testing/example-rows.ts'
import { withDatabases } from './testing/with-clickhouse.ts'

const databases = withDatabases()
const page = readFileSync(new URL('../../../docs/analysts.md', import.meta.url), 'utf8')
const examples = [...page.matchAll(/\n([^\n]+):\n\n```sql\n([\s\S]+?)```/g)].map(([, title = '', sql = '']) => ({ title, sql }))

describe('the page for analysts', () => {
  it('the page for analysts has examples that run as the user that it names, each with rows in the answer', async () => {
    const database = await databases.databaseOfTest()
    const store = openStore(database.connect('writer'))
    await store.activateIfNone('soroswap', 1, 1)
    const txHash = '0000000000000064'.padEnd(64, '0')
    await store.write(
      [
        {
          ...NO_ROWS,
          state: [stateRow(), stateRow({ key: '@GA:health_step', owner: 'GA', value: '{"health_factor":"1.0512","step":"105"}' })],
          positionSnapshots: [positionSnapshotRow({ effectiveCollateralUsd: '6', effectiveLiabilitiesUsd: '5' })],
          poolSnapshots: [poolSnapshotRow()],
          activities: [activityRow({ txHash })],
          transactions: [transactionRow({ txHash })],
        },
      ],
      1,
    )
    await store.moveCheckpoint({ protocol: 'soroswap', partition: 0 }, 1, {
      ledger: 100,
      closeTimeSeconds: closeTimeOf(100),
      offset: 1n,
      rollingHash: '',
    })
    const { client } = database.connect('analyst')
    expect(examples).toHaveLength(11)
    for (const { title, sql } of examples) {
      const rows = await (await client.query({ query: sql, format: 'JSONEachRow' })).json()
      expect(rows, title).toHaveLength(1)
    }
  })

  it('the page for analysts names every view', async () => {
    const database = await databases.databaseOfTest()
    const query = `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'View'`
    const views = (await (await database.connect('admin').client.query({ query, format: 'JSONCompactEachRow' })).json<string[]>()).flat()
    expect(views.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
    expect(views).toHaveLength(32)
  })
})
