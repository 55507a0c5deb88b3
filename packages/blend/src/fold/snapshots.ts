// Snapshots: what a pool, its reserves and the positions in it were worth at the end of a ledger.
// USD in them is fixed at that ledger's rates and prices; interest moves everything all the time, so heartbeats cover the hours between.

import { isHeartbeatDue, rememberSize, type Snapshots, usdSum } from '@orrery/fold-kit'
import type { PoolSnapshotRow, PositionSnapshotRow, ReserveSnapshotRow } from '@orrery/protocol-kit'
import { type AccountBefore, type Changes, type PoolChanges, unchanged } from '../state/changes.ts'
import { small } from '../state/entries.ts'
import { addressesOf, allShares } from '../state/state.ts'
import { type ValuedAccount, valueAccount } from '../view/account-value.ts'
import type { ValuedPool } from '../view/valuation.ts'
import { writeHealthSteps } from './health-steps.ts'
import type { Moment } from './ledger-end.ts'
import { accountsHit } from './losses.ts'
import { poolSnapshot } from './pool-snapshot.ts'
import { positionSnapshot } from './position-snapshot.ts'
import { reserveSnapshot } from './reserve-snapshot.ts'

/** What changed in this ledger, and at the first ledger of an hour everything that is open. Sorted, so that loading a state changes no order. */
export function takeSnapshots(moment: Moment, changes: Changes): Snapshots {
  const { state, slice } = moment
  const positionSnapshots: PositionSnapshotRow[] = []
  const reserveSnapshots: ReserveSnapshotRow[] = []
  const poolSnapshots: PoolSnapshotRow[] = []
  const due = slice.hourStart ? [...state.pools.values()].filter((pool) => pool.owned) : [...changes.keys()]
  for (const pool of due.sort((a, b) => (a.pool < b.pool ? -1 : 1))) {
    const valued = moment.value(pool)
    if (valued === null) continue
    const changed = changes.get(pool) ?? unchanged()
    if (changed.pool || (slice.hourStart && isOpen(valued))) poolSnapshots.push(poolSnapshot(valued, slice, !changed.pool))
    for (const reserve of valued.reserves) {
      if (reserve === undefined) continue
      const isChanged = changed.reserves.has(reserve.asset)
      if (isChanged || slice.hourStart) reserveSnapshots.push(reserveSnapshot(reserve, valued, slice, !isChanged))
    }
    takePositions(valued, changed, moment, positionSnapshots)
  }
  writeHealthSteps(moment, changes)
  return { positionSnapshots, reserveSnapshots, poolSnapshots }
}

function takePositions(valued: ValuedPool, changes: PoolChanges, moment: Moment, into: PositionSnapshotRow[]): void {
  const { pool } = valued
  const { slice, journal } = moment
  const { accounts: changed } = changes
  const hit = accountsHit(valued, changes, moment)
  for (const address of slice.hourStart ? addressesOf(pool) : [...new Set([...changed.keys(), ...hit])].sort()) {
    const account = pool.accounts.get(address)
    if (account === undefined) continue
    const worth = valueAccount(account, valued)
    const before = changed.get(address)
    const heartbeat = before === undefined && !hit.has(address)
    const gross = grossUsd(worth)
    const isDue = heartbeat ? worth.open && isHeartbeatDue(slice, gross, pool.small.has(address)) : worth.open || (before && held(before))
    if (!isDue) continue
    into.push(positionSnapshot(address, account, worth, valued, slice, heartbeat))
    const row = { contract: pool.pool, key: small.keyOf({ owner: address }), owner: address }
    rememberSize(pool.small, address, row, { open: worth.open, grossUsd: gross }, journal)
  }
}

/** Everything that the position consists of, debts added: an account that owes as much as it holds is not small. */
function grossUsd({ suppliedUsd, borrowedUsd, backstopUsd }: ValuedAccount): bigint | null {
  return usdSum([suppliedUsd, borrowedUsd, backstopUsd])
}

/** An empty entry is no position: fillers of interest auctions get one. */
function held({ positions, backstop }: AccountBefore): boolean {
  const maps = [positions.supply, positions.collateral, positions.liabilities]
  return allShares(backstop) > 0n || maps.some((shares) => [...shares.values()].some((amount) => amount > 0n))
}

/** A pool without reserves and without backstop has nothing that could change from hour to hour. */
function isOpen({ pool, reserves }: ValuedPool): boolean {
  return reserves.length > 0 || (pool.backstop.balance?.value.shares ?? 0n) > 0n
}
