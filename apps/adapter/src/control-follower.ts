// Follows the control topic: stores its ledgers, and has the newest one and whether the source has ended.
// One follower serves all adapters of a process. A restart reads again from the last record that was stored, so that the end of the source is
// known after a restart as well.

import { OrreryError } from '@orrery/errors'
import {
  type ControlSnapshot,
  controlTopic,
  decodeControl,
  type EventLog,
  type LogPartition,
  readControlSnapshot,
  type SourceTipControl,
  type StartControl,
  summarizeControl,
} from '@orrery/event-log'
import type { Network, ProtocolId, RegistryHistory } from '@orrery/protocol-kit'
import type { ControlFact, LedgerRow, Store } from '@orrery/read-model'
import { yieldToEventLoop } from '@orrery/service-kit'
import { CONTROL_LIMITS } from './catch-up-limits.ts'
import { addRegistry, readRegistry } from './followed-registry.ts'
import { type BatchLimits, WriteBehind } from './write-behind.ts'

export interface ControlFollower {
  /** The start record: network, first ledger and partitions of this log. */
  readonly start: StartControl
  /** Newest ledger of the control topic, and its close time in Unix seconds. 0 before the first. */
  readonly seen: { readonly ledger: number; readonly closeTimeSeconds: number }
  /** Last ledger of the source when it has ended and the log has everything up to it, else null. */
  readonly sourceEnd: number | null
  /** The last tip of a live source that ingest recorded; null when there is none, or the source has ended. */
  readonly sourceTip: SourceTip | null
  /** Newest ledger that is stored. */
  readonly storedLedger: number
  /** The registry as of each ledger, from the control topic. Versions are added while it is followed. */
  readonly registry: RegistryHistory
  /** Null when the registry of `ledger` is certain; else resolves when the control topic was read up to it, or `signal` aborts. */
  registryKnown(ledger: number, signal: AbortSignal): Promise<void> | null
  /** Resolves when every registry that the control topic holds now is in `registry`, or `signal` aborts. */
  registryRead(signal: AbortSignal): Promise<void>
  /** Resolves when the ledgers up to `ledger` are stored; rejects when following ends before. */
  reached(ledger: number): Promise<void>
  /** Like `reached`, and also waits until the control topic has the end or a tip of the source at or after `ledger`. */
  atTip(ledger: number): Promise<void>
  /** Called after anything above changed, until the function that it returns is called. */
  onChange(listener: () => void): () => void
  /** Resolves after `stop`, rejects when following failed. */
  readonly finished: Promise<void>
  /** Stores everything that was read, then settles like `finished`. */
  stop(): Promise<void>
}

export interface ControlFollowerOptions {
  /** Only the name and the passphrase of the registry file are used. */
  readonly network: Network
  /** The protocols that will be followed. Following begins when a start record names all of them. */
  readonly protocols: readonly ProtocolId[]
  readonly log: EventLog
  readonly store: Store
  readonly limits?: BatchLimits
  /** Called once when the log records no registry, because an ingest of an older build wrote it: following then waits for a newer ingest. */
  readonly onUnrecorded?: () => void
  readonly signal: AbortSignal
}

type SourceTip = Omit<SourceTipControl, 'kind'>

interface ControlBatch {
  readonly facts: readonly ControlFact[]
  readonly ledgers: readonly LedgerRow[]
  readonly offset: bigint
}

/**
 * Waits for ingest's start record and for the registry, then follows.
 * @throws OrreryError `invalid`/`wrong_network` when the log is of another network, and the errors of `readRegistry`.
 */
