// What differs between AMMs of share pools. `sharePoolSteps` and `sharePoolView` make the rest from it.

import type { Address, ContractId, EventRecord } from '@orrery/ledger'
import type { Network } from '@orrery/protocol-kit'
import type { SharePoolEntries } from './share-pool.ts'

/** What an event of a pool reports. Raw amounts that the account gives, in the pool's token order: negative where it receives. */
export interface SharePoolAction {
  readonly type: 'deposit' | 'withdraw' | 'swap'
  readonly who: Address
  readonly given: readonly bigint[]
  /** Raw shares that a deposit mints or a withdraw burns; 0n of a swap. */
  readonly shares: bigint
}

export interface SharePoolAmm {
  readonly entries: SharePoolEntries
  readonly shareDecimals: number
  /** The contracts whose events announce pools. */
  factoriesOf(network: Network): readonly ContractId[]
  /** The pool that a factory's event announces. Null: another event. */
  readNewPool(record: EventRecord): ContractId | null
  /** Null: an event that moves nothing. */
  readAction(record: EventRecord): SharePoolAction | null
}
