// Finds where to continue: at the smallest ledger that any partition has, so that no partition ever gets a gap.
// A log that does not match the options is refused here, before anything is written.

import { counted, OrreryError } from '@orrery/errors'
import { controlTopic, type EventLog, type StartControl, sliceTopic } from '@orrery/event-log'
import type { Network, ProtocolId } from '@orrery/protocol-kit'
import type { ControlHistory } from './control-history.ts'
import { type ControlSnapshotWriter, ensureSnapshotTopic, readControl } from './control-snapshots.ts'
import type { LedgerFacts } from './ledger-facts.ts'
import { emptyPosition, readPosition } from './recover-log.ts'
import { type PartitionPosition, SliceBuilder } from './slice-builder.ts'

/** The network and partitions of an index. They never change for a log. */
export interface IndexFacts {
  readonly network: Network
  readonly partitions: Readonly<Partial<Record<ProtocolId, number>>>
}

export interface RecoveredLog {
  readonly control: ControlHistory
  /** Continues reading the control topic. */
  readonly follower: ControlSnapshotWriter
  /** By protocol and partition; null where a partition has no slice. */
  readonly partitions: readonly { readonly protocol: ProtocolId; readonly partition: number; readonly position: PartitionPosition | null }[]
}

export interface Resume {
  readonly start: StartControl
  /** The start record must be appended first: the log is new, or a protocol was added. */
  readonly isStartNew: boolean
  /** First ledger to read. */
  readonly nextLedger: number
  /** The ledger before `nextLedger`, or null when that is the first of the index. */
  readonly previous: LedgerFacts | null
  readonly builders: readonly SliceBuilder[]
}

/** @param snapshotAfterBytes Bytes of the control topic after which a snapshot of it is written. */
export async function recoverPositions(
  log: EventLog,
  { network, partitions }: IndexFacts,
  snapshotAfterBytes?: number,
): Promise<RecoveredLog> {
  const all = (Object.entries(partitions) as [ProtocolId, number][]).flatMap(([protocol, count]) =>
    Array.from({ length: count }, (_, partition) => ({ protocol, partition })),
  )
  // The start is checked before a partition is read: with another number of partitions there may be no such partition.
  const start = await readStart(log, network)
  if (start) checkStart(start, { network, partitions })
  const found = await Promise.all(
    all.map(async ({ protocol, partition }) => ({
      protocol,
      partition,
      position: await readPosition(log, { topic: sliceTopic(network.name, protocol), partition }),
    })),
  )
  const fromLedger = smallest(
    found.map((one) => one.position?.ledger ?? 0),
    0,
  )
  const { history, follower } = await readControl(log, network.name, { fromLedger, snapshotAfterBytes })
  return { control: history, follower, partitions: found }
}

async function readStart(log: EventLog, { name }: Pick<Network, 'name'>): Promise<StartControl | null> {
  await log.ensureTopic(controlTopic(name), { partitions: 1, retentionSeconds: null, retentionBytes: null })
  await ensureSnapshotTopic(log, name)
  return (await readControl(log, name, { fromLedger: Number.MAX_SAFE_INTEGER })).history.start
}

/** The partitions of each protocol that a log has. None of a new log. */
export async function partitionsInLog(log: EventLog, network: Pick<Network, 'name'>): Promise<IndexFacts['partitions']> {
  return (await readStart(log, network))?.partitions ?? {}
}

/** @throws OrreryError `corrupt`/`control_topic_lost` when the log has slices whose ledgers the control topic lacks. */
export function planResume({ network, partitions }: IndexFacts, { control, partitions: all }: RecoveredLog, firstLedger: number): Resume {
  const newest = Math.max(0, ...all.map(({ position }) => position?.ledger ?? 0))
  const start: StartControl = {
    kind: 'start',
    network: network.name,
    passphrase: network.passphrase,
    firstLedger,
    partitions: { ...control.start?.partitions, ...partitions },
  }
  const known = control.start?.partitions ?? {}
  const positions = all.map((one) => ({ ...one, position: one.position ?? emptyPosition(firstLedger) }))
  // Without a protocol there are no slices: only the control topic continues.
  const nextLedger =
    smallest(
      positions.map(({ position }) => position.ledger),
      Math.max(control.lastLedger, firstLedger - 1),
    ) + 1
  const previous = control.ledgers.get(nextLedger - 1) ?? null
  if (newest > control.lastLedger || (nextLedger > firstLedger && previous === null))
    throw controlTopicLost(network, newest, control.lastLedger)
  return {
    start,
    isStartNew: control.start === null || Object.keys(partitions).some((protocol) => !(protocol in known)),
    nextLedger,
    previous,
    builders: positions.map(({ protocol, partition, position }) => new SliceBuilder(network.name, protocol, partition, position)),
  }
}

function smallest(ledgers: readonly number[], otherwise: number): number {
  return ledgers.length === 0 ? otherwise : Math.min(...ledgers)
}

function checkStart(start: StartControl, { network, partitions }: IndexFacts): void {
  if (start.network !== network.name || start.passphrase !== network.passphrase) {
    throw refused(
      'wrong_network',
      `This log is of the network ${start.network} ("${start.passphrase}"), and the registry describes ${network.name} ("${network.passphrase}").`,
      'Give each network its own data folder.',
    )
  }
  for (const [protocol, requested] of Object.entries(partitions) as [ProtocolId, number][]) {
    const has = start.partitions[protocol]
    if (has === undefined || has === requested) continue
    throw refused(
      'topic_mismatch',
      `This log has ${counted(has, 'partition')} of ${protocol}, and the options set ${requested}.`,
      `Set ${has}, or index into a new data folder.`,
    )
  }
}

/** A first ledger that is given must be the log's. */
export function checkFirstLedger(start: StartControl, requested: number | undefined): void {
  if (requested === undefined || requested === start.firstLedger) return
  throw refused(
    'first_ledger_mismatch',
    `This log begins at ledger ${start.firstLedger}, and --from-ledger is ${requested}.`,
    'Omit --from-ledger to continue, or index into a new data folder.',
  )
}

function refused(code: string, what: string, way: string): OrreryError {
  return new OrreryError('invalid', code, `${what} Nothing was changed. ${way}`)
}

function controlTopicLost(network: Network, newest: number, known: number): OrreryError {
  const message = `The slices of ${network.name} reach ledger ${newest}, but the control topic has ledgers only up to ${known}: it was lost or truncated. The rows indexed so far are complete. Restore the topic ${controlTopic(network.name)}, or index into a new data folder.`
  return new OrreryError('corrupt', 'control_topic_lost', message, { context: { newest, known } })
}
