// Rows of series: what a pool and an account's part of it were worth at the end of a ledger.
// USD in them is fixed at that ledger's balances and prices; heartbeats make the hours between two actions right.

import { isHeartbeatDue, usdText } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { PoolSnapshotRow, PositionSnapshotRow, ReserveSnapshotRow, Slice } from '@orrery/protocol-kit'
import type { Changes } from './changes.ts'
import type { Moment } from './moment.ts'
import { type PoolState, sharesOf } from './state.ts'
import type { ValuedPool } from './valuation.ts'
import { worthOfHolder } from './worth.ts'

export interface Snapshots {
  readonly positionSnapshots: readonly PositionSnapshotRow[]
  readonly reserveSnapshots: readonly ReserveSnapshotRow[]
  readonly poolSnapshots: readonly PoolSnapshotRow[]
}

/** What changed in this ledger, and at the first ledger of an hour everything that is open. Sorted, so that loading a state changes no order. */
export function takeSnapshots(moment: Moment, changes: Changes): Snapshots {
  const { state, slice } = moment
  const positionSnapshots: PositionSnapshotRow[] = []
  const reserves: ReserveSnapshotRow[] = []
  const poolSnapshots: PoolSnapshotRow[] = []
  const due = slice.hourStart ? [...state.pools.values()].filter((pool) => pool.owned) : [...changes.pools]
  for (const pool of due.sort((a, b) => (a.pool < b.pool ? -1 : 1))) {
    const valued = moment.value(pool)
    if (valued === null) continue
    const heartbeat = !changes.pools.has(pool)
    if (heartbeat && !holdsAnything(valued)) continue
    poolSnapshots.push(poolSnapshot(valued, slice, heartbeat))
    reserves.push(...reserveSnapshots(valued, slice, heartbeat))
    const changed = changes.holders(pool)
    for (const address of holdersDue(pool, changed, slice)) {
      const row = positionSnapshot(address, valued, slice, !changed.has(address))
      if (row !== null) positionSnapshots.push(row)
    }
  }
  return { positionSnapshots, reserveSnapshots: reserves, poolSnapshots }
}

function holdersDue(pool: PoolState, changed: ReadonlySet<Address>, { hourStart }: Slice): Address[] {
  const due = new Set(changed)
  if (hourStart) for (const [address, holder] of pool.holders) if (sharesOf(holder) > 0n) due.add(address)
  return [...due].sort()
}

/** A pool that was made and never filled has nothing that could change from hour to hour. */
function holdsAnything({ instance, reserves }: ValuedPool): boolean {
  return instance.totalShares > 0n || reserves.some((reserve) => reserve > 0n)
}

function poolSnapshot(valued: ValuedPool, slice: Slice, heartbeat: boolean): PoolSnapshotRow {
  const { pool, instance, tokens, reserves, payoutReserves } = valued
  const { counters } = pool
  return {
    protocol: slice.protocol,
    pool: pool.pool,
    ledger: slice.ledger,
    closeTimeSeconds: slice.closeTimeSeconds,
    heartbeat,
    tvlUsd: usdText(valued.tvlUsd),
    unpricedAssets: valued.unpricedAssets,
    shareSupply: instance.totalShares,
    native: {
      pool_type: valued.type,
      tokens: tokens.map((token) => token.info.asset),
      reserves: reserves.map(String),
      payout_reserves: payoutReserves.map(String),
      prices_usd: tokens.map((token) => token.price?.usd ?? null),
      protocol_fees: instance.protocolFees.map(String),
      ...(instance.concentrated === null
        ? {}
        : { sqrt_price_x96: instance.concentrated.sqrtPrice.toString(), tick: instance.concentrated.tick }),
      reward_tokens_per_second: instance.rewards.tokensPerSecond.toString(),
      reward_expires_at: instance.rewards.expiresAt.toString(),
      fees_usd: usdText(counters?.feesUsd ?? 0n),
      lp_fees_usd: usdText(counters?.lpFeesUsd ?? 0n),
      volume_usd: usdText(counters?.volumeUsd ?? 0n),
      value_seconds_usd: usdText(counters?.valueSeconds ?? 0n),
    },
  }
}

/** One for each token, in the pool's order. */
function reserveSnapshots({ pool, tokens, reserves }: ValuedPool, slice: Slice, heartbeat: boolean): ReserveSnapshotRow[] {
  return tokens.map((token, n) => {
    const supplied = reserves[n] ?? 0n
    const value = token.value(supplied)
    return {
      protocol: slice.protocol,
      pool: pool.pool,
      asset: token.info.asset,
      ledger: slice.ledger,
      closeTimeSeconds: slice.closeTimeSeconds,
      heartbeat,
      supplied,
      borrowed: 0n,
      suppliedUsd: value === null ? null : usdText(value),
      borrowedUsd: '0',
      priceUsd: token.price?.usd ?? null,
      priceSource: token.price?.source ?? '',
      native: { balance: (pool.balances.get(token.info.asset)?.value ?? supplied).toString() },
    }
  })
}

/** The position at the ledger's end; zeros when it was closed. Null for a heartbeat that is not due. */
function positionSnapshot(address: Address, valued: ValuedPool, slice: Slice, heartbeat: boolean): PositionSnapshotRow | null {
  const { pool, instance, tokens } = valued
  const holder = pool.holders.get(address)
  const worth = worthOfHolder(holder, valued)
  if (heartbeat && !isHeartbeatDue(slice, worth.netUsd)) return null
  const shares = sharesOf(holder)
  const usd = worth.netUsd === null ? null : usdText(worth.netUsd)
  return {
    protocol: slice.protocol,
    address,
    pool: pool.pool,
    ledger: slice.ledger,
    closeTimeSeconds: slice.closeTimeSeconds,
    heartbeat,
    open: shares > 0n,
    suppliedUsd: usd,
    borrowedUsd: '0',
    depositedUsd: usd,
    netUsd: usd,
    effectiveCollateralUsd: '0',
    effectiveLiabilitiesUsd: '0',
    netApy: null,
    unpricedAssets: worth.unpricedAssets,
    shares,
    native: {
      share_supply: instance.totalShares.toString(),
      tokens: tokens.map((token) => token.info.asset),
      amounts: worth.amounts.map(String),
      usd_values: worth.values.map((value) => (value === null ? null : usdText(value))),
      ...(worth.ranges.length === 0
        ? {}
        : { ranges: worth.ranges.map(({ range, liquidity }) => [range.tickLower, range.tickUpper, liquidity.toString()]) }),
    },
  }
}
