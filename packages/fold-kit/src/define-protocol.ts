// A protocol as one value: what it follows, what it remembers, and the steps of its fold.

import { type Pricing, pricesOf } from '@orrery/pricing'
import type { AccountEntries, Network, Protocol, ProtocolId, ProtocolRouting, StateRow } from '@orrery/protocol-kit'
import type { ActionPlace } from './activity-rows.ts'
import { type DerivedActions, type FoldSteps, runFold } from './run-fold.ts'
import type { FoldState, StateEntries } from './state/state-entries.ts'

interface Definition<State extends FoldState, Who, Changes, Operation extends ActionPlace, Derived extends DerivedActions, End> {
  readonly id: ProtocolId
  readonly displayName: string
  /** Raised whenever the same slices would give other rows. */
  readonly version: number
  readonly routing: ProtocolRouting
  readonly entries: StateEntries<State>
  /** Before the first ledger: what the registry names, and nothing else. */
  emptyState(network: Network, pricing: Pricing): State
  /** Made once for a network. */
  steps(network: Network): FoldSteps<State, Who, Changes, Operation, Derived, End>
  readonly accountEntries: AccountEntries<State>
}

export interface DefinedProtocol<State extends FoldState> extends Protocol<State> {
  readonly entries: StateEntries<State>
}

export function defineProtocol<State extends FoldState, Who, Changes, Operation extends ActionPlace, Derived extends DerivedActions, End>(
  definition: Definition<State, Who, Changes, Operation, Derived, End>,
): DefinedProtocol<State> {
  const { id, displayName, version, routing, entries, accountEntries } = definition
  return {
    id,
    displayName,
    routing,
    entries,
    accountEntries,
    adapter(network) {
      const pricing = pricesOf(network)
      const steps = definition.steps(network)
      return {
        protocol: id,
        version,
        load: (rows: Iterable<StateRow>, asOf: number) => entries.load(definition.emptyState(network, pricing), rows, asOf, pricing),
        fold: (state, slice) => runFold(steps, state, slice, { network, pricing }),
      }
    },
  }
}
