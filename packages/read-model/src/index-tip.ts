// The tip of the index: the checkpoints of the active adapters, one snapshot for a whole answer.

import type { ProtocolId } from '@orrery/protocol-kit'
import { outOfBackground } from '@orrery/service-kit'
import { type ClickHouseConnection, FEW_ROWS } from './connection.ts'
import { PLANNED_AS_WRITTEN } from './query.ts'
import { CONTROL } from './tables/progress.ts'

/** A ledger and its close time, unix seconds. */
export interface LedgerTime {
  readonly ledger: number
  readonly closeTimeSeconds: number
}

/** The active adapter version of a protocol and the checkpoint of each of its partitions. */
export interface ActiveAdapter {
  readonly protocol: ProtocolId
  readonly version: number
  /** By partition number; null before the first checkpoint. */
  readonly checkpoints: readonly (LedgerTime | null)[]
  /** Numbers of the partitions that are left out, in their order: their records cannot be folded beyond their checkpoints. */
  readonly quarantined: readonly number[]
}

export interface IndexTip {
  /** Protocols in the order of their names. One without an adapter is absent. */
  readonly adapters: readonly ActiveAdapter[]
  /** The newest row of `ledgers`; null before the first. */
  readonly ledgers: LedgerTime | null
}

const NOTHING: LedgerTime = { ledger: 0, closeTimeSeconds: 0 }

/**
 * The watermark: the smallest checkpoint over the partitions of `protocols` and of the ledgers table: everything up to it is in the tables.
 * A protocol without an adapter does not lower it, nor does a quarantined partition; a partition without a checkpoint makes it 0. Where all
 * partitions are quarantined it is the largest of their checkpoints, so that it never moves back. Default: all protocols.
 */
export function watermarkOf(tip: IndexTip, protocols?: readonly ProtocolId[]): LedgerTime {
  const selected = tip.adapters.filter(({ protocol }) => protocols === undefined || protocols.includes(protocol))
  const served = selected.flatMap(({ checkpoints, quarantined }) => checkpoints.filter((_, partition) => !quarantined.includes(partition)))
  return smallest(tip, served.length > 0 ? served : largest(selected.flatMap(({ checkpoints }) => checkpoints)))
}

/** Up to this ledger nothing is missing: the smallest checkpoint of all partitions, also of those that are quarantined. */
export function completeLedgerOf(tip: IndexTip): LedgerTime {
  return smallest(
    tip,
    tip.adapters.flatMap(({ checkpoints }) => checkpoints),
  )
}

/** The largest alone; none where there are none. */
function largest(checkpoints: readonly (LedgerTime | null)[]): readonly (LedgerTime | null)[] {
  return checkpoints.toSorted((a, b) => (b?.ledger ?? 0) - (a?.ledger ?? 0)).slice(0, 1)
}

function smallest(tip: IndexTip, checkpoints: readonly (LedgerTime | null)[]): LedgerTime {
  return [tip.ledgers, ...checkpoints].map((at) => at ?? NOTHING).reduce((least, at) => (at.ledger < least.ledger ? at : least))
}

const TIP_SQL = `
  SELECT 'version' AS kind, protocol, adapter_version, partitions, toUInt16(0) AS partition, toUInt32(0) AS ledger, toUInt32(0) AS close_time_seconds
  FROM active_versions_v1 FINAL
  UNION ALL
  SELECT 'checkpoint', protocol, adapter_version, toUInt16(0), partition, ledger, toUnixTimestamp(close_time) FROM checkpoints_v1 FINAL
  UNION ALL
  SELECT 'quarantined', protocol, adapter_version, toUInt16(0), partition, toUInt32(0), toUInt32(0) FROM adapter_health_v1 FINAL
  WHERE state = 'quarantined'`

interface TipRow {
  readonly kind: 'version' | 'checkpoint' | 'quarantined'
  readonly protocol: ProtocolId | typeof CONTROL
  readonly adapter_version: number
  readonly partitions: number
  readonly partition: number
  readonly ledger: number
  readonly close_time_seconds: number
}

/** Reads the tip: some dozens of rows for any size of the index. */
export async function readTip(connection: ClickHouseConnection): Promise<IndexTip> {
  const { client } = connection
  const rows = await connection.attempt('index_tip', () =>
    client.select<TipRow>({ query: TIP_SQL, clickhouse_settings: { ...FEW_ROWS, ...PLANNED_AS_WRITTEN }, format: 'JSONEachRow' }),
  )
  const { version: versions = [], checkpoint: checkpoints = [], quarantined = [] } = Object.groupBy(rows, ({ kind }) => kind)
  const timeOf = (protocol: string, version: number, partition: number): LedgerTime | null => {
    const found = checkpoints.find((row) => row.protocol === protocol && row.adapter_version === version && row.partition === partition)
    return found === undefined ? null : { ledger: found.ledger, closeTimeSeconds: found.close_time_seconds }
  }
  const adapters = versions
    .map(({ protocol, adapter_version: version, partitions }) => ({
      protocol: protocol as ProtocolId,
      version,
      checkpoints: Array.from({ length: partitions }, (_, partition) => timeOf(protocol, version, partition)),
      quarantined: quarantined
        .filter((row) => row.protocol === protocol && row.adapter_version === version && row.partition < partitions)
        .map(({ partition }) => partition)
        .sort((a, b) => a - b),
    }))
    .sort((a, b) => (a.protocol < b.protocol ? -1 : 1))
  return { adapters, ledgers: timeOf(CONTROL, 0, 0) }
}

/**
 * `tip` for readers that saw `previous`: a partition that has caught up stays left out until it is as far as they have read, since its release may be
 * reported after a newer ledger. Otherwise the watermark would move back by that ledger.
 */
export function withoutSteppingBack(tip: IndexTip, previous: IndexTip | undefined): IndexTip {
  if (previous === undefined) return tip
  const adapters = tip.adapters.map((adapter) => {
    const { protocol, version, checkpoints, quarantined } = adapter
    const before = previous.adapters.find((one) => one.protocol === protocol && one.version === version)
    const seen = watermarkOf(previous, [protocol]).ledger
    const behind = (before?.quarantined ?? []).filter((partition) => (checkpoints[partition]?.ledger ?? 0) < seen)
    const leftOut = [...new Set([...quarantined, ...behind])].sort((a, b) => a - b)
    return { ...adapter, quarantined: leftOut }
  })
  return { ...tip, adapters }
}

interface Cached<T> {
  (): Promise<T>
  /** The next call reads again. */
  forget(): void
}

/** Caches the result of `read` for `forMs`; concurrent callers wait for the same read. A failure is not cached. */
export function cachedFor<T>(read: () => Promise<T>, forMs: number): Cached<T> {
  let last: { readonly value: Promise<T>; readonly until: number } | undefined
  const cached = (): Promise<T> => {
    if (last !== undefined && performance.now() < last.until) return last.value
    const value = outOfBackground(read)
    const mine = { value, until: Number.POSITIVE_INFINITY }
    last = mine
    value.then(
      () => {
        if (last === mine) last = { value, until: performance.now() + forMs }
      },
      () => {
        if (last === mine) last = undefined
      },
    )
    return value
  }
  const forget = (): void => {
    last = undefined
  }
  return Object.assign(cached, { forget })
}
