// One partition followed on a real log and a real ClickHouse. Each set-up has an adapter version of its own: that separates their rows
// in the same tables, where a database for each would cost a second.

import { type EventLog, openLog, sliceTopic } from '@orrery/event-log'
import type { Adapter } from '@orrery/protocol-kit'
import type { Store } from '@orrery/read-model'
import type { CallFault, FaultyMethods } from '@orrery/testkit'
import { type FollowObserver, follow } from '../src/follow.ts'
import type { BatchLimits } from '../src/write-behind.ts'
import type { Counts } from './counter.ts'
import { FIRST_LEDGER, NETWORK } from './test-ledgers.ts'

const LOG_CALLS: FaultyMethods<EventLog> = { answers: ['commit'], streams: ['read'] }
const STORE_CALLS: FaultyMethods<Store> = { answers: ['checkpoint', 'writeEncoded', 'moveCheckpoint'], streams: ['loadState'] }

export const IDLE_OBSERVER: FollowObserver = {
  started: () => undefined,
  notStarted: () => undefined,
  read: () => undefined,
  folded: () => undefined,
  stored: () => undefined,
  gapDetected: () => undefined,
  gapClosed: () => undefined,
  registryChanged: () => undefined,
}

export interface World {
  readonly adapter: Adapter<Counts>
  readonly log: EventLog
  readonly store: Store
  readonly limits: BatchLimits
  /** Aborts when another process follows the partition: following ends then, as when it is stopped. */
  readonly lost?: AbortSignal
}

export async function openTestLog(folder: string, values: readonly Uint8Array[]): Promise<EventLog> {
  const log = await openLog(`lmdb:${folder}`)
  await log.ensureTopic(sliceTopic(NETWORK.name, 'soroswap'), { partitions: 1, retentionSeconds: null, retentionBytes: null })
  await append(log, values)
  return log
}

export async function append(log: EventLog, values: readonly Uint8Array[]): Promise<void> {
  await log.append({ topic: sliceTopic(NETWORK.name, 'soroswap'), partition: 0 }, values)
}

/** Follows until `ledger` is stored. A loop that throws is restarted from its checkpoint, as by a supervisor. */
export async function followUntil(ledger: number, world: World, fault: CallFault | null = null): Promise<void> {
  for (;;) {
    try {
      await followOnce(ledger, world, fault)
      return
    } catch (error) {
      if (fault?.happened !== true) throw error
      fault = null // a fault happens once
    }
  }
}

export async function followOnce(
  ledger: number,
  { adapter, log, store, limits, lost = new AbortController().signal }: World,
  fault: CallFault | null,
  seen: Partial<FollowObserver> = {},
): Promise<void> {
  const done = new AbortController()
  const observer: FollowObserver = {
    ...IDLE_OBSERVER,
    ...seen,
    started: (from, state) => {
      seen.started?.(from, state)
      if (from.ledger >= ledger) done.abort()
    },
    stored: (to, rows, seconds) => {
      seen.stored?.(to, rows, seconds)
      if (to.ledger >= ledger) done.abort()
    },
  }
  await follow(
    {
      adapter,
      indexVersion: adapter.version,
      group: `${adapter.protocol}-v${adapter.version}`,
      network: NETWORK.name,
      partition: 0,
      firstLedger: FIRST_LEDGER,
      log: fault?.on(log, LOG_CALLS) ?? log,
      store: fault?.on(store, STORE_CALLS) ?? store,
      limits,
      observer,
      lost,
    },
    AbortSignal.any([done.signal, lost]),
  )
}
