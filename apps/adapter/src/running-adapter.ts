// The options of a worker, and the handle of a running one.

import type { EventLog } from '@orrery/event-log'
import type { Network, Protocol, ProtocolId } from '@orrery/protocol-kit'
import type { Store } from '@orrery/read-model'
import type { Clock, Logger, Metrics, Readiness } from '@orrery/service-kit'
import type { ControlFollower } from './control-follower.ts'
import type { Gap } from './follow.ts'
import type { BatchLimits } from './write-behind.ts'

export interface AdapterOptions<State> {
  readonly protocol: Protocol<State>
  readonly network: Network
  readonly partitions: readonly number[]
  readonly control: ControlFollower
  readonly log: EventLog
  readonly store: Store
  readonly logger: Logger
  readonly metrics: Metrics
  readonly clock?: Clock
  readonly limits?: BatchLimits
  readonly healthEveryMs?: number
  /** Make readers see the index version of this adapter by itself, where it was begun for a newer adapter version and has caught up. Default: an operator does. */
  readonly activatesUpgrade?: boolean
  /**
   * A partition whose records cannot be folded is tried again and again while the others go on, and readers leave it out meanwhile. Default: its error
   * ends the adapter.
   */
  readonly quarantines?: boolean
  /** Called after each checkpoint that moved: readers of the same process may read the index again. */
  readonly onStored?: () => void
  /** Aborts when other processes have these partitions: nothing more is stored or reported then, and `stop` discards what is folded. */
  readonly lost?: AbortSignal
}

export interface PartitionStatus {
  readonly partition: number
  /** Everything up to this ledger is in the tables. Null until the checkpoint has been read. */
  readonly checkpointLedger: number | null
  readonly gap: Gap | null
  /** Everything before this offset of the log was read. */
  readonly readOffset: bigint
  readonly error: string
  readonly quarantined: boolean
}

export interface RunningAdapter {
  readonly protocol: ProtocolId
  /** Version of the adapter's code. */
  readonly version: number
  /** The number under which it writes. */
  readonly indexVersion: number
  status(): readonly PartitionStatus[]
  /** Rows stored since this process started. */
  rowsStored(): number
  /** Not ok while slices of the log are not stored, a partition has a gap or failed, or a loop is stuck. */
  readiness(): Readiness
  /**
   * Resolves when every partition that is not quarantined and the ledgers have been stored up to `ledger` and the health rows show it; rejects when the
   * worker ends before.
   */
  reached(ledger: number): Promise<void>
  /** Resolves after `stop`, rejects with the first failure that is not of a quarantined partition. The worker has stopped in both cases. */
  readonly finished: Promise<void>
  /** Stores what is folded, then settles like `finished`. */
  stop(): Promise<void>
}
