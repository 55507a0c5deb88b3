// The rows that a fold returns and the read model stores. One interface a table, named as on chain where it can be.
// Raw amounts are bigint in the asset's smallest unit. USD and prices are decimal strings (no exponent), null when there is no price.
// Rows are deterministic: the same slices give the same rows, and writing a row again replaces it by its key.

import type { Address, ContractId } from '@orrery/ledger'
import type { EventKey } from './event-key.ts'
import type { ProtocolId } from './protocol-id.ts'

/** A decimal number as text: `-?\d+(\.\d+)?`, never an exponent. */
export type DecimalText = string

/** `scope` of state that every partition of a protocol folds alike (oracles, price pools, assets). */
export const SHARED_SCOPE = 65_535

export type ActivityType =
  | 'deposit'
  | 'withdraw'
  | 'borrow'
  | 'repay'
  | 'swap'
  | 'claim'
  | 'stake'
  | 'unstake_request'
  | 'unstake_cancel'
  | 'unstake'
  | 'liquidation'
  | 'auction'
  | 'bad_debt'
  | 'redemption'
  | 'transfer'
  | 'emission'
  | 'admin'

export type ShareType = 'b_token' | 'b_token_collateral' | 'd_token' | 'backstop_share' | 'lp_share' | 'vault' | ''

/** One asset leg of what an account did. Key: (address, key). */
export interface ActivityRow {
  readonly protocol: ProtocolId
  readonly key: EventKey
  readonly closeTimeSeconds: number
  readonly txHash: string
  readonly address: Address
  readonly activityType: ActivityType
  /** The contract touched: the pool. */
  readonly contract: ContractId
  /** Pool, other account, or the receiver where it differs. '' when there is none. */
  readonly counterparty: Address | ''
  /** Token contract, or '' for a leg without an asset. */
  readonly assetId: ContractId | ''
  readonly assetSymbol: string
  /** Null when the asset's decimals are unknown: the amount then stays raw. */
  readonly assetDecimals: number | null
  /** Raw, never negative: `leg` tells the direction. */
  readonly amount: bigint
  /** Raw, never negative. 0 where no share moves. */
  readonly shareAmount: bigint
  readonly shareDecimals: number
  readonly shareType: ShareType
  /** Scale 8, rounded half up once. */
  readonly usdValue: DecimalText | null
  /** USD value that counts as volume, scale 8: '0' unless the leg counts (legs `in`, else `out`; of a path the first leg). */
  readonly volumeUsd: DecimalText
  /** 1 on exactly one row of an action for each address that it concerns, else 0: summing it counts actions. */
  readonly counts: 0 | 1
  /** Same for all legs of an action: encoded EventKey of the action's first event with row 0 of the protocol. */
  readonly actionId: string
  /** `in`: the account gives. `out`: it receives. */
  readonly leg: 'in' | 'out' | ''
  /** 1, 0.9 or 0.5: see `attribution_confidence`. */
  readonly confidence: number
  /** `oracle:<id>`, `pool:<id>` or '' of the price used. */
  readonly priceSource: string
  /** Age of that price at the ledger's close, 0 when none was used. */
  readonly priceAgeSeconds: number
  /** Goes to `metadata` as it is: contract's own event name, role, reason, path. snake_case keys. */
  readonly metadata: Readonly<Record<string, unknown>>
}

/** One per (transaction, protocol), written by the partition of the operation's first owned record. Key: (txHash, protocol). */
export interface TransactionRow {
  readonly protocol: ProtocolId
  readonly txHash: string
  readonly ledger: number
  readonly txOrder: number
  readonly closeTimeSeconds: number
  readonly source: Address
  readonly feeSource: Address | ''
  /** How many activity rows this protocol has for the whole transaction, over all partitions. */
  readonly activityRows: number
}

/** Value of an account's position in one pool. Key: (address, protocol, pool, ledger). Closing writes zeros. */
export interface PositionSnapshotRow {
  readonly protocol: ProtocolId
  readonly address: Address
  readonly pool: ContractId
  readonly ledger: number
  readonly closeTimeSeconds: number
  /** True when only the hour made it, false when something changed. */
  readonly heartbeat: boolean
  readonly open: boolean
  /** supply + collateral; for LP what the shares would pay. Null when a part has no price. Scale 8 like all USD here. */
  readonly suppliedUsd: DecimalText | null
  readonly borrowedUsd: DecimalText | null
  /** supplied + backstop (+ lp, vault collateral). */
  readonly depositedUsd: DecimalText | null
  /** supplied - borrowed. */
  readonly netUsd: DecimalText | null
  /** Lending only: Σ collateral · c_factor and Σ liability / l_factor in USD. '0' elsewhere. */
  readonly effectiveCollateralUsd: DecimalText | null
  readonly effectiveLiabilitiesUsd: DecimalText | null
  /** Fraction per year over the net value. Null where the protocol's snapshots do not carry one. */
  readonly netApy: DecimalText | null
  /** Assets of the position that had no price. */
  readonly unpricedAssets: number
  /** Raw shares of the pool (LP) or 0. */
  readonly shares: bigint
  /** Native amounts and whatever the protocol's series need, as JSON with decimal strings. */
  readonly native: Readonly<Record<string, unknown>>
}

