// Snapshots of positions, reserves and pools: values fixed at their ledger. Materialized views fill the latest of a position and the last of
// a pool's day.

import type { PoolSnapshotRow, PositionSnapshotRow, ReserveSnapshotRow } from '@orrery/protocol-kit'
import { type Column, decimal, flag, int256, json, nullable, seconds, table, text, unsigned } from './column.ts'

/** USD or null, scale 8. */
function usd<Row>(of: (row: Row) => string | null): Column<Row> {
  return nullable(of, (present) => decimal(38, 8, present))
}

export const positionSnapshotsTable = table<PositionSnapshotRow>('position_snapshots_v1', {
  protocol: text((row) => row.protocol),
  address: text((row) => row.address),
  pool: text((row) => row.pool),
  ledger: unsigned(32, (row) => row.ledger),
  close_time: seconds((row) => row.closeTimeSeconds),
  heartbeat: flag((row) => row.heartbeat),
  open: flag((row) => row.open),
  supplied_usd: usd((row) => row.suppliedUsd),
  borrowed_usd: usd((row) => row.borrowedUsd),
  deposited_usd: usd((row) => row.depositedUsd),
  net_usd: usd((row) => row.netUsd),
  effective_collateral_usd: usd((row) => row.effectiveCollateralUsd),
  effective_liabilities_usd: usd((row) => row.effectiveLiabilitiesUsd),
  net_apy: nullable(
    (row) => row.netApy,
    (present) => decimal(38, 18, present),
  ),
  unpriced_assets: unsigned(16, (row) => row.unpricedAssets),
  shares: int256((row) => row.shares),
  native: json((row) => row.native),
})

export const reserveSnapshotsTable = table<ReserveSnapshotRow>('reserve_snapshots_v1', {
  protocol: text((row) => row.protocol),
  pool: text((row) => row.pool),
  asset: text((row) => row.asset),
  ledger: unsigned(32, (row) => row.ledger),
  close_time: seconds((row) => row.closeTimeSeconds),
  heartbeat: flag((row) => row.heartbeat),
  supplied: int256((row) => row.supplied),
  borrowed: int256((row) => row.borrowed),
  supplied_usd: usd((row) => row.suppliedUsd),
  borrowed_usd: usd((row) => row.borrowedUsd),
  price_usd: nullable(
    (row) => row.priceUsd,
    (present) => decimal(76, 18, present),
  ),
  price_source: text((row) => row.priceSource),
  native: json((row) => row.native),
})

export const poolSnapshotsTable = table<PoolSnapshotRow>('pool_snapshots_v1', {
  protocol: text((row) => row.protocol),
  pool: text((row) => row.pool),
  ledger: unsigned(32, (row) => row.ledger),
  close_time: seconds((row) => row.closeTimeSeconds),
  heartbeat: flag((row) => row.heartbeat),
  tvl_usd: decimal(38, 8, (row) => row.tvlUsd),
  unpriced_assets: unsigned(16, (row) => row.unpricedAssets),
  share_supply: int256((row) => row.shareSupply),
  native: json((row) => row.native),
})
