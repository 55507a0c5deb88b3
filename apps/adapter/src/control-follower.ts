// Follows the control topic: stores the ledgers that ingest tells, knows the newest one, and whether the source has ended.
// One follower serves all adapters of a process. Its mark in the log is the last record it stored, which is read again at a restart:
// so a follower that was told the end of the source knows it after a restart, too.

import { OrreryError } from '@orrery/errors'
import {
  controlTopic,
  decodeControl,
  type EventLog,
  type LogPartition,
  type SourceTipControl,
  type StartControl,
  summarizeControl,
} from '@orrery/event-log'
import type { Network, ProtocolId, RegistryHistory } from '@orrery/protocol-kit'
import type { ControlFact, LedgerRow, Store } from '@orrery/read-model'
import { yieldToEventLoop } from '@orrery/service-kit'
import { CATCH_UP_LIMITS } from './catch-up-limits.ts'
import { learnRegistry, readRegistry } from './followed-registry.ts'
import { type BatchLimits, WriteBehind } from './write-behind.ts'

export interface ControlFollower {
  /** What ingest said first: what this log is about. */
  readonly start: StartControl
  /** Newest ledger told, and its close time in unix seconds. 0 before the first. */
  readonly seen: { readonly ledger: number; readonly closeTimeSeconds: number }
  /** Last ledger of the source when it has one and everything up to it was told, else null. */
  readonly sourceEnd: number | null
  /** What ingest said last of the tip of a source that goes on; null when it said nothing, or the source has ended. */
  readonly sourceTip: SourceTip | null
  /** Newest ledger that is stored. */
  readonly storedLedger: number
  /** The registry as of each ledger, as the control topic says it. It grows. */
  readonly registry: RegistryHistory
  /** Null when the registry of `ledger` is certain; else resolves when the control topic was read up to it, or `signal` aborts. */
  registryKnown(ledger: number, signal: AbortSignal): Promise<void> | null
  /** Resolves when every registry that the control topic holds now is in `registry`, or `signal` aborts. */
  registryRead(signal: AbortSignal): Promise<void>
  /** Resolves when the ledgers up to `ledger` are stored; rejects when following ends before. */
  reached(ledger: number): Promise<void>
  /** The same, and what the source has was told as well: that these are its last ones, or its tip. */
  atTip(ledger: number): Promise<void>
  /** Called after anything above changed, until the function that it returns is called. */
  onChange(listener: () => void): () => void
  /** Resolves after `stop`, rejects when following failed. */
  readonly finished: Promise<void>
  /** Stores what was told, then ends like `finished`. */
  stop(): Promise<void>
}

export interface ControlFollowerOptions {
  /** Of the registry file only the name and the passphrase count. */
  readonly network: Network
  /** The protocols that will be followed: the start of each must have been told. */
  readonly protocols: readonly ProtocolId[]
  readonly log: EventLog
  readonly store: Store
  readonly limits?: BatchLimits
  /** Called once when the log records no registry, because an ingest of an older build wrote it: following waits for a newer ingest then. */
  readonly onUnrecorded?: () => void
  readonly signal: AbortSignal
}

type SourceTip = Omit<SourceTipControl, 'kind'>

interface Told {
  readonly facts: readonly ControlFact[]
  readonly ledgers: readonly LedgerRow[]
  readonly offset: bigint
}

/**
 * Waits for ingest's start record and for the registry, then follows.
 * @throws OrreryError `invalid`/`wrong_network` when the log is of another network, and those of `readRegistry`.
 */
