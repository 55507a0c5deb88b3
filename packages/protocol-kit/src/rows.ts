// The rows that a fold returns and the read model stores. One interface a table, named as on chain where it can be.
// Raw amounts are bigint in the asset's smallest unit. USD and prices are decimal strings (no exponent), null when there is no price.
// Rows are deterministic: the same slices give the same rows, and writing a row again replaces it by its key.

import type { Address, ContractId, MemoType } from '@orrery/ledger'
import type { EventKey } from './event-key.ts'
import type { ProtocolId } from './protocol-id.ts'

/** A decimal number as text: `-?\d+(\.\d+)?`, never an exponent. */
export type DecimalText = string

/** `scope` of state that every partition of a protocol folds in the same way (oracles, price pools, assets). */
export const SHARED_SCOPE = 65_535

/** Types of activities. A closed list. */
export const ACTIVITY_TYPES = [
  'deposit',
  'withdraw',
  'borrow',
  'repay',
  'swap',
  'claim',
  'stake',
  'unstake_request',
  'unstake_cancel',
  'unstake',
  'liquidation',
  'auction',
  'bad_debt',
  'redemption',
  'transfer',
  'emission',
  'admin',
] as const
export type ActivityType = (typeof ACTIVITY_TYPES)[number]

/** Seen from the account of the row. */
export type Direction = 'sent' | 'received' | 'none'

/** What shares are; '' where none move. A closed list. */
export const SHARE_TYPES = ['b_token', 'b_token_collateral', 'd_token', 'backstop_share', 'lp_share', 'vault', ''] as const
export type ShareType = (typeof SHARE_TYPES)[number]

/** One asset leg of an action of an account. Key: (address, key). */
export interface ActivityRow {
  readonly protocol: ProtocolId
  readonly key: EventKey
  readonly closeTimeSeconds: number
  readonly txHash: string
  readonly address: Address
  readonly activityType: ActivityType
  /** Contract of the pool. */
  readonly contract: ContractId
  /** Pool, other account, or a different receiver. '' if there is none. */
  readonly counterparty: Address | ''
  /** Token contract, or '' for a leg without an asset. */
  readonly assetId: ContractId | ''
  readonly assetSymbol: string
  /** Null if the asset's decimals are unknown. */
  readonly assetDecimals: number | null
  /** Raw, never negative: `direction` has the sign. */
  readonly amount: bigint
  /** Raw, never negative. 0 if no shares move. */
  readonly shareAmount: bigint
  readonly shareDecimals: number
  readonly shareType: ShareType
  /** Scale 8, rounded half up once. */
  readonly usdValue: DecimalText | null
  /** USD value that counts as volume, scale 8: '0' unless the leg counts (what is sent, else what is received; of a path the first leg). */
  readonly volumeUsd: DecimalText
  /** 1 on exactly one row of an action for each address in it, else 0, so that the sum counts actions. */
  readonly counts: 0 | 1
  /** Same for all legs of an action: encoded EventKey of the action's first event with row 0 of the protocol. */
  readonly actionId: string
  /**
   * `sent`: `address` gave the tokens (or shares of its position) itself. `received`: it got them. `none`: neither, because only a debt changed
   * (`metadata.debt_change`), another account paid or was paid (`metadata.payer`, `metadata.receiver`, `counterparty`), the tokens went from one pool of
   * a path to the next (`metadata.path_step`), or nothing moved.
   */
  readonly direction: Direction
  /** 1, 0.9 or 0.5: see `attribution_confidence`. */
  readonly confidence: number
  /** USD for one whole unit of the asset: the price that `usdValue` was computed with. At most 18 fractional digits, null without a price. */
  readonly priceUsd: DecimalText | null
  /** `oracle:<id>`, `pool:<id>` or '' of that price. */
  readonly priceSource: string
  /** Age of that price at the ledger's close, 0 if none was used. */
  readonly priceAgeSeconds: number
  /** Copied to `metadata`: the contract's event name, role, reason, path. snake_case keys. */
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
  /** Stroops, for the whole transaction, after refunds. Null in logs of builds that did not record it. */
  readonly feeCharged: bigint | null
  /** '' if `feeCharged` is null: the memo is unknown then. */
  readonly memoType: MemoType | ''
  /** As `Memo` of the ledger package shows it, '' for `none`. */
  readonly memo: string
  /** How many activity rows this protocol has for the whole transaction, over all partitions. */
  readonly activityRows: number
}

/** Value of an account's position in one pool. Key: (address, protocol, pool, ledger). A closed position gets a row of zeros. */
export interface PositionSnapshotRow {
  readonly protocol: ProtocolId
  readonly address: Address
  readonly pool: ContractId
  readonly ledger: number
  readonly closeTimeSeconds: number
  /** True if it was written because an hour began, false if something changed. */
  readonly heartbeat: boolean
  readonly open: boolean
  /**
   * supply + collateral; for LP the payout of the shares. Parts without a price are left out, and counted in `unpricedAssets`; null if no part has one.
   * Scale 8 like all USD values here.
   */
  readonly suppliedUsd: DecimalText | null
  readonly borrowedUsd: DecimalText | null
  /** supplied + backstop (+ lp, vault collateral). */
  readonly depositedUsd: DecimalText | null
  /** supplied - borrowed. */
  readonly netUsd: DecimalText | null
  /**
   * Lending: Σ collateral · c_factor and Σ liability / l_factor in USD. Vaults: collateral / minimum ratio, and debt. '0' elsewhere. The health factor is
   * their quotient. Null if a part has no price or the minimum is unknown.
   */
  readonly effectiveCollateralUsd: DecimalText | null
  readonly effectiveLiabilitiesUsd: DecimalText | null
  /** Fraction per year of the net value. Null if the snapshots of the protocol have none. */
  readonly netApy: DecimalText | null
  /** Assets of the position that had no price. */
  readonly unpricedAssets: number
  /** Raw shares of the pool (LP) or 0. */
  readonly shares: bigint
  /** Native amounts and other values for the protocol's series, as JSON with decimal strings. */
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
  /** Time of the price according to its source, unix seconds. */
  readonly observedAtSeconds: number
}

/**
 * A state entry: a decoded contract data entry or a fact of the fold. Key: (protocol, contract, key, ledger), at most one row each.
 *
 * Keys: `@<address>:<name>` for entries of an account (`owner` is the address), `[a-z]...` for all others.
 * So all entries of a pool without an owner are the range `key >= 'a'` of its contract.
 */
export interface StateRow {
  readonly protocol: ProtocolId
  /** The pool, root or oracle that the entry belongs to (a pool's token balance belongs to the pool). */
  readonly contract: ContractId
  readonly key: string
  readonly ledger: number
  readonly closeTimeSeconds: number
  readonly owner: Address | ''
  /** Partition that folded it, or SHARED_SCOPE. */
  readonly scope: number
  /** Live-until ledger of the entry, 0 for facts and if unknown. A temporary entry is absent as of ledgers above it. */
  readonly liveUntil: number
  readonly durability: 'temporary' | 'persistent' | 'fact'
  /** The entry was removed at this ledger: it is absent from this ledger on, and `value` is ''. */
  readonly removed: boolean
  /** Taken from a pre-image or an RPC instead of an observed change. */
  readonly inferred: boolean
  /** JSON with integers as decimal strings. */
  readonly value: string
}

/** A counted observation of something that could not be used. Key: (protocol, contract, kind, reason, ledger, partition). */
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

/** The rows of a ledger in which nothing happened. */
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
