// Parameters of a pool's history: those of a position's history.

import type { z } from 'zod'
import { choice } from './choice.ts'
import { HistoryQuery } from './history-query.ts'
import { LedgerParameter } from './integer.ts'

export const PoolHistoryQuery = HistoryQuery.extend({
  fill: choice(['none', 'null', 'zero', 'locf'])
    .optional()
    .describe(
      'How buckets without a snapshot are shown: `none` leaves them out, `null` and `zero` give these values (yields are null in both), `locf` carries the last observation forward.',
    ),
  as_of_ledger: LedgerParameter.optional().describe(
    'Only raw snapshots at or before this ledger. A pool has a snapshot at each change and, while it holds anything, at the first ledger of each UTC hour.',
  ),
})

export type PoolHistoryQuery = z.output<typeof PoolHistoryQuery>
