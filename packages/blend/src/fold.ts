// One slice in, rows out. The only file that knows about order:
// entries -> prices -> activities -> costs -> invariants -> snapshots.
// Entries come first: they are the ledger's end, and everything of a ledger is valued there, so its actions have one price.
//
// Signatures of the steps (one file each):
//   operation.ts     operationsOf(slice: Slice, directory: Directory): Operation[]
//   activity.ts      deriveActions(operation: Operation, moment: Moment): Derived      {actions, movements, unused}
//   leg-value.ts     valueLeg(leg: Leg, moment: Moment): ValuedLeg
//   fold-kit         transactionRows(told: readonly {operation, derived}[], slice: Slice): TransactionRow[]
//   cost-facts.ts    applyCosts(moment: Moment, movements: readonly Movement[], changes: Changes): void   writes `@<account>:cost:<CostKey>`
//   cost.ts          BalanceCost, CostKey; costBasisOf(cost: BalanceCost, key: CostKey, units: bigint, token: ValuedToken): CostBasisFact;
//                    encodeCost(cost: BalanceCost): string; readCost(value: StateValue): BalanceCost
//   snapshots.ts     takeSnapshots(moment: Moment, changes: Changes): Snapshots                           {position, reserve, poolSnapshots}

import type { Pricing } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import type { DirectoryOf } from './directory.ts'

/** What a fold knows beyond its state: all of it from the registry. */
export interface FoldContext {
  readonly network: Network
  readonly pricing: Pricing
  readonly directoryOf: DirectoryOf
}
