// Where `up` takes ledgers from, by its options: the recorded demo network when they say nothing.

import { type LedgerSource, lakeSource, openSource } from '@orrery/ingest'
import { DEMO, demoLake } from './demo.ts'

type Options = Parameters<typeof openSource>[0]

/** @throws OrreryError `invalid`/`source_missing`, `rpc_address_invalid`. */
export function sourceOf(name: string, options: Options): LedgerSource {
  const isDemo = name === DEMO && options.lake === undefined && options.rpc === undefined
  return isDemo ? lakeSource(demoLake) : openSource(options)
}