export async function startControlFollower(options: ControlFollowerOptions): Promise<ControlFollower> {
  const { log, store, network } = options
  const source: LogPartition = { topic: controlTopic(network.name), partition: 0 }
  const start = await readStart(options, source)
  const followed = await readRegistry(options, options.signal)
  const from = await store.ledgersCheckpoint()
  const offset = await placeInLog(options, source, from)

  const stopping = new AbortController()
  const listeners = new Set<() => void>()
  let seen = { ledger: 0, closeTimeSeconds: 0 }
  let sourceEnd: number | null = null
  let sourceTip: SourceTip | null = null
  let storedLedger = from?.ledger ?? 0
  /** Offset up to which registries are known. */
  let readTo = followed.readTo
  const tell = (): void => {
    for (const listener of listeners) listener()
  }

  const behind = new WriteBehind<Told>(
    async (batch) => {
      const ledgers = batch.flatMap((told) => told.ledgers)
      // Before the ledgers that they count for: a reader that sees a ledger sees its registry.
      await store.writeControlFacts(batch.flatMap((told) => told.facts))
      // Its mark is a record with a ledger: a restart knows it again by that.
      const last = batch.findLast((told) => told.ledgers.length > 0)
      if (last === undefined) return tell()
      await store.writeLedgers(ledgers, last.offset)
      storedLedger = Math.max(storedLedger, ledgers.at(-1)?.ledger ?? 0)
      tell()
    },
    options.limits ?? CATCH_UP_LIMITS,
    () => stopping.abort(),
  )

  const run = async (): Promise<void> => {
    const giveWay = yieldToEventLoop()
    try {
      for await (const records of log.read(source, offset, AbortSignal.any([options.signal, stopping.signal]))) {
        for (const record of records) {
          const ledgers: LedgerRow[] = []
          const facts: ControlFact[] = []
          for (const told of decodeControl(record.value)) {
            if (told.kind === 'ledger' && told.ledger > seen.ledger) {
              seen = { ledger: told.ledger, closeTimeSeconds: told.closeTimeSeconds }
              sourceEnd = null
              ledgers.push({ ledger: told.ledger, closeTimeSeconds: told.closeTimeSeconds, hash: told.hash })
            } else if (told.kind === 'registry') {
              if (record.offset > readTo) learnRegistry(followed.history, told)
              // One that folds pass over is none for readers either.
              const counts = followed.history.versions.some(({ fromLedger }) => fromLedger === told.ledger)
              if (counts) facts.push({ kind: 'registry', ledger: told.ledger, value: told.document })
            } else if (told.kind === 'protocol') {
              facts.push({ kind: 'protocol', ledger: told.ledger, value: String(told.version) })
            } else if (told.kind === 'source_end' && told.ledger >= seen.ledger) {
              sourceEnd = told.ledger
              sourceTip = null
            } else if (told.kind === 'source_tip') {
              sourceEnd = null
              sourceTip = told
            }
          }
          if (ledgers.length + facts.length > 0) await behind.add({ facts, ledgers, offset: record.offset }, ledgers.length + facts.length)
          if (record.offset > readTo) readTo = record.offset
          await giveWay()
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

  const until = async (ledger: number, isSo: () => boolean): Promise<void> => {
    const news = Promise.withResolvers<void>()
    const check = (): void => {
      if (isSo()) news.resolve()
    }
    listeners.add(check)
    check()
    await Promise.race([news.promise, finished]).finally(() => listeners.delete(check))
    if (!isSo()) throw new OrreryError('unavailable', 'stopped', `Stopped before ledger ${ledger} was stored.`)
  }

  /** Pending while following has failed: the process then ends, which aborts the signal. */
  const changed = (isSo: () => boolean, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!isSo() && !signal.aborted) return
        listeners.delete(check)
        signal.removeEventListener('abort', check)
        resolve()
      }
      listeners.add(check)
      signal.addEventListener('abort', check)
      check()
    })

  return {
    start,
    finished,
    get seen() {
      return seen
    },
    get sourceEnd() {
      return sourceEnd
    },
    get sourceTip() {
      return sourceTip
    },
    get storedLedger() {
      return storedLedger
    },
    registry: followed.history,
    registryKnown(ledger, signal) {
      if (ledger <= Math.max(followed.certainTo, seen.ledger)) return null
      return changed(() => seen.ledger >= ledger, signal)
    },
    async registryRead(signal) {
      const last = await log.last(source)
      if (last !== null) await changed(() => readTo >= last.offset, signal)
    },
    reached: (ledger) => until(ledger, () => storedLedger >= ledger),
    atTip: (ledger) => until(ledger, () => storedLedger >= ledger && (sourceEnd ?? sourceTip?.ledger ?? 0) >= ledger),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async stop() {
      stopping.abort()
      await finished
    },
  }
}

/**
 * Offset of the record that was stored last. A log that does not hold its ledger there is another one (told again into a new folder, or
 * restored) and is read from its beginning: else ledgers would be missing, and nobody would notice.
 */
async function placeInLog(
  { log, signal }: ControlFollowerOptions,
  source: LogPartition,
  from: { readonly ledger: number; readonly offset: bigint } | null,
): Promise<bigint> {
  if (from === null || from.offset >= (await log.end(source))) return 0n
  for await (const [record] of log.read(source, from.offset, signal)) {
    const isTheOne = record !== undefined && summarizeControl(record.value).lastLedger === from.ledger
    return isTheOne ? from.offset : 0n
  }
  return 0n
}

/** Whether the log, as it is now, has the start record and the registry that `startControlFollower` waits for. */
export async function hasFirstWord(options: Omit<ControlFollowerOptions, 'store' | 'limits' | 'onUnrecorded'>): Promise<boolean> {
  const { log, network, protocols, signal } = options
  const source: LogPartition = { topic: controlTopic(network.name), partition: 0 }
  const last = await log.last(source)
  if (last === null) return false
  let [isStarted, isRecorded] = [false, false]
  for await (const records of log.read(source, 0n, signal)) {
    for (const { value } of records) {
      isStarted ||= startsIn(value).some((start) => namesAll(start, protocols))
      isRecorded ||= summarizeControl(value).kinds.has('registry')
    }
    if (isStarted && isRecorded) return true
    if (records.some(({ offset }) => offset >= last.offset)) return false
  }
  return false
}

async function readStart({ log, network, protocols, signal }: ControlFollowerOptions, source: LogPartition): Promise<StartControl> {
  for await (const records of log.read(source, 0n, signal)) {
    for (const { value } of records) {
      for (const start of startsIn(value)) {
        if (start.passphrase !== network.passphrase) throw wrongNetwork(start.passphrase, network.passphrase)
        if (namesAll(start, protocols)) return start
      }
    }
  }
  throw new OrreryError(
    'unavailable',
    'log_not_started',
    `Stopped before ingest had told the start of ${protocols.join(', ')}. Nothing was changed. Start ingest for this log as well.`,
  )
}

function startsIn(value: Uint8Array): StartControl[] {
  return summarizeControl(value).kinds.has('start') ? decodeControl(value).filter((told) => told.kind === 'start') : []
}

/** A protocol that was added to a running index has a later start record of its own: the first one that names all asked for is the one. */
function namesAll(start: StartControl, protocols: readonly ProtocolId[]): boolean {
  return protocols.every((protocol) => start.partitions[protocol] !== undefined)
}

function wrongNetwork(held: string, asked: string): OrreryError {
  return new OrreryError(
    'invalid',
    'wrong_network',
    `The log holds the network "${held}", but the registry says "${asked}". Nothing was changed. Give each network its own log.`,
  )
}
