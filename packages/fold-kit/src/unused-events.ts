// Owned events that make no action: each is on its protocol's list of ignored events, or becomes a notice. None is lost.

import type { ContractId } from '@orrery/ledger'
import type { Unused } from './action.ts'

interface EventOrigin {
  readonly contract: ContractId
  /** Its contract belongs to this partition: only such events are reported here. */
  readonly owned: boolean
}

interface Collected {
  readonly unused: Unused[]
}

/** Records an owned event that makes no action, for a reason on the protocol's list. */
export type Ignore<Reason extends string> = (event: EventOrigin, reason: Reason, into: Collected) => null

export const ignoreEvent: Ignore<string> = ({ contract, owned }, reason, { unused }) => {
  if (owned) unused.push({ contract, reason, expected: true })
  return null
}

/** Records an unexpected owned event. */
export function reportUnexpected({ contract, owned }: EventOrigin, reason: string, { unused }: Collected): null {
  if (owned) unused.push({ contract, reason, expected: false })
  return null
}
