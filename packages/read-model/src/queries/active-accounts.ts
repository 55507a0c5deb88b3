// Accounts that did something in a range of ledgers, or to which something happened: for answers that stay as they are until then.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { U32 } from './column-types.ts'

/**
 * The accounts with an activity after `after_ledger`, and the last ledger of each that has one.
 *
 * At 10 G rows: reads the ledgers asked for, a column and a half of them, since the table is ordered by ledger.
 */
export const activeAccounts = defineQuery({
  name: 'active_accounts',
  watermark: 'required',
  params: z.object({ after_ledger: U32, watermark: U32 }),
  row: z.object({ address: z.string(), last_ledger: U32 }),
  sql: `
    SELECT address, max(ledger) AS last_ledger
    FROM activities_by_ledger_v1
    WHERE ledger > {after_ledger:UInt32} AND ledger <= {watermark:UInt32} AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
    GROUP BY address
    ORDER BY address`,
})
