// Names of contracts, which every answer has of the contracts in its data.

import type { Enrichment } from '@orrery/client'

/** Name of a contract; undefined for one without a name, and for an account. */
export type NameOf = (address: string) => string | undefined

export function contractNames({ contracts }: Enrichment): NameOf {
  return (address) => contracts[address]?.name || undefined
}
