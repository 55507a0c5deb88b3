// Pools by day: of each pool of a protocol its last snapshot of each UTC day. Callers add up and fill what is between, since the engine takes longer to plan
// sums over days than to read these rows. Where there are many, `protocol_tvl_by_day` gives the sums.

import { z } from 'zod'
import { CONDITIONS_WITH_COLUMNS, defineQuery } from '../query.ts'
import { DecimalText, U32 } from './column-types.ts'

/**
 * The engine counts the rows of the window and of all days before it while it plans the statement. With more of them, `protocol_tvl_by_day` is the cheaper
 * statement. With `read_overflow_mode = 'break'`, which a profile may have, the sums would lack pools.
 */
const MOST_READ = { max_rows_to_read: '32768', read_overflow_mode: 'throw' } as const

/**
 * Of each pool the last row of each day from `first` on; where it has none on that day, its last one of the days before. Pool by pool, the newest day first.
 * All days are over at the watermark: the stored last row of a later day may be after it. FINAL: of two rows of one ledger that are not merged yet, the later
 * written one counts, which a repair wrote.
 *
 * All days before are read, because a pool may have been quiet for long. Where there are more rows than `MOST_READ`, the engine refuses the statement
 * (`isOverReadLimit`) and reads nothing.
 */
export const poolDays = defineQuery({
  name: 'pool_days',
  watermark: 'required',
  settings: { ...CONDITIONS_WITH_COLUMNS, ...MOST_READ },
  params: z.object({
    protocol: z.string(),
    first: z.iso.date(),
    days: z.int().positive(),
    watermark: U32,
    rows: z.int().positive(),
  }),
  row: z.object({ pool: z.string(), day_seconds: U32, tvl_usd: DecimalText, unpriced_assets: z.int() }),
  sql: `
    SELECT pool, toUInt32(toUnixTimestamp(toDateTime(day, 'UTC'))) AS day_seconds, tvl_usd, unpriced_assets
    FROM pool_daily_v1 FINAL
    WHERE protocol = {protocol:String} AND day < {first:Date} + {days:UInt32} AND ledger <= {watermark:UInt32}
      AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
    ORDER BY pool, day DESC, ledger DESC
    LIMIT 1 BY pool, greatest(day, {first:Date})
    LIMIT {rows:UInt32}`,
})
