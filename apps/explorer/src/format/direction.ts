// How an activity moved its asset, seen from the account.

import type { Activity } from '@orrery/client'
import { NO_VALUE } from './number.ts'

/** Members of `metadata` that say more where the account itself neither sent nor received the asset. */
interface Parties {
  /** Only a debt changed. */
  readonly debt_change?: string
  /** The asset went from one pool of a path to the next. */
  readonly path_step?: number
  /** Another account paid for this one. */
  readonly payer?: string
  /** Another account or contract was paid. */
  readonly receiver?: string
}

export function directionOf({ direction, metadata }: Pick<Activity, 'direction' | 'metadata'>): string {
  if (direction !== 'none') return direction
  const { debt_change, path_step, payer, receiver } = metadata as Parties
  // The space does not break: the longer texts below leave a table its width instead.
  if (debt_change !== undefined) return debt_change.startsWith('-') ? 'owes\u00a0less' : 'owes\u00a0more'
  if (path_step !== undefined) return 'routed'
  if (payer !== undefined) return 'paid by another'
  if (receiver !== undefined) return 'paid to another'
  return NO_VALUE
}
