// Where `up` takes ledgers from, by its options. One source today; what is still to come is refused in words.

import { OrreryError } from '@orrery/errors'
import { type LedgerSource, lakeSource } from '@orrery/ingest'
import { DEMO, demoLake } from './demo.ts'

/** @throws OrreryError `invalid`/`source_not_supported`, `invalid`/`source_missing`. */
export function sourceOf({
  network,
  lake,
  rpc,
}: {
  readonly network: string
  readonly lake: string | undefined
  readonly rpc: string | undefined
}): LedgerSource {
  if (rpc !== undefined) throw notSupported('`--rpc`: this version cannot follow a node')
  if (lake !== undefined && /^[a-z][a-z0-9+.-]+:\/\//i.test(lake))
    throw notSupported(`\`--lake ${lake}\`: this version reads lakes from a folder only`)
  if (lake !== undefined) return lakeSource(lake)
  if (network === DEMO) return lakeSource(demoLake)
  throw new OrreryError(
    'invalid',
    'source_missing',
    `Nothing says where the ledgers of ${network} come from. Nothing was started.\nName the folder of its SEP-54 lake with \`--lake\`, or leave \`--network\` out to see the recorded demo network.`,
  )
}

function notSupported(what: string): OrreryError {
  return new OrreryError(
    'invalid',
    'source_not_supported',
    `${what}. Nothing was started.\nCopy the lake into a folder and name that with \`--lake\`, or give neither to see the recorded demo network.`,
  )
}
