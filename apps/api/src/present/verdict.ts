// The verdict of the last `orrery verify`, as health and index answer it.

import type { QueryOptions, ReadModel } from '@orrery/read-model'
import { lastVerification } from '@orrery/read-model/queries'
import { z } from 'zod'
import { Timestamp, timestampOf } from './timestamp.ts'

export const Verdict = z
  .strictObject({
    verdict: z
      .enum(['equal', 'different'])
      .describe('`equal`: no check found a difference. `different`: at least one did; the operator has the report of the command.'),
    from_ledger: z.int().describe('First ledger that was compared.'),
    to_ledger: z.int().describe('Last ledger that was compared.'),
    finished_at: Timestamp.describe('When the verification ended.'),
    differences: z.int().describe('Count of differing rows and other findings. 0 when the verdict is `equal`.'),
    checks: z
      .array(
        z.strictObject({
          check: z.string().describe('`log`, `checkpoints`, `source`, `rows`, `invariants` or `entries`.'),
          status: z.enum(['equal', 'different', 'not_checked']).describe('`not_checked`: no source or RPC was named.'),
        }),
      )
      .describe('What was compared, in the order of the checks.'),
  })
  .meta({
    id: 'Verdict',
    example: {
      verdict: 'equal',
      from_ledger: 1000000,
      to_ledger: 1000541,
      finished_at: '2026-09-02T08:00:00Z',
      differences: 0,
      checks: [{ check: 'rows', status: 'equal' }],
    },
  })

/** Null before the first verification. */
export async function readVerdict(readModel: ReadModel, call: QueryOptions): Promise<z.input<typeof Verdict> | null> {
  const [last] = await readModel.query(lastVerification, {}, call)
  if (last === undefined) return null
  const { verdict, from_ledger, to_ledger, finished_at_seconds, differences, checks } = last
  return { verdict, from_ledger, to_ledger, finished_at: timestampOf(finished_at_seconds), differences, checks }
}
