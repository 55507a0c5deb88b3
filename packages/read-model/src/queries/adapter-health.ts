// The last health reports of the active index versions, one row for each partition. The tables hold a few dozen rows at any scale.

import { z } from 'zod'
import { defineQuery, PLANNED_AS_WRITTEN } from '../query.ts'
import { U32 } from './column-types.ts'

const Milliseconds = z.string().regex(/^\d+$/).transform(Number)

/** A partition that never reported has `reported` false and zeros. */
export const adapterHealth = defineQuery({
  name: 'adapter_health',
  watermark: 'none',
  settings: PLANNED_AS_WRITTEN,
  params: z.object({}),
  row: z.object({
    protocol: z.string(),
    index_version: z.int(),
    partitions: z.int(),
    partition: z.int(),
    reported: z.boolean(),
    reported_at_ms: Milliseconds,
    state: z.string(),
    checkpoint_ledger: U32,
    checkpoint_close_time_seconds: U32,
    seen_ledger: U32,
    seen_close_time_seconds: U32,
    source_ended: z.boolean(),
    source_heard_at_ms: Milliseconds,
    progressed_at_ms: Milliseconds,
    gap_after: U32.nullable(),
    gap_before: U32.nullable(),
    error: z.string(),
    errors_last_hour: U32,
    contracts_tracked: U32,
  }),
  sql: `
    SELECT active.protocol AS protocol, active.index_version AS index_version, active.partitions AS partitions,
      toUInt16(active.partition) AS partition, toBool(h.state != '') AS reported, toUnixTimestamp64Milli(h.reported_at) AS reported_at_ms, h.state AS state,
      h.checkpoint_ledger AS checkpoint_ledger, toUnixTimestamp(h.checkpoint_close_time) AS checkpoint_close_time_seconds,
      h.seen_ledger AS seen_ledger, toUnixTimestamp(h.seen_close_time) AS seen_close_time_seconds, h.source_ended AS source_ended,
      toUnixTimestamp64Milli(h.source_heard_at) AS source_heard_at_ms,
      toUnixTimestamp64Milli(h.progressed_at) AS progressed_at_ms, h.gap_after AS gap_after, h.gap_before AS gap_before,
      h.error AS error, h.errors_last_hour AS errors_last_hour, h.contracts_tracked AS contracts_tracked
    FROM (
      SELECT protocol, adapter_version AS index_version, partitions, arrayJoin(range(partitions)) AS partition FROM active_versions_v1 FINAL
    ) AS active
    LEFT JOIN (SELECT * FROM adapter_health_v1 FINAL) AS h
      ON h.protocol = active.protocol AND h.partition = active.partition AND h.adapter_version = active.index_version
    ORDER BY protocol, partition`,
})

/** The gaps in the log that partitions of the active index versions reported last; usually none. It runs each five seconds, also while nothing happens. */
export const gapsInLog = defineQuery({
  name: 'gaps_in_log',
  watermark: 'none',
  settings: PLANNED_AS_WRITTEN,
  params: z.object({}),
  row: z.object({ protocol: z.string(), partition: z.int(), gap_after: U32, gap_before: U32 }),
  sql: `
    SELECT protocol, partition, assumeNotNull(gap_after) AS gap_after, assumeNotNull(gap_before) AS gap_before
    FROM adapter_health_v1 FINAL
    WHERE adapter_health_v1.gap_after IS NOT NULL AND adapter_health_v1.gap_before IS NOT NULL
      AND (protocol, adapter_version) IN (SELECT protocol, adapter_version FROM active_versions_v1 FINAL)
    ORDER BY protocol, partition`,
})

/**
 * Every index version, and the checkpoints of all of them: `partition` is null in a row of a version. Apart from the reports, because one statement
 * that joins all of it takes twice the time to plan.
 */
export const versionProgress = defineQuery({
  name: 'version_progress',
  watermark: 'none',
  settings: PLANNED_AS_WRITTEN,
  params: z.object({}),
  row: z.object({
    protocol: z.string(),
    index_version: z.int(),
    adapter_version: z.int(),
    /** Readers saw it, or its rows are deleted. */
    is_known: z.boolean(),
    partition: z.int().nullable(),
    ledger: U32,
  }),
  sql: `
    SELECT toString(protocol) AS protocol, index_version, adapter_version, retired OR was_active AS is_known, CAST(NULL AS Nullable(UInt16)) AS partition,
      toUInt32(0) AS ledger
    FROM index_versions_v1 FINAL
    UNION ALL
    SELECT toString(protocol), adapter_version, toUInt16(0), false, partition, ledger FROM checkpoints_v1 FINAL`,
})
