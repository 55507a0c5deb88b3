// The verdict of the last `orrery verify`.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { U32 } from './column-types.ts'

/** No row before the first verification. Times are Unix seconds. */
export const lastVerification = defineQuery({
  name: 'last_verification',
  watermark: 'none',
  params: z.object({}),
  row: z.object({
    finished_at_seconds: z.coerce.number(),
    from_ledger: U32,
    to_ledger: U32,
    verdict: z.enum(['equal', 'different']),
    checks: z
      .string()
      .transform((text) => JSON.parse(text))
      .pipe(z.array(z.object({ check: z.string(), status: z.enum(['equal', 'different', 'not_checked']) }))),
    differences: z.coerce.number(),
  }),
  sql: `SELECT toUnixTimestamp(finished_at) AS finished_at_seconds, from_ledger, to_ledger, verdict, checks, differences
    FROM verifications_v1 FINAL ORDER BY finished_at DESC LIMIT 1`,
})
