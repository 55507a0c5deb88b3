// A protocol as one value: what it follows, what it remembers, and the steps of its fold.

import { type Pricing, pricesOf } from '@orrery/pricing'
import {
  declareProtocolNumber,
  MAX_PARTITIONS,
  type Network,
  type PeggedCoinsReader,
  type Protocol,
  type StateRow,
} from '@orrery/protocol-kit'
import type { ActionPlace } from './activity-rows.ts'
import { type DerivedActions, type FoldSteps, runFold } from './run-fold.ts'
import type { FoldState, StateEntries } from './state/state-entries.ts'

interface Definition<State extends FoldState, Who, Changes, Operation extends ActionPlace, Derived extends DerivedActions, End>
  extends Omit<Protocol<State>, 'adapter' | 'maxPartitions' | 'peggedCoins'> {
  /** Default: no limit but that of a topic. */
  readonly maxPartitions?: number
  /** Default: none. */
  readonly peggedCoins?: PeggedCoinsReader
  /** Raised whenever the same slices would give other rows. */
  readonly version: number
  readonly entries: StateEntries<State>
  /** Before the first ledger: what the registry names, and nothing else. */
  emptyState(network: Network, pricing: Pricing): State
  /** Made once for a network. */
  steps(network: Network): FoldSteps<State, Who, Changes, Operation, Derived, End>
}

export interface DefinedProtocol<State extends FoldState> extends Protocol<State> {
  readonly entries: StateEntries<State>
}

export function defineProtocol<State extends FoldState, Who, Changes, Operation extends ActionPlace, Derived extends DerivedActions, End>(
  definition: Definition<State, Who, Changes, Operation, Derived, End>,
): DefinedProtocol<State> {
  const { version, emptyState, steps: stepsOf, ...facts } = definition
  const { id, entries } = facts
  declareProtocolNumber(id, facts.number)
  return {
    maxPartitions: MAX_PARTITIONS,
    peggedCoins: null,
    ...facts,
    adapter(network) {
      const pricing = pricesOf(network)
      const steps = stepsOf(network)
      return {
        protocol: id,
        version,
        load: (rows: Iterable<StateRow>, asOf: number) => entries.load(emptyState(network, pricing), rows, asOf, pricing),
        fold: (state, slice) => runFold(steps, state, slice, { network, pricing }),
      }
    },
  }
}
