// Rows of series: what a pair and an account's shares of it were worth at the end of a ledger.
// USD in them is fixed at that ledger's balances and prices; heartbeats make the hours between two actions right.

import { isHeartbeatDue, usdText } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { PoolSnapshotRow, PositionSnapshotRow, ReserveSnapshotRow, Slice } from '@orrery/protocol-kit'
import type { Changes } from './apply-records.ts'
import type { Moment } from './moment.ts'
import { valueShares } from './position.ts'
import type { PairState } from './state.ts'
import type { ValuedPair } from './valuation.ts'

export function poolSnapshot(pair: PairState, valued: ValuedPair, slice: Slice, heartbeat: boolean): PoolSnapshotRow {
  const { instance, pool, tokens } = valued
  const { counters } = pair
  return {
    protocol: slice.protocol,
    pool: pair.pair,
    ledger: slice.ledger,
    closeTimeSeconds: slice.closeTimeSeconds,
    heartbeat,
    tvlUsd: usdText(valued.tvlUsd),
    unpricedAssets: valued.unpricedAssets,
    shareSupply: pool.totalSupply,
    native: {
      tokens: [instance.token0, instance.token1],
      reserves: [pool.reserve0.toString(), pool.reserve1.toString()],
      balances: [pool.balance0.toString(), pool.balance1.toString()],
      prices_usd: [tokens[0].price?.usd ?? null, tokens[1].price?.usd ?? null],
      k_last: pool.kLast.toString(),
      fees_enabled: pool.feesEnabled,
      fees_usd: usdText(counters?.feesUsd ?? 0n),
      lp_fees_usd: usdText(counters?.lpFeesUsd ?? 0n),
      volume_usd: usdText(counters?.volumeUsd ?? 0n),
      value_seconds_usd: usdText(counters?.valueSeconds ?? 0n),
    },
  }
}

/** One for each token, in the pair's order. */
export function reserveSnapshots(pair: PairState, valued: ValuedPair, slice: Slice, heartbeat: boolean): ReserveSnapshotRow[] {
  const { pool } = valued
  const sides = [
    { supplied: pool.reserve0, balance: pool.balance0 },
    { supplied: pool.reserve1, balance: pool.balance1 },
  ]
  return valued.tokens.map((token, n) => {
    const { supplied, balance } = sides[n] as (typeof sides)[number]
    const value = token.value(supplied)
    return {
      protocol: slice.protocol,
      pool: pair.pair,
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
      native: { balance: balance.toString() },
    }
  })
}

/** The position at the ledger's end; zeros when it was closed. Null for a heartbeat that is not due. */
export function positionSnapshot(
  pair: PairState,
  address: Address,
  shares: bigint,
  valued: ValuedPair,
  slice: Slice,
  heartbeat: boolean,
): PositionSnapshotRow | null {
  const worth = valueShares(shares, valued)
  if (heartbeat && !isHeartbeatDue(slice, worth.netUsd)) return null
  const usd = worth.netUsd === null ? null : usdText(worth.netUsd)
  return {
    protocol: slice.protocol,
    address,
    pool: pair.pair,
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
      share_supply: valued.pool.totalSupply.toString(),
      tokens: [valued.instance.token0, valued.instance.token1],
      amounts: [worth.amounts[0].toString(), worth.amounts[1].toString()],
      usd_values: worth.values.map((value) => (value === null ? null : usdText(value))),
    },
  }
}

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
  const due = slice.hourStart ? [...state.pairs.values()].filter((pair) => pair.owned) : [...changes.pairs]
  for (const pair of due.sort((a, b) => (a.pair < b.pair ? -1 : 1))) {
    const valued = moment.value(pair)
    if (valued === null) continue
    const heartbeat = !changes.pairs.has(pair)
    if (heartbeat && !isOpen(valued)) continue
    poolSnapshots.push(poolSnapshot(pair, valued, slice, heartbeat))
    reserves.push(...reserveSnapshots(pair, valued, slice, heartbeat))
    const changed = changes.sharesBefore.get(pair) ?? NOBODY
    const sharesOf = (address: Address) => pair.holders.get(address)?.shares?.value ?? 0n
    const holders = new Set(changed.keys())
    if (slice.hourStart) for (const address of pair.holders.keys()) if (sharesOf(address) > 0n) holders.add(address)
    // The locked shares make the pair a holder of itself: part of the supply, nobody's position.
    holders.delete(pair.pair)
    for (const address of [...holders].sort()) {
      const shares = sharesOf(address)
      const row = positionSnapshot(pair, address, shares, valued, slice, !changed.has(address))
      if (row !== null) positionSnapshots.push(row)
    }
  }
  return { positionSnapshots, reserveSnapshots: reserves, poolSnapshots }
}

/** A pair that was made and never filled has nothing that could change from hour to hour. Once filled, it keeps its locked shares for ever. */
function isOpen({ pool }: ValuedPair): boolean {
  return pool.totalSupply > 0n || pool.balance0 > 0n || pool.balance1 > 0n
}

const NOBODY: ReadonlyMap<Address, bigint> = new Map()
