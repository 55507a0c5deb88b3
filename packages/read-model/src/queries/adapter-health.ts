// The last health reports of the active index versions, and how far a version that is folded beside them is: one row for each partition. The tables hold a few dozen rows at any scale.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { U32 } from './column-types.ts'

const Milliseconds = z.string().regex(/^\d+$/).transform(Number)

/**
 * A partition that never reported has `reported` false and zeros. `replay_`: the newest version that readers never saw and that is not retired; 0
 * without one.
 */
export const adapterHealth = defineQuery({
  name: 'adapter_health',
  watermark: 'none',
  params: z.object({}),
  row: z.object({
    protocol: z.string(),
    index_version: z.int(),
    adapter_version: z.int(),
    replay_index_version: z.int(),
    replay_adapter_version: z.int(),
    replay_ledger: U32,
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
    SELECT active.protocol AS protocol, active.index_version AS index_version,
      if(written.adapter_version = 0, active.index_version, written.adapter_version) AS adapter_version, active.partitions AS partitions,
      replay.index_version AS replay_index_version, replay.adapter_version AS replay_adapter_version, folded.ledger AS replay_ledger,
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
    LEFT JOIN (SELECT * FROM index_versions_v1 FINAL) AS written
      ON written.protocol = active.protocol AND written.index_version = active.index_version
    LEFT JOIN (
      SELECT protocol, index_version, adapter_version FROM index_versions_v1 FINAL
      WHERE NOT retired AND NOT was_active
        AND (protocol, index_version) NOT IN (SELECT protocol, adapter_version FROM active_versions_v1 FINAL)
      ORDER BY protocol, index_version DESC LIMIT 1 BY protocol
    ) AS replay ON replay.protocol = active.protocol
    LEFT JOIN (SELECT * FROM checkpoints_v1 FINAL) AS folded
      ON folded.protocol = active.protocol AND folded.partition = active.partition AND folded.adapter_version = replay.index_version
    ORDER BY protocol, partition`,
})
