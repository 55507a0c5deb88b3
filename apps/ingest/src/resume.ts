// Where to go on: from the smallest ledger that any partition has, so that no partition ever gets a hole.
// What cannot go on is refused here, before anything is written.

import { OrreryError } from '@orrery/errors'
import { controlTopic, type EventLog, sliceTopic } from '@orrery/event-log'
import type { Network, ProtocolId } from '@orrery/protocol-kit'
import type { LedgerFacts } from './ledger-facts.ts'
import { PartitionTeller, type Told } from './partition-teller.ts'
import { readTold, readToldControl, type StartFacts, type ToldControl, toldNothing } from './told-log.ts'

/** What the index is about. The same for as long as the log lives. */
export interface IndexFacts {
  readonly network: Network
  readonly partitions: Readonly<Partial<Record<ProtocolId, number>>>
}

export interface ToldEverywhere {
  readonly control: ToldControl
  /** Offset behind everything of the control topic that was certainly read. */
  readonly controlEnd: bigint
  /** By protocol and partition; null where a partition was told nothing. */
  readonly partitions: readonly { readonly protocol: ProtocolId; readonly partition: number; readonly told: Told | null }[]
}

export interface Resume {
  readonly start: StartFacts
  /** The start record must be told first: the log is new, or a protocol was added. */
  readonly isStartNew: boolean
  /** First ledger to read. */
  readonly nextLedger: number
  /** The ledger before `nextLedger`, or null when that is the first of the index. */
  readonly previous: LedgerFacts | null
  readonly tellers: readonly PartitionTeller[]
}

export async function readEverythingTold(log: EventLog, { network, partitions }: IndexFacts): Promise<ToldEverywhere> {
  const all = (Object.entries(partitions) as [ProtocolId, number][]).flatMap(([protocol, count]) =>
    Array.from({ length: count }, (_, partition) => ({ protocol, partition })),
  )
  await log.ensureTopic(controlTopic(network.name), { partitions: 1, retentionSeconds: null, retentionBytes: null })
  // The start is checked before a partition is read: with another number of partitions there may be no such partition.
  const controlEnd = await log.end({ topic: controlTopic(network.name), partition: 0 })
  const { start } = await readToldControl(log, network.name, Number.MAX_SAFE_INTEGER)
  if (start) checkStart(start, { network, partitions })
  const told = await Promise.all(
    all.map(async ({ protocol, partition }) => ({
      protocol,
      partition,
      told: await readTold(log, { topic: sliceTopic(network.name, protocol), partition }),
    })),
  )
  const fromLedger = smallest(
    told.map((one) => one.told?.ledger ?? 0),
    0,
  )
  return { control: await readToldControl(log, network.name, fromLedger), controlEnd, partitions: told }
}

/** @throws OrreryError `corrupt`/`control_topic_lost` when slices are there whose ledgers the control topic does not know. */
export function planResume({ network, partitions }: IndexFacts, { control, partitions: all }: ToldEverywhere, firstLedger: number): Resume {
  const newest = Math.max(0, ...all.map(({ told }) => told?.ledger ?? 0))
  const start: StartFacts = {
    kind: 'start',
    network: network.name,
    passphrase: network.passphrase,
    firstLedger,
    partitions: { ...control.start?.partitions, ...partitions },
  }
  const known = control.start?.partitions ?? {}
  const tolds = all.map((one) => ({ ...one, told: one.told ?? toldNothing(firstLedger) }))
  // Without a protocol there are no slices: the control topic alone goes on.
  const nextLedger =
    smallest(
      tolds.map(({ told }) => told.ledger),
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
    tellers: tolds.map(({ protocol, partition, told }) => new PartitionTeller(network.name, protocol, partition, told)),
  }
}

function smallest(ledgers: readonly number[], otherwise: number): number {
  return ledgers.length === 0 ? otherwise : Math.min(...ledgers)
}

function checkStart(start: StartFacts, { network, partitions }: IndexFacts): void {
  if (start.network !== network.name || start.passphrase !== network.passphrase) {
    throw refused(
      'wrong_network',
      `This log is of the network ${start.network} ("${start.passphrase}"), and the registry describes ${network.name} ("${network.passphrase}").`,
      'Give each network its own data folder.',
    )
  }
  for (const [protocol, asked] of Object.entries(partitions) as [ProtocolId, number][]) {
    const has = start.partitions[protocol]
    if (has === undefined || has === asked) continue
    throw refused(
      'topic_mismatch',
      `This log was begun with ${has} partitions of ${protocol}, and ${asked} were asked for.`,
      `Ask for ${has}, or index into a new data folder.`,
    )
  }
}

/** The first ledger that was asked for must be the log's. */
export function checkFirstLedger(start: StartFacts, asked: number | undefined): void {
  if (asked === undefined || asked === start.firstLedger) return
  throw refused(
    'first_ledger_mismatch',
    `This log begins at ledger ${start.firstLedger}, and ${asked} was asked for.`,
    'Leave --from-ledger out to go on, or index into a new data folder.',
  )
}

function refused(code: string, what: string, way: string): OrreryError {
  return new OrreryError('invalid', code, `${what} Nothing was changed. ${way}`)
}

function controlTopicLost(network: Network, newest: number, known: number): OrreryError {
  const message = `The slices of ${network.name} reach ledger ${newest}, but the control topic knows ledgers only up to ${known}: it was lost or cut. The rows indexed so far are whole. Restore the topic ${controlTopic(network.name)}, or index into a new data folder.`
  return new OrreryError('corrupt', 'control_topic_lost', message, { context: { newest, known } })
}
