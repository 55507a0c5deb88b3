// Pools: pairs of Soroswap, each a copy of one of the demo's, announced by the same factory. A pool has the last row of each day of its state and of its
// snapshots: as much as lists of pools and TVL by day read.

import type { ClickHouseConnection } from '@orrery/read-model'
import { DEMO_PAIRS, type LargeSet, sizesOf } from './set.ts'
import { inChunks, type Step } from './steps.ts'
import { rowOf, TEMPLATES } from './templates.ts'

export async function poolStep(admin: ClickHouseConnection, set: LargeSet): Promise<Step> {
  const rows = async (table: string): Promise<number> =>
    Number((await rowOf<{ n: string }>(admin, `SELECT count() AS n FROM ${TEMPLATES}.${table}`)).n) / DEMO_PAIRS
  const pools = sizesOf(set).poolGroups * DEMO_PAIRS
  const of = async (from: string, to: string, column: string, replaced: string, except = ''): Promise<Step['statements']> =>
    inChunks(
      pools,
      await rows(from),
      (first, count) => `
      INSERT INTO ${to} WITH (SELECT arraySort(groupArray(pool)) FROM ${TEMPLATES}.pairs) AS pairs
      SELECT t.* ${except} REPLACE (${replaced}) FROM ${TEMPLATES}.${from} AS t
      INNER JOIN (SELECT pool, scope, pairs[n % ${DEMO_PAIRS} + 1] AS pair FROM ${TEMPLATES}.pools WHERE n >= ${first} AND n < ${first + count}) AS p
      ON p.pair = toString(t.${column})`,
    )
  return {
    name: 'pools',
    statements: [
      ...(await of('announcements', 'state_v1', 'pair', "concat('pair:', p.pool) AS key", 'EXCEPT (pair)')),
      ...(await of('pair_state', 'state_v1', 'contract', 'p.pool AS contract, p.scope AS scope')),
      ...(await of('pool_snapshots', 'pool_snapshots_v1', 'pool', 'p.pool AS pool')),
      ...(await of('reserve_snapshots', 'reserve_snapshots_v1', 'pool', 'p.pool AS pool')),
    ],
  }
}
