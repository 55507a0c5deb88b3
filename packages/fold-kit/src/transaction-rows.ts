// One row for each transaction that touched the protocol, written by exactly one partition.

import type { Slice, TransactionRow } from '@orrery/protocol-kit'
import type { Action } from './action.ts'
import { type ActionPlace, transactionRow } from './activity-rows.ts'

/** An operation with all its actions, legs of other partitions included. */
export interface OperationActions {
  readonly operation: ActionPlace & {
    /** Whether this partition writes the transaction's row. Absent: there is only one partition. */
    readonly writesTransaction?: boolean
  }
  readonly derived: { readonly actions: readonly Action[] }
}

/** A transaction of several operations has one row, at the first of them that this partition writes, with the actions of all. */
export function transactionRows(operations: readonly OperationActions[], slice: Slice): TransactionRow[] {
  const rows = new Map<string, TransactionRow>()
  for (const { operation } of operations) {
    const { hash } = operation.transaction
    if (operation.writesTransaction === false || rows.has(hash)) continue
    const legs = operations
      .filter((it) => it.operation.transaction.hash === hash)
      .reduce((sum, { derived }) => sum + derived.actions.reduce((n, action) => n + action.legs.length, 0), 0)
    rows.set(hash, transactionRow(operation, legs, slice))
  }
  return [...rows.values()]
}
