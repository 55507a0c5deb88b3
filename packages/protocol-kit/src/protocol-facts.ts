// What the registry, ingest and pricing need to know of a protocol before any network is read. Plain facts: nothing in it is bound to a network.

import type { DeploymentKind } from './deployment.ts'
import type { PeggedCoinsReader } from './pegged-coins.ts'
import type { PricePoolReader } from './price-pool.ts'
import type { ProtocolId } from './protocol-id.ts'

/** Partitions of a topic, at most. */
export const MAX_PARTITIONS = 1_024

export interface ProtocolFacts {
  readonly id: ProtocolId
  /** In the high bits of `row` and in the event log: 1 to 255, never changed and never reused. */
  readonly number: number
  /** For people. */
  readonly displayName: string
  /** Partitions of its topic unless its operator chose otherwise. */
  readonly defaultPartitions: number
  /** The most that an operator may choose: 1 where everything is in one order, as FxDAO's list of vaults. */
  readonly maxPartitions: number
  /** Its deployments in the registry file. */
  readonly deployment: DeploymentKind
  /** How its pools are read where the registry names them as price pools; null: they cannot serve as such. */
  readonly pricePool: PricePoolReader | null
  /** How its coins at par are read; null: it issues none. */
  readonly peggedCoins: PeggedCoinsReader | null
}
