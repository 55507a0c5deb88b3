// The end of one ledger, as the steps of a fold see it: state, prices, and every pool valued once.

import type { Pricing } from '@orrery/pricing'
import type { Network, Slice } from '@orrery/protocol-kit'
import { getOrMake } from './get-or-make.ts'
import type { Journal } from './state/journal.ts'

/** The values that every step of a fold needs. */
export interface LedgerContext<State> {
  readonly state: State
  readonly slice: Slice
  readonly journal: Journal
  readonly network: Network
  readonly pricing: Pricing
}

/** How a protocol values a pool: null while its instance is not known. */
export type PoolValuer<State, Pool, Valued> = (
  state: State,
  pool: Pool,
  at: Slice,
  by: { readonly network: Network; readonly pricing: Pricing },
) => Valued | null

export interface LedgerEnd<State, Pool, Valued> extends LedgerContext<State> {
  /** The pool at the ledger's end, or null while its instance is not known. Call it only after entries and prices were applied. */
  value(pool: Pool): Valued | null
}

export function ledgerEnd<State, Pool, Valued>(
  context: LedgerContext<State>,
  valuer: PoolValuer<State, Pool, Valued>,
): LedgerEnd<State, Pool, Valued> {
  const valued = new Map<Pool, Valued | null>()
  return { ...context, value: (pool) => getOrMake(valued, pool, () => valuer(context.state, pool, context.slice, context)) }
}
