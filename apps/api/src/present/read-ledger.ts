// `metadata.as_of_ledger`: what was read through from a node says of which ledger it is, where everything else is of the answer's ledger.

import { poolOfCurrency } from '@orrery/fxdao'
import type { ContractId } from '@orrery/ledger'
import { z } from 'zod'
import type { PositionItem, ProtocolEntry } from './position-item.ts'

const TEXT = 'Only of what was read through from an RPC: the ledger of its answer.'

/** A member of a `metadata` that is there anyway. */
export const ReadLedger = z.int().optional().describe(TEXT)

/** A `metadata` that is there for this alone. */
export const ReadMetadata = z.strictObject({ as_of_ledger: z.int().describe(TEXT) }).optional()

/** @param readAt Null: the index tells it. */
export function withReadLedger<T extends { readonly metadata?: object | undefined }>(
  item: T,
  readAt: number | null,
): T | (T & { readonly metadata: { readonly as_of_ledger: number } }) {
  return readAt === null ? item : { ...item, metadata: { ...item.metadata, as_of_ledger: readAt } }
}

/** An entry of the portfolio, with the ledger of each item that was read through. */
export function entryWithReadLedgers(entry: ProtocolEntry, readAt: (pool: ContractId) => number | null): ProtocolEntry {
  const marked = (items: readonly PositionItem[]): PositionItem[] => items.map((item) => withReadLedger(item, readAt(poolOf(item))))
  const { backstop, collateral, liabilities, lp, supply } = entry.positions
  const positions = {
    backstop: marked(backstop),
    collateral: marked(collateral),
    liabilities: marked(liabilities),
    lp: marked(lp),
    supply: marked(supply),
  }
  return { ...entry, positions }
}

/** All vaults are of one contract: their pools are the currencies. */
function poolOf({ contract, metadata }: PositionItem): ContractId {
  return typeof metadata.currency === 'string' ? poolOfCurrency(metadata.currency) : contract
}
