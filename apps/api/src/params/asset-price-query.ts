// Parameters of an asset's prices: those of a position's history, but a price is never filled with zero.

import type { z } from 'zod'
import { choice } from './choice.ts'
import { HistoryQuery } from './history-query.ts'
import { LedgerParameter } from './integer.ts'

export const AssetPriceQuery = HistoryQuery.extend({
  fill: choice(['none', 'null', 'locf'])
    .optional()
    .describe(
      'Buckets in which no source brought a price: absent, null, or the last price carried forward for at most 24 hours. `zero` is refused: 0 would read as a price.',
    ),
  as_of_ledger: LedgerParameter.optional().describe(
    'Raw prices at or before this ledger: one point for each ledger that brought the price which then counted.',
  ),
})

export type AssetPriceQuery = z.output<typeof AssetPriceQuery>
