// One slice in, rows out, in the order that every protocol has.
// entries -> prices -> activities -> costs, counters, invariants -> snapshots.
// Entries come first: they are the ledger's end, and everything of a ledger is valued there, so its actions have one price.

import { assert } from '@orrery/errors'
import type { ContractId } from '@orrery/ledger'
import type { Pricing } from '@orrery/pricing'
import type { Network, NoticeRow, Rows, Slice } from '@orrery/protocol-kit'
import type { Action, Leg, Unused } from './action.ts'
import { type ActionPlace, activityRows, type ValuedLeg } from './activity-rows.ts'
import type { LedgerContext } from './ledger-end.ts'
import type { Snapshots } from './lp-snapshots.ts'
import { Journal } from './state/journal.ts'
import type { FoldState } from './state/state-entries.ts'
import { transactionRows } from './transaction-rows.ts'

/** What one operation did. */
export interface DerivedActions {
  readonly actions: readonly Action[]
  readonly unused: readonly Unused[]
}

/** An operation with what it did. */
export interface DerivedOperation<Operation, Derived> {
  readonly operation: Operation
  readonly derived: Derived
}

/** A protocol's part of every step. `Who`: the role of each contract. `End`: the ledger's end, at which everything is valued. */
export interface FoldSteps<State extends FoldState, Who, Changes, Operation extends ActionPlace, Derived extends DerivedActions, End> {
  /** Called once a ledger, before its entries are applied. The directory reads the current state at each look-up. */
  directory(state: State): Who
  /** Applies the entries of the ledger to the state. */
  applyRecords(context: LedgerContext<State>, directory: Who): Changes
  decimalsOf(state: State, asset: ContractId, network: Network): number | null
  /** Called when entries and prices are those of the ledger's end. */
  ledgerEnd(context: LedgerContext<State>, directory: Who): End
  operationsOf(slice: Slice, directory: Who): Operation[]
  deriveActions(operation: Operation, directory: Who, end: End): Derived
  /** The kind of notices about unexpected events. */
  readonly unusedKind: NoticeRow['kind']
  valueLeg(leg: Leg, end: End): ValuedLeg
  /** Costs, counters and invariants: derived from the actions and the changes, before snapshots. */
  settle(end: End, operations: readonly DerivedOperation<Operation, Derived>[], changes: Changes): void
  takeSnapshots(end: End, changes: Changes): Snapshots
}

/** Applies one whole ledger to `state` in place and returns its rows. After a throw the state must not be used. */
export function runFold<State extends FoldState, Who, Changes, Operation extends ActionPlace, Derived extends DerivedActions, End>(
  steps: FoldSteps<State, Who, Changes, Operation, Derived, End>,
  state: State,
  slice: Slice,
  { network, pricing }: { readonly network: Network; readonly pricing: Pricing },
): Rows {
  assert(slice.ledger > state.ledger, 'A slice is folded once, and in order.', { ledger: slice.ledger, state: state.ledger })
  state.ledger = slice.ledger
  const journal = new Journal(slice)
  const context: LedgerContext<State> = { state, slice, journal, network, pricing }
  const directory = steps.directory(state)

  const changes = steps.applyRecords(context, directory)
  const prices = pricing.apply(state.pricing, slice, (asset) => steps.decimalsOf(state, asset, network))
  const end = steps.ledgerEnd(context, directory)

  const operations = steps
    .operationsOf(slice, directory)
    .map((operation) => ({ operation, derived: steps.deriveActions(operation, directory, end) }))
  for (const { derived } of operations) {
    for (const { contract, reason, expected } of derived.unused) if (!expected) journal.notice(contract, steps.unusedKind, reason)
  }
  const activities = operations.flatMap(({ operation, derived }) =>
    derived.actions.flatMap((action) => activityRows(operation, action, slice, (leg) => steps.valueLeg(leg, end))),
  )
  const transactions = transactionRows(operations, slice)
  steps.settle(end, operations, changes)
  const snapshots = steps.takeSnapshots(end, changes)

  return {
    state: [...prices.state, ...journal.state()],
    prices: prices.prices,
    ...snapshots,
    activities,
    transactions,
    notices: [...prices.notices, ...journal.notices()],
  }
}
