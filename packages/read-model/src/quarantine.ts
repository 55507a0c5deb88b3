// Pools of quarantined partitions, as statements leave them out. Their rows end with the checkpoint of the partition: as of a later ledger they would
// be out of date beside the others. A statement as of an earlier ledger reads them as if nothing had happened.
// See docs/decisions/0037-quarantined-partitions-are-filtered-by-the-engine.md.

import { type ClickHouseSettings, SettingsMap } from '@clickhouse/client'
import type { ProtocolId } from '@orrery/protocol-kit'
import type { SharedContracts } from './connection.ts'
import type { IndexTip } from './index-tip.ts'

/** A partition whose rows end with `ledger`. */
export interface Quarantine {
  readonly protocol: ProtocolId
  readonly partition: number
  /** Of the protocol. */
  readonly partitions: number
  readonly ledger: number
}

/** In the order of protocols and partitions. */
export function quarantinesOf({ adapters }: IndexTip): Quarantine[] {
  return adapters.flatMap(({ protocol, checkpoints, quarantined }) =>
    quarantined.map((partition) => ({
      protocol,
      partition,
      partitions: checkpoints.length,
      ledger: checkpoints[partition]?.ledger ?? 0,
    })),
  )
}

/** The quarantines that an answer as of `ledger` must leave out, as a text that caches add to their keys; '' without one. */
export function quarantineKey(tip: IndexTip, ledger: number): string {
  return after(tip, ledger)
    .map(({ protocol, partition }) => `${protocol}/${partition}`)
    .join(' ')
}

/** The settings with which `sql` reads no row of a quarantined pool; none without a quarantine before `ledger`. */
export function quarantineSettings(sql: string, tip: IndexTip, ledger: number, sharedOf: SharedContracts = () => []): ClickHouseSettings {
  const left = after(tip, ledger)
  if (left.length === 0) return {}
  const filters = Object.entries(CONTRACT_COLUMN).flatMap(([table, column]) => {
    if (!new RegExp(`\\b${table}\\b`).test(sql)) return []
    const filter = left.map((one) => `NOT (${isOf(one, column, sharedOf(one.protocol))})`).join(' AND ')
    // In a cluster a statement names the Distributed table, and each shard reads its own one.
    return [table, `${table}_local`].map((name) => [name, escaped(filter)])
  })
  return filters.length === 0 ? {} : { additional_table_filters: SettingsMap.from(Object.fromEntries(filters)) }
}

function after(tip: IndexTip, ledger: number): Quarantine[] {
  return quarantinesOf(tip).filter((one) => ledger > one.ledger)
}

/** The column with the pool, of every table with rows of pools. Tables of state have the partition as well. */
const CONTRACT_COLUMN: Readonly<Record<string, 'contract' | 'pool' | 'scope'>> = {
  state_v1: 'scope',
  state_by_owner_v1: 'scope',
  state_latest_v1: 'scope',
  state_buckets_v1: 'scope',
  position_snapshots_v1: 'pool',
  position_snapshots_by_ledger_v1: 'pool',
  position_daily_v1: 'pool',
  health_factor_steps_v1: 'pool',
  positions_latest_v1: 'pool',
  open_positions_v1: 'pool',
  open_positions_latest_v1: 'pool',
  pool_snapshots_v1: 'pool',
  pool_daily_v1: 'pool',
  pool_hourly_v1: 'pool',
  reserve_snapshots_v1: 'pool',
  reserve_hourly_v1: 'pool',
  activities_v1: 'contract',
  activities_by_contract_v1: 'contract',
  activities_by_ledger_v1: 'contract',
}

/** Of a protocol with one partition everything; of others by the hash that chose the partition, of the address's 32 bytes after its version byte. */
function isOf({ protocol, partition, partitions }: Quarantine, column: 'contract' | 'pool' | 'scope', shared: readonly string[]): string {
  const ofProtocol = `protocol = '${protocol}'`
  if (partitions === 1) return ofProtocol
  const contract = column === 'pool' ? 'pool' : 'contract'
  const kept = shared.length === 0 ? '' : ` AND ${contract} NOT IN (${shared.map((one) => `'${one}'`).join(', ')})`
  const ofPartition =
    column === 'scope'
      ? `scope = ${partition}`
      : `xxHash64(substring(tryBase32Decode(toString(${contract})), 2, 32)) % ${partitions} = ${partition}`
  return `${ofProtocol} AND ${ofPartition}${kept}`
}

/** The driver writes a map of texts without escaping them. */
function escaped(filter: string): string {
  return filter.replaceAll("'", "\\'")
}
