// How much is stored at once: a trade-off between speed and freshness.

import type { BatchLimits } from './write-behind.ts'

/**
 * ClickHouse is fastest with few large inserts, because a batch costs its CPU far more than the rows in it, while readers at the tip need rows
 * soon: 10,000 rows or five seconds while the log is busy, a tenth of a second after the last slice when it is not.
 */
export const CATCH_UP_LIMITS: BatchLimits = { maxWeight: 10_000, maxAgeMs: 5_000, quietMs: 100 }
