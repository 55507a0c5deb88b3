// What a statement reads of each table, by the engine's own plan.

import type { ClickHouseSettings } from '@clickhouse/client'
import type { ClickHouseConnection } from '../connection.ts'

interface Step {
  readonly Description?: string
  readonly Indexes?: readonly { readonly 'Initial Granules'?: number; readonly 'Selected Granules'?: number }[]
  readonly Plans?: readonly Step[]
}

export interface Statement {
  readonly query: string
  readonly query_params: Record<string, unknown>
  readonly clickhouse_settings?: ClickHouseSettings
}

/** Granules of one read. */
export interface Granules {
  /** Those that the keys and indexes of the table select. */
  readonly read: number
  /** Those that the table has. */
  readonly all: number
}

/** By table. Of several reads of a table, the largest. */
export async function granulesOf(connection: ClickHouseConnection, { query, ...sent }: Statement): Promise<Record<string, Granules>> {
  const answer = await connection.client.query({
    query: `EXPLAIN PLAN json = 1, indexes = 1 ${query}`,
    ...sent,
    format: 'TabSeparatedRaw',
  })
  const [{ Plan }] = JSON.parse(await answer.text()) as [{ Plan: Step }]
  const found: Record<string, Granules> = {}
  const visit = ({ Description = '', Indexes = [], Plans = [] }: Step): void => {
    const table = Description.split('.').at(-1) ?? ''
    const [first, last] = [Indexes[0], Indexes.at(-1)]
    if (first !== undefined && last !== undefined) {
      const read = Math.max(found[table]?.read ?? 0, last['Selected Granules'] ?? 0)
      found[table] = { read, all: first['Initial Granules'] ?? 0 }
    }
    for (const plan of Plans) visit(plan)
  }
  visit(Plan)
  return found
}
