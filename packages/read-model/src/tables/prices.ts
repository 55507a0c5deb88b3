// Prices: one for each source and ledger.

import type { PriceRow } from '@orrery/protocol-kit'
import { decimal, seconds, table, text, unsigned } from './column.ts'

export const pricesTable = table<PriceRow>('prices_v1', {
  protocol: text((row) => row.protocol),
  asset: text((row) => row.asset),
  source: text((row) => row.source),
  ledger: unsigned(32, (row) => row.ledger),
  close_time: seconds((row) => row.closeTimeSeconds),
  price_usd: decimal(76, 18, (row) => row.priceUsd),
  observed_at: seconds((row) => row.observedAtSeconds),
})