/** Value of a pool. Key: (protocol, pool, ledger). */
export interface PoolSnapshotRow {
  readonly protocol: ProtocolId
  readonly pool: ContractId
  readonly ledger: number
  readonly closeTimeSeconds: number
  readonly heartbeat: boolean
  /** Sum of the priced parts, scale 8. */
  readonly tvlUsd: DecimalText
  /** Parts without a price, left out of `tvlUsd`. */
  readonly unpricedAssets: number
  /** Raw total shares. */
  readonly shareSupply: bigint
  readonly native: Readonly<Record<string, unknown>>
}

/** One asset of a pool. Key: (protocol, pool, asset, ledger). */
export interface ReserveSnapshotRow {
  readonly protocol: ProtocolId
  readonly pool: ContractId
  readonly asset: ContractId
  readonly ledger: number
  readonly closeTimeSeconds: number
  readonly heartbeat: boolean
  /** Raw: stored reserve of an AMM, supplied total of a lending reserve. */
  readonly supplied: bigint
  readonly borrowed: bigint
  readonly suppliedUsd: DecimalText | null
  readonly borrowedUsd: DecimalText | null
  readonly priceUsd: DecimalText | null
  readonly priceSource: string
  readonly native: Readonly<Record<string, unknown>>
}

/** The price of an asset at a ledger's end, one per source. Key: (protocol that folded it, asset, source, ledger). */
export interface PriceRow {
  readonly protocol: ProtocolId
  readonly asset: ContractId
  /** `oracle:<contract id>` or `pool:<contract id>`. */
  readonly source: string
  readonly ledger: number
  readonly closeTimeSeconds: number
  /** At most 18 fractional digits, rounded half up. */
  readonly priceUsd: DecimalText
  /** When the source says the price was true, unix seconds. */
  readonly observedAtSeconds: number
}

/**
 * A remembered thing: a decoded chain entry or a fact of the fold. Key: (protocol, contract, key, ledger), at most one each.
 *
 * Keys: of what belongs to an account `@<address>:<name>` (and `owner` is the address), of everything else `[a-z]...`.
 * So all state of a pool that is nobody's is the range `key >= 'a'` of its contract.
 */
export interface StateRow {
  readonly protocol: ProtocolId
  /** The pool, root or oracle that it is filed under (a pool's token balance is filed under the pool). */
  readonly contract: ContractId
  readonly key: string
  readonly ledger: number
  readonly closeTimeSeconds: number
  readonly owner: Address | ''
  /** Partition that folded it, or SHARED_SCOPE. */
  readonly scope: number
  /** Last live ledger of the entry, 0 for facts and where unknown. A temporary entry is absent when `liveUntil < ledger` asked. */
  readonly liveUntil: number
  readonly durability: 'temporary' | 'persistent' | 'fact'
  /** The entry was removed at this ledger: it is absent from here on, and `value` is ''. */
  readonly removed: boolean
  /** Taken from a pre-image, not from a change that the index saw. */
  readonly inferred: boolean
  /** JSON with integers as decimal strings. */
  readonly value: string
}

/** Something unknown or broken, counted. Key: (protocol, contract, kind, reason, ledger, partition). */
export interface NoticeRow {
  readonly protocol: ProtocolId
  readonly partition: number
  readonly contract: ContractId | ''
  /** `event`, `entry`, `call`, `price_pool`, `oracle`, `asset`, `invariant`. */
  readonly kind: string
  readonly reason: string
  readonly ledger: number
  readonly closeTimeSeconds: number
  readonly count: number
}

export interface Rows {
  readonly state: readonly StateRow[]
  readonly prices: readonly PriceRow[]
  readonly positionSnapshots: readonly PositionSnapshotRow[]
  readonly reserveSnapshots: readonly ReserveSnapshotRow[]
  readonly poolSnapshots: readonly PoolSnapshotRow[]
  readonly activities: readonly ActivityRow[]
  readonly transactions: readonly TransactionRow[]
  readonly notices: readonly NoticeRow[]
}

/** What a ledger gives in which nothing happened. */
export const NO_ROWS: Rows = {
  state: [],
  prices: [],
  positionSnapshots: [],
  reserveSnapshots: [],
  poolSnapshots: [],
  activities: [],
  transactions: [],
  notices: [],
}

/** The order in which tables are written, before the checkpoint. */
export const ROW_TABLES = [
  'state',
  'prices',
  'positionSnapshots',
  'reserveSnapshots',
  'poolSnapshots',
  'activities',
  'transactions',
  'notices',
] as const satisfies readonly (keyof Rows)[]
