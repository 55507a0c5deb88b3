// Facts of the control topic about the network: its registry and its protocol version, each from a ledger on.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { U32 } from './column-types.ts'

/** Kinds that this build knows, in the order of ledgers; of one kind and ledger the value that was written last. */
export const controlFacts = defineQuery({
  name: 'control_facts',
  watermark: 'none',
  params: z.object({}),
  row: z.object({ kind: z.enum(['registry', 'protocol']), ledger: U32, value: z.string() }),
  sql: "SELECT kind, ledger, value FROM control_facts_v1 FINAL WHERE kind IN ('registry', 'protocol') ORDER BY kind, ledger",
})
