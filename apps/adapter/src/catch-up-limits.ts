// How much is stored at once: a trade-off between speed and freshness.

import { BatchGroup, type BatchLimits } from './write-behind.ts'

const WHEN = { maxAgeMs: 5_000, quietMs: 100 }

/**
 * ClickHouse is fastest with few large inserts, because a batch costs its CPU far more than the rows in it, while readers at the tip need rows
 * soon: 100,000 rows of all partitions of the process or five seconds while the log is busy, a tenth of a second after the last slice when it is not.
 */
export const CATCH_UP_LIMITS: BatchLimits = { ...WHEN, maxWeight: 100_000, group: new BatchGroup() }

/** Of the control topic, whose rows go to two small tables. */
export const CONTROL_LIMITS: BatchLimits = { ...WHEN, maxWeight: 10_000 }
