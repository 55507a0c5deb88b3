// Names for the sentences about transactions and actions, from the enrichment of the answer.

import type { Enrichment } from '../envelope.ts'
import type { SummaryNames } from '../present/transaction-summary.ts'
import type { RouteContext } from '../route.ts'

/** Names for the sentence: `USDC/XLM (constant product 0.3%)` becomes `USDC/XLM`. */
export function summaryNames({ assets, contracts }: Enrichment, { shipped }: RouteContext): SummaryNames {
  const nameOf = (id: string): string => contracts[id]?.name.split(' (')[0] ?? ''
  return {
    pool: (contract) => ((contracts[contract]?.position_types.length ?? 0) === 0 ? '' : nameOf(contract)),
    protocol: (id) => shipped.find((known) => known.id === id)?.displayName ?? id,
    any: (id) => nameOf(id) || (assets[id]?.symbol ?? ''),
  }
}
