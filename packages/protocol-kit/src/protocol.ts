// A protocol is one value: everything that ingest, the adapters and the API know of it. `@orrery/protocols` lists those that a build has.

import type { AccountEntries } from './account-entries.ts'
import type { Adapter } from './adapter.ts'
import type { Network } from './network.ts'
import type { ProtocolFacts } from './protocol-facts.ts'
import type { ProtocolView } from './protocol-view.ts'
import type { ProtocolRouting } from './routing.ts'

/** A protocol as the processes see it. `adapter(network)` binds the registry's facts: roots, oracles, price pools, asset hints. */
export interface Protocol<State> extends ProtocolFacts {
  readonly routing: ProtocolRouting
  adapter(network: Network): Adapter<State>
  readonly accountEntries: AccountEntries<State>
  /** What the API computes from its state. */
  readonly view: ProtocolView
}
