// Follows the control topic: stores the ledgers that ingest tells, knows the newest one, and whether the source has ended.
// One follower serves all adapters of a process. Its mark in the log is the last record it stored, which is read again at a restart:
// so a follower that was told the end of the source knows it after a restart, too.

import { OrreryError } from '@orrery/errors'
import { type ControlRecord, controlTopic, decodeControl, type EventLog, type LogPartition } from '@orrery/event-log'
import type { LedgerRow, Store } from '@orrery/read-model'
import { Turn } from './turn.ts'
import { type BatchLimits, WriteBehind } from './write-behind.ts'

/** What ingest said first: what this log is about. */
export type LogStart = Extract<ControlRecord, { kind: 'start' }>

export interface ControlFollower {
  readonly start: LogStart
  /** Newest ledger told, and its close time in unix seconds. 0 before the first. */
  readonly seen: { readonly ledger: number; readonly closeTimeSeconds: number }
  /** Last ledger of the source when it has one and everything up to it was told, else null. */
  readonly sourceEnd: number | null
  /** Newest ledger that is stored. */
  readonly storedLedger: number
  /** Called after anything above changed. */
  onChange(listener: () => void): void
  /** Resolves after `stop`, rejects when following failed. */
  readonly finished: Promise<void>
  stop(): Promise<void>
}

export interface ControlFollowerOptions {
  readonly network: { readonly name: string; readonly passphrase: string }
  readonly log: EventLog
  readonly store: Store
  readonly limits: BatchLimits
  readonly signal: AbortSignal
}

interface Told {
  readonly ledgers: readonly LedgerRow[]
  readonly offset: bigint
}

/**
 * Waits for ingest's first word, then follows.
 * @throws OrreryError `invalid`/`wrong_network` when the log is of another network.
 */
export async function startControlFollower(options: ControlFollowerOptions): Promise<ControlFollower> {
  const { log, store, network } = options
  const source: LogPartition = { topic: controlTopic(network.name), partition: 0 }
  const start = await readStart(log, source, network, options.signal)
  const from = await store.ledgersCheckpoint()

  const stopping = new AbortController()
  const listeners: (() => void)[] = []
  let seen = { ledger: 0, closeTimeSeconds: 0 }
  let sourceEnd: number | null = null
  let storedLedger = from?.ledger ?? 0
  const tell = (): void => {
    for (const listener of listeners) listener()
  }

  const behind = new WriteBehind<Told>(
    async (batch) => {
      const ledgers = batch.flatMap((told) => told.ledgers)
      const last = batch.at(-1)
      if (last === undefined) return
      await store.writeLedgers(ledgers, last.offset)
      storedLedger = Math.max(storedLedger, ledgers.at(-1)?.ledger ?? 0)
      tell()
    },
    options.limits,
    () => stopping.abort(),
  )

  const run = async (): Promise<void> => {
    const turn = new Turn()
    try {
      for await (const records of log.read(source, from?.offset ?? 0n, AbortSignal.any([options.signal, stopping.signal]))) {
        for (const record of records) {
          const ledgers: LedgerRow[] = []
          for (const told of decodeControl(record.value)) {
            if (told.kind === 'ledger' && told.ledger > seen.ledger) {
              seen = { ledger: told.ledger, closeTimeSeconds: told.closeTimeSeconds }
              sourceEnd = null
              ledgers.push({ ledger: told.ledger, closeTimeSeconds: told.closeTimeSeconds, hash: told.hash })
            } else if (told.kind === 'source_end' && told.ledger >= seen.ledger) {
              sourceEnd = told.ledger
            }
          }
          if (ledgers.length > 0) await behind.add({ ledgers, offset: record.offset }, ledgers.length)
          await turn.pause()
        }
        tell()
      }
    } catch (error) {
      await behind.abandon()
      throw error
    }
    await behind.drain()
  }
  const finished = run()
  finished.catch(() => tell())

  return {
    start,
    finished,
    get seen() {
      return seen
    },
    get sourceEnd() {
      return sourceEnd
    },
    get storedLedger() {
      return storedLedger
    },
    onChange: (listener) => void listeners.push(listener),
    async stop() {
      stopping.abort()
      await finished.catch(() => undefined) // told through `finished`
    },
  }
}

async function readStart(
  log: EventLog,
  source: LogPartition,
  network: ControlFollowerOptions['network'],
  signal: AbortSignal,
): Promise<LogStart> {
  for await (const records of log.read(source, 0n, signal)) {
    for (const record of records) {
      for (const told of decodeControl(record.value)) {
        if (told.kind !== 'start') continue
        if (told.passphrase === network.passphrase) return told
        throw new OrreryError(
          'invalid',
          'wrong_network',
          `The log holds the network "${told.passphrase}", but the registry says "${network.passphrase}". Nothing was changed. Give each network its own log.`,
        )
      }
    }
  }
  throw new OrreryError(
    'unavailable',
    'log_not_started',
    'The adapter was stopped before ingest had told the first ledger. Start ingest, then the adapter.',
  )
}
