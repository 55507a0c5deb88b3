// Health factors between snapshots: a row for each position that entered another step, because prices, interest or an action moved it.
//
// Looked at are ledgers in which an oracle wrote something, in which the pool changed, and first ledgers of hours. These are the same however a
// range was cut into slices and partitions: a ledger without records may have no slice, so interest alone waits for the next of them.

import { stepOf } from '../math/health-step.ts'
import { healthStep } from '../state/account.ts'
import type { Changes } from '../state/changes.ts'
import { type Borrower, borrowersOf, owes, type PoolState } from '../state/state.ts'
import { healthFactorOf } from '../view/health.ts'
import { healthBounds, healthTerms } from '../view/health-bounds.ts'
import type { ValuedPool } from '../view/valuation.ts'
import type { Moment } from './ledger-end.ts'

export function writeHealthSteps(moment: Moment, changes: Changes): void {
  for (const [pool, { accounts }] of changes) for (const address of accounts.keys()) forgetWithoutDebt(pool, address, moment)
  for (const pool of isEveryPoolDue(moment) ? moment.state.pools.values() : changes.keys()) {
    if (!pool.owned || pool.borrowers.size === 0) continue
    const valued = moment.value(pool)
    if (valued !== null) enterSteps(valued, moment)
  }
}

function isEveryPoolDue({ slice, directory }: Moment): boolean {
  if (slice.hourStart) return true
  return slice.records.some(
    ({ class: recordClass, record }) =>
      recordClass !== 'context' && record.kind === 'entry' && directory.roleOf(record.contract) === 'oracle',
  )
}

function enterSteps(valued: ValuedPool, moment: Moment): void {
  const { pool } = valued
  const bounds = healthBounds(valued)
  // In their order, so that the rows need no sorting.
  for (const borrower of borrowersOf(pool)) {
    const { owner, account, positions } = borrower
    const bounded = bounds.stepOf(termsOf(borrower))
    if ((bounded !== null && bounded === account.healthStep) || !owes(positions)) continue
    const health = healthFactorOf(positions, valued)
    // While a price is missing the last step stays.
    if (health === null) continue
    const step = stepOf(health)
    if (step === account.healthStep) continue
    account.healthStep = step
    healthStep.writeRow(moment.journal, { contract: pool.pool, owner }, { healthFactor: health, step })
  }
}

function termsOf(borrower: Borrower) {
  borrower.terms ??= healthTerms(borrower.positions)
  return borrower.terms
}

/** A position that owes nothing has no health factor. */
function forgetWithoutDebt(pool: PoolState, owner: string, moment: Moment): void {
  const account = pool.accounts.get(owner)
  if (account === undefined || account.healthStep === null) return
  if (account.positions === null || !owes(account.positions.value)) healthStep.remove(moment, { contract: pool.pool, owner })
}