export async function startControlFollower(options: ControlFollowerOptions): Promise<ControlFollower> {
  const { log, store, network } = options
  const source: LogPartition = { topic: controlTopic(network.name), partition: 0 }
  const snapshot = await readControlSnapshot(log, network.name)
  const start = await readStart(options, source, snapshot)
  const followed = await readRegistry({ ...options, snapshot }, options.signal)
  const from = await store.ledgersCheckpoint()
  const offset = await placeInLog(options, source, from)

  const stopping = new AbortController()
  const listeners = new Set<() => void>()
  let seen = { ledger: 0, closeTimeSeconds: 0 }
  let sourceEnd: number | null = null
  let sourceTip: SourceTip | null = null
  let wasAtTip = false
  let storedLedger = from?.ledger ?? 0
  /** Offset up to which registries are known. */
  let readTo = followed.readTo
  const notify = (): void => {
    for (const listener of listeners) listener()
  }

  const behind = new WriteBehind<ControlBatch>(
    async (batch) => {
      const ledgers = batch.flatMap((entry) => entry.ledgers)
      // Before the ledgers that they apply to: a reader that sees a ledger sees its registry.
      await store.writeControlFacts(batch.flatMap((entry) => entry.facts))
      // The stored offset is that of a record with a ledger: a restart checks the log by that ledger.
      const last = batch.findLast((entry) => entry.ledgers.length > 0)
      if (last === undefined) return notify()
      await store.writeLedgers(ledgers, last.offset)
      storedLedger = Math.max(storedLedger, ledgers.at(-1)?.ledger ?? 0)
      notify()
    },
    options.limits ?? CONTROL_LIMITS,
    () => stopping.abort(),
    () => !wasAtTip,
  )

  const run = async (): Promise<void> => {
    const giveWay = yieldToEventLoop()
    try {
      for await (const records of log.read(source, offset, AbortSignal.any([options.signal, stopping.signal]))) {
        for (const record of records) {
          const ledgers: LedgerRow[] = []
          const facts: ControlFact[] = []
          for (const control of decodeControl(record.value)) {
            if (control.kind === 'ledger' && control.ledger > seen.ledger) {
              seen = { ledger: control.ledger, closeTimeSeconds: control.closeTimeSeconds }
              sourceEnd = null
              ledgers.push({ ledger: control.ledger, closeTimeSeconds: control.closeTimeSeconds, hash: control.hash })
            } else if (control.kind === 'registry') {
              if (record.offset > readTo) addRegistry(followed.history, control)
              // Readers must not see a registry that folds ignore.
              const counts = followed.history.versions.some(({ fromLedger }) => fromLedger === control.ledger)
              if (counts) facts.push({ kind: 'registry', ledger: control.ledger, value: control.document })
            } else if (control.kind === 'protocol') {
              facts.push({ kind: 'protocol', ledger: control.ledger, value: String(control.version) })
            } else if (control.kind === 'source_end' && control.ledger >= seen.ledger) {
              sourceEnd = control.ledger
              sourceTip = null
            } else if (control.kind === 'source_tip') {
              sourceEnd = null
              sourceTip = control
            }
          }
          if (ledgers.length + facts.length > 0) await behind.add({ facts, ledgers, offset: record.offset }, ledgers.length + facts.length)
          if (record.offset > readTo) readTo = record.offset
          await giveWay()
        }
        wasAtTip ||= seen.ledger > 0 && (sourceEnd ?? sourceTip?.ledger ?? Number.POSITIVE_INFINITY) <= seen.ledger
        notify()
      }
    } catch (error) {
      await behind.abandon()
      throw error
    }
    await behind.drain()
  }
  const finished = run()
  finished.catch(() => notify())

  const until = async (ledger: number, isTrue: () => boolean): Promise<void> => {
    const reached = Promise.withResolvers<void>()
    const check = (): void => {
      if (isTrue()) reached.resolve()
    }
    listeners.add(check)
    check()
    await Promise.race([reached.promise, finished]).finally(() => listeners.delete(check))
    if (!isTrue()) throw new OrreryError('unavailable', 'stopped', `Stopped before ledger ${ledger} was stored.`)
  }

  /** Does not settle when following fails: the process then ends, which aborts the signal. */
  const changed = (isTrue: () => boolean, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!isTrue() && !signal.aborted) return
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
 * Offset of the record that was stored last. A log without that ledger there is another one (written again into a new folder, or restored)
 * and is read from its beginning: otherwise ledgers would be missing without an error.
 */
async function placeInLog(
  { log, signal }: ControlFollowerOptions,
  source: LogPartition,
  from: { readonly ledger: number; readonly offset: bigint } | null,
): Promise<bigint> {
  if (from === null || from.offset >= (await log.end(source))) return 0n
  for await (const [record] of log.read(source, from.offset, signal)) {
    if (record === undefined) return 0n
    const { kinds, lastLedger } = summarizeControl(record.value)
    // The end of a source names a ledger as well. Read from there, the newest ledger would stay unknown.
    return kinds.has('ledger') && lastLedger === from.ledger ? from.offset : 0n
  }
  return 0n
}

/** Whether the log, as it is now, has the start record and the registry that `startControlFollower` waits for. */
export async function hasStartRecords(options: Omit<ControlFollowerOptions, 'store' | 'limits' | 'onUnrecorded'>): Promise<boolean> {
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

async function readStart(
  { log, network, protocols, signal }: ControlFollowerOptions,
  source: LogPartition,
  snapshot: ControlSnapshot | null,
): Promise<StartControl> {
  const known = (snapshot?.records ?? []).find((record) => record.kind === 'start')
  if (known !== undefined && namesAll(known, protocols)) return ofNetwork(known, network)
  for await (const records of log.read(source, snapshot?.offset ?? 0n, signal)) {
    for (const { value } of records) {
      for (const start of startsIn(value)) {
        if (namesAll(ofNetwork(start, network), protocols)) return start
      }
    }
  }
  throw new OrreryError(
    'unavailable',
    'log_not_started',
    `Stopped before ingest had written the start record of ${protocols.join(', ')}. Nothing was changed. Start ingest for this log as well.`,
  )
}

function startsIn(value: Uint8Array): StartControl[] {
  return summarizeControl(value).kinds.has('start') ? decodeControl(value).filter((control) => control.kind === 'start') : []
}

/** A protocol that was added to an index has a later start record. The first record that names all requested protocols is used. */
function namesAll(start: StartControl, protocols: readonly ProtocolId[]): boolean {
  return protocols.every((protocol) => start.partitions[protocol] !== undefined)
}

/** @throws OrreryError `invalid`/`wrong_network`. */
function ofNetwork(start: StartControl, { passphrase }: Network): StartControl {
  if (start.passphrase === passphrase) return start
  throw new OrreryError(
    'invalid',
    'wrong_network',
    `The log is of the network "${start.passphrase}", but the registry describes "${passphrase}". Nothing was changed. Give each network its own log.`,
  )
}
