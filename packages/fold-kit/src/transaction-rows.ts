// One row for each transaction that touched the protocol, written by the one partition whose place it is.

import type { Slice, TransactionRow } from '@orrery/protocol-kit'
import type { Action } from './action.ts'
import { type ActionPlace, transactionRow } from './activity-rows.ts'

/** An operation with everything that it was found to tell, legs of other partitions included. */
export interface ToldOperation {
  readonly operation: ActionPlace & {
    /** The place of the transaction's row is in this partition. Absent: there is only one. */
    readonly writesTransaction?: boolean
  }
  readonly derived: { readonly actions: readonly Action[] }
}

/** A transaction of several operations has one row: the first of them that is ours to write tells all. */
export function transactionRows(told: readonly ToldOperation[], slice: Slice): TransactionRow[] {
  const rows = new Map<string, TransactionRow>()
  for (const { operation } of told) {
    const { hash } = operation.transaction
    if (operation.writesTransaction === false || rows.has(hash)) continue
    const legs = told
      .filter((it) => it.operation.transaction.hash === hash)
      .reduce((sum, { derived }) => sum + derived.actions.reduce((n, action) => n + action.legs.length, 0), 0)
    rows.set(hash, transactionRow(operation, legs, slice))
  }
  return [...rows.values()]
}
