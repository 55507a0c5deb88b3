// Events of ours that make no action: each is on its protocol's list of what is ignored, or is said aloud. None gets lost.

import type { ContractId } from '@orrery/ledger'
import type { Unused } from './action.ts'
import type { Journal } from './state/journal.ts'

interface Told {
  readonly contract: ContractId
  /** Its contract belongs to this partition: only such events are spoken for here. */
  readonly owned: boolean
}

interface Collected {
  readonly unused: Unused[]
}

/** Notes an owned event that makes no action, for a reason on the protocol's list. */
export type Ignore<Reason extends string> = (event: Told, reason: Reason, into: Collected) => null

export const ignoreEvent: Ignore<string> = ({ contract, owned }, reason, { unused }) => {
  if (owned) unused.push({ contract, reason, expected: true })
  return null
}

/** Notes an owned event that nobody expected. */
export function wonder({ contract, owned }: Told, reason: string, { unused }: Collected): null {
  if (owned) unused.push({ contract, reason, expected: false })
  return null
}

/** Says aloud what nobody expected. */
export function noticeUnused(told: Iterable<{ readonly derived: { readonly unused: readonly Unused[] } }>, journal: Journal): void {
  for (const { derived } of told) {
    for (const { contract, reason, expected } of derived.unused) if (!expected) journal.notice(contract, 'event', reason)
  }
}
