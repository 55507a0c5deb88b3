// `metadata.as_of_ledger`: the ledger of an item that was read from an RPC. Every other item is as of the ledger of the answer.

import { poolOfCurrency } from '@orrery/fxdao'
import type { ContractId } from '@orrery/ledger'
import { z } from 'zod'
import type { ProtocolEntry } from './portfolio.ts'
import type { PositionItem } from './position-item.ts'

const TEXT = 'Present only if the item was read from a Stellar RPC: the ledger of the RPC response.'

/** A member of a `metadata` that is always present. */
export const ReadLedger = z.int().optional().describe(TEXT)

/** A `metadata` that is present only if the item was read from an RPC. */
export const ReadMetadata = z.strictObject({ as_of_ledger: z.int().describe(TEXT) }).optional()

/** @param readAt Ledger of the RPC response. Null: the item comes from the index. */
export function withReadLedger<T extends { readonly metadata?: object | undefined }>(
  item: T,
  readAt: number | null,
): T | (T & { readonly metadata: { readonly as_of_ledger: number } }) {
  return readAt === null ? item : { ...item, metadata: { ...item.metadata, as_of_ledger: readAt } }
}

/** An entry of the portfolio, with the ledger of each item that was read from an RPC. */
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

/** All vaults are of one contract, so each currency counts as a pool. */
function poolOf({ contract, metadata }: PositionItem): ContractId {
  return typeof metadata.currency === 'string' ? poolOfCurrency(metadata.currency) : contract
}
