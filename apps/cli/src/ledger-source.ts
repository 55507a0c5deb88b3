// The ledger source of `up`, by its options: the recorded demo network when no option names one.

import { type LedgerSource, lakeSource, openSource } from '@orrery/ingest'
import { DEMO, demoLake } from './demo.ts'

type Options = Parameters<typeof openSource>[0]

/** Whether the recorded network is selected by these options. */
export function isDemo(name: string, { lake, rpc }: Pick<Options, 'lake' | 'rpc'>): boolean {
  return name === DEMO && lake === undefined && rpc === undefined
}

/** @throws OrreryError `invalid`/`source_missing`, `rpc_address_invalid`. */
export function sourceOf(name: string, options: Options): LedgerSource {
  return isDemo(name, options) ? lakeSource(demoLake) : openSource(options)
}
