// Snapshot rows of liquidity pools of every protocol: the value of a pool and of its holders' parts at the end of a ledger.
// USD in them is fixed at that ledger's balances and prices; heartbeats cover the hours between two actions.

import type { Address, ContractId } from '@orrery/ledger'
import type { PoolSnapshotRow, PositionSnapshotRow, ReserveSnapshotRow, Slice } from '@orrery/protocol-kit'
import type { AmountsWorth, ReservesValue } from './amm/valuation.ts'
import type { Counters } from './fee-yield.ts'
import { isHeartbeatDue } from './heartbeat.ts'
import type { Journal } from './state/journal.ts'
import { rememberSize, SMALL_KEY, type SmallPositions } from './state/small-positions.ts'
import { usdSumOfPriced, usdText } from './usd-units.ts'
import type { ValuedToken } from './valued-token.ts'

/** The values in the rows of a pool. Amounts raw, by token in the pool's order. */
export interface LpSeries extends ReservesValue {
  readonly pool: ContractId
  readonly tokens: readonly ValuedToken[]
  readonly reserves: readonly bigint[]
  /** The balances of the pool. */
  readonly balances: readonly bigint[]
  readonly shareSupply: bigint
  readonly counters: Counters | null
  /** Members that only this protocol has. The counters follow them. */
  readonly native: Readonly<Record<string, unknown>>
  /** False: the pool was never filled, or was emptied, and nothing in it can change from hour to hour. */
  readonly isOpen: boolean
  /** Whether something of the pool changed in the ledger. Otherwise its rows are heartbeats. */
  readonly isChanged: boolean
  /** Whose shares changed. */
  readonly changedHolders: ReadonlySet<Address>
  /** The pool lost tokens in this ledger without an action of a holder, and all holders are written for it: see `writesLoss`. */
  readonly isLoss: boolean
  /** Holders whose newest snapshot is small. Updated here. */
  readonly small: SmallPositions
  /** The current holders of shares. Called only at heartbeats and losses. */
  openHolders(): Iterable<Address>
  position(address: Address): LpShare
}

/** An account's part of a pool. */
export interface LpShare {
  readonly shares: bigint
  /** What the shares would pay out. Amounts are empty where unknown. */
  readonly worth: AmountsWorth
  /** Members that only this protocol has. */
  readonly native?: Readonly<Record<string, unknown>>
}

export interface Snapshots {
  readonly positionSnapshots: readonly PositionSnapshotRow[]
  readonly reserveSnapshots: readonly ReserveSnapshotRow[]
  readonly poolSnapshots: readonly PoolSnapshotRow[]
}

/** What changed in this ledger, and at the first ledger of an hour everything that is open. Sorted, so that loading a state changes no order. */
export function lpSnapshots(pools: Iterable<LpSeries>, slice: Slice, journal: Journal): Snapshots {
  const due = [...pools].filter((pool) => pool.isChanged || pool.isOpen).sort((a, b) => (a.pool < b.pool ? -1 : 1))
  return {
    positionSnapshots: due.flatMap((pool) => positionSnapshots(pool, slice, journal)),
    reserveSnapshots: due.flatMap((pool) => reserveSnapshots(pool, slice)),
    poolSnapshots: due.map((pool) => poolSnapshot(pool, slice)),
  }
}

function holdersDue({ changedHolders, isLoss, openHolders }: LpSeries, { hourStart }: Slice): Address[] {
  return [...new Set([...changedHolders, ...(hourStart || isLoss ? openHolders() : [])])].sort()
}

function poolSnapshot(pool: LpSeries, slice: Slice): PoolSnapshotRow {
  const { counters } = pool
  return {
    protocol: slice.protocol,
    pool: pool.pool,
    ledger: slice.ledger,
    closeTimeSeconds: slice.closeTimeSeconds,
    heartbeat: !pool.isChanged,
    tvlUsd: usdText(pool.tvlUsd),
    unpricedAssets: pool.unpricedAssets,
    shareSupply: pool.shareSupply,
    native: {
      ...pool.native,
      fees_usd: usdText(counters?.feesUsd ?? 0n),
      lp_fees_usd: usdText(counters?.lpFeesUsd ?? 0n),
      volume_usd: usdText(counters?.volumeUsd ?? 0n),
      value_seconds_usd: usdText(counters?.valueSeconds ?? 0n),
    },
  }
}

/** One for each token, in the pool's order. */
function reserveSnapshots({ pool, tokens, reserves, balances, isChanged }: LpSeries, slice: Slice): ReserveSnapshotRow[] {
  return tokens.map((token, n) => {
    const supplied = reserves[n] ?? 0n
    const value = token.value(supplied)
    return {
      protocol: slice.protocol,
      pool,
      asset: token.info.asset,
      ledger: slice.ledger,
      closeTimeSeconds: slice.closeTimeSeconds,
      heartbeat: !isChanged,
      supplied,
      borrowed: 0n,
      suppliedUsd: value === null ? null : usdText(value),
      borrowedUsd: '0',
      priceUsd: token.price?.usd ?? null,
      priceSource: token.price?.source ?? '',
      native: { balance: (balances[n] ?? supplied).toString() },
    }
  })
}

/** Positions at the ledger's end, without heartbeats that are not due. Members that are the same for all positions of a pool are made once: there can be thousands. */
function positionSnapshots(pool: LpSeries, slice: Slice, journal: Journal): PositionSnapshotRow[] {
  const poolColumns = { share_supply: pool.shareSupply.toString(), tokens: pool.tokens.map((token) => token.info.asset) }
  return holdersDue(pool, slice).flatMap((address) => positionSnapshot(address, pool, poolColumns, slice, journal) ?? [])
}

/** Zeros when it was closed. Null for a heartbeat that is not due. */
function positionSnapshot(
  address: Address,
  pool: LpSeries,
  poolColumns: LpSeries['native'],
  slice: Slice,
  journal: Journal,
): PositionSnapshotRow | null {
  const { shares, worth, native } = pool.position(address)
  const { amounts, values, netUsd, unpricedAssets } = worth
  const heartbeat = !pool.isLoss && !pool.changedHolders.has(address)
  if (heartbeat && !isHeartbeatDue(slice, netUsd, pool.small.has(address))) return null
  const open = shares > 0n
  const row = { contract: pool.pool, key: `@${address}:${SMALL_KEY}`, owner: address }
  rememberSize(pool.small, address, row, { open, grossUsd: netUsd }, journal)
  const priced = values.length === 0 ? netUsd : usdSumOfPriced(values)
  const usd = priced === null ? null : usdText(priced)
  return {
    protocol: slice.protocol,
    address,
    pool: pool.pool,
    ledger: slice.ledger,
    closeTimeSeconds: slice.closeTimeSeconds,
    heartbeat,
    open,
    suppliedUsd: usd,
    borrowedUsd: '0',
    depositedUsd: usd,
    netUsd: usd,
    effectiveCollateralUsd: '0',
    effectiveLiabilitiesUsd: '0',
    netApy: null,
    unpricedAssets,
    shares,
    native: {
      ...poolColumns,
      amounts: amounts.map(String),
      usd_values: values.map((value) => (value === null ? null : usdText(value))),
      ...native,
    },
  }
}
