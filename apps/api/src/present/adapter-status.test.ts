import { type PartitionHealth, partitionStatus } from '@orrery/read-model'
import { describe, expect, it } from 'vitest'
import { adapterRecords } from './adapter-status.ts'

const NOW = 1_788_264_000

/** A partition at the tip of a source that goes on. */
const live: PartitionHealth = {
  protocol: 'soroswap',
  index_version: 2,
  adapter_version: 1,
  replay_index_version: 0,
  replay_adapter_version: 0,
  replay_ledger: 0,
  partition: 0,
  reported: true,
  reported_at_ms: NOW * 1000,
  state: 'running',
  checkpoint_ledger: 500,
  checkpoint_close_time_seconds: NOW - 5,
  seen_ledger: 500,
  seen_close_time_seconds: NOW - 5,
  source_ended: false,
  source_heard_at_ms: (NOW - 5) * 1000,
  progressed_at_ms: (NOW - 5) * 1000,
  gap_after: null,
  gap_before: null,
  error: '',
  errors_last_hour: 0,
  contracts_tracked: 2,
}
const silent: PartitionHealth = { ...live, reported: false, reported_at_ms: 0, state: '', checkpoint_ledger: 0, progressed_at_ms: 0 }
const old = { checkpoint_close_time_seconds: NOW - 3600, checkpoint_ledger: 100 }
const ended = { source_ended: true, reported_at_ms: 0, progressed_at_ms: 0, checkpoint_close_time_seconds: 1, seen_close_time_seconds: 1 }

describe('a partition', () => {
  it.each<[string, Partial<PartitionHealth>, string]>([
    ['at the tip of a live source', {}, 'healthy'],
    ['a minute behind it', { checkpoint_close_time_seconds: NOW - 60 }, 'healthy'],
    ['more than a minute behind it, and moving', old, 'catching_up'],
    [
      'at the tip of a live source whose ledgers closed long ago',
      { checkpoint_close_time_seconds: NOW - 9_000, seen_close_time_seconds: NOW - 9_000 },
      'healthy',
    ],
    ['at the end of a log whose ingest was not heard for a minute', { source_heard_at_ms: (NOW - 61) * 1000 }, 'stalled'],
    ['of a log that says nothing of its source, and old', { ...old, source_heard_at_ms: 0, seen_ledger: 100 }, 'catching_up'],
    [
      'more than a minute behind what it has seen, without progress for a minute',
      { ...old, progressed_at_ms: (NOW - 61) * 1000 },
      'stalled',
    ],
    ['that has said nothing for a minute', { reported_at_ms: (NOW - 61) * 1000 }, 'stalled'],
    ['at the end of a recorded source, whenever that was', ended, 'healthy'],
    ['not at the end of a recorded source yet', { ...old, source_ended: true, seen_close_time_seconds: NOW }, 'catching_up'],
    ['whose last attempt errored', { state: 'failing', error: 'x' }, 'failing'],
    ['with a gap in its log', { gap_after: 5, gap_before: 9 }, 'failing'],
  ])('%s: %s', (_, health, status) => {
    expect(partitionStatus({ ...live, ...health }, NOW * 1000)).toBe(status)
  })
})

describe('an adapter', () => {
  const record = (partitions: PartitionHealth[]) => adapterRecords(partitions, ['soroswap'], ['soroswap'], NOW * 1000).soroswap

  it('an adapter has the status of its worst partition and the ledger of its slowest', () => {
    const behind = { ...live, partition: 1, ...old, progressed_at_ms: (NOW - 7) * 1000, errors_last_hour: 2, error: 'slow disk' }
    expect(record([live, behind])).toEqual({
      adapter_id: 'soroswap',
      contracts_tracked: 4,
      error: 'slow disk',
      error_count_1h: 2,
      index_version: 2,
      replay: null,
      last_sync_at: '2026-09-01T11:59:53Z',
      last_sync_ledger: 100,
      status: 'catching_up',
      version: '1',
    })
  })

  it('an adapter with a gap in its log names the missing ledgers and the partition', () => {
    const { status, error } = record([live, { ...live, partition: 1, state: 'failing', gap_after: 5, gap_before: 9 }]) ?? {}
    expect([status, error]).toEqual(['failing', 'Partition 1 waits for ledgers 6 to 9: they are missing in the log.'])
  })

  it('an adapter with a partition that has not reported is catching up', () => {
    expect(record([live, { ...silent, partition: 1 }])?.status).toBe('catching_up')
  })

  it('an adapter that never reported is missing, like one that this build does not have', () => {
    expect(record([silent])).toMatchObject({ status: 'missing', last_sync_at: null })
    expect(adapterRecords([{ ...live, protocol: 'blend' }], ['blend', 'soroswap'], ['soroswap'], NOW * 1000).blend?.status).toBe('missing')
  })
})
