// How much is stored at once. The one figure that trades speed against freshness.

import type { BatchLimits } from './write-behind.ts'

/**
 * ClickHouse likes few large inserts, a reader at the tip likes none to wait: 10,000 rows or two seconds while the log is busy,
 * a tenth of a second after the last slice when it is not.
 */
export const CATCH_UP_LIMITS: BatchLimits = { maxWeight: 10_000, maxAgeMs: 2_000, quietMs: 100 }
