// The rows that a run has left in the tables, without write times and offsets of the log.

import { openStore, type Store } from '@orrery/read-model'
import { withDatabases } from '@orrery/read-model/testing'

export interface Tables {
  readonly store: Store
  /** An adapter version that no other run of this file has. */
  nextVersion(): number
  rowsOf(indexVersion: number): Promise<{ readonly checkpoint: number; readonly finalCounts: readonly string[]; readonly rows: unknown }>
}

/** Call it at the top of a test file. */
export function withTables(): { open(): Promise<Tables> } {
  const databases = withDatabases()
  let version = 0
  return {
    async open() {
      const database = await databases.database()
      const reader = database.connect('admin')
      const select = async (query: string, indexVersion: number): Promise<string[][]> =>
        (await reader.client.query({ query, query_params: { indexVersion }, format: 'JSONCompactEachRow' })).json<string[]>()
      return {
        store: openStore(database.connect('writer')),
        nextVersion: () => ++version,
        async rowsOf(indexVersion) {
          const mine = 'FINAL WHERE adapter_version = {indexVersion:UInt16}'
          const state = await select(`SELECT * EXCEPT adapter_version FROM state_v1 ${mine} ORDER BY ALL`, indexVersion)
          const latest = await select(`SELECT contract, value FROM state_latest_v1 ${mine} ORDER BY ALL`, indexVersion)
          const snapshots = await select(`SELECT * EXCEPT adapter_version FROM pool_snapshots_v1 ${mine} ORDER BY ALL`, indexVersion)
          const checkpoint = await select(`SELECT ledger, rolling_hash FROM checkpoints_v1 ${mine}`, indexVersion)
          return {
            checkpoint: Number(checkpoint[0]?.[0]),
            finalCounts: latest.map(([, value]) => JSON.parse(value ?? '{}').count),
            rows: { state, latest, snapshots, checkpoint },
          }
        },
      }
    },
  }
}
