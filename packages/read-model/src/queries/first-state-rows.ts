// The oldest values of state entries.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { U32 } from './column-types.ts'

/** The first row of each key under any of the contracts. For keys that change rarely: all rows of each are read, a granule or two. */
export const firstStateRows = defineQuery({
  name: 'first_state_rows',
  watermark: 'required',
  params: z.object({ protocol: z.string(), contracts: z.array(z.string()), keys: z.array(z.string()), watermark: U32 }),
  row: z.object({ key: z.string(), ledger: U32, value: z.string() }),
  sql: `
    SELECT key, ledger, value
    FROM state_v1
    WHERE protocol = {protocol:String} AND contract IN {contracts:Array(String)} AND key IN {keys:Array(String)}
      AND ledger <= {watermark:UInt32} AND NOT removed AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
    ORDER BY key, ledger
    LIMIT 1 BY key`,
})
