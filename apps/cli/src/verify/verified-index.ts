// The index that is verified, opened: its log, its database, its registry, and how far each partition is.

import { hasStartRecords, type PartitionReach, partitionReach, readRegistry } from '@orrery/adapter'
import { OrreryError } from '@orrery/errors'
import { type EventLog, sliceTopic } from '@orrery/event-log'
import type { Network, Protocol, RegistryHistory } from '@orrery/protocol-kit'
import { protocolsOf } from '@orrery/protocols'
import { type ClickHouseAddress, completeLedgerOf, openClickHouse, openReadModel, openStore, type Store } from '@orrery/read-model'
import { readStart } from './read-start.ts'

export interface IndexAddresses {
  readonly network: Network
  /** Those that the network was read with. Default: all of this build. */
  readonly protocols?: readonly Protocol<unknown>[] | undefined
  readonly log: EventLog
  /** Of a user that may create databases beside the verified one, and write into that one. */
  readonly clickhouse: ClickHouseAddress
}

export interface VerifiedPartition {
  readonly protocol: Protocol<unknown>
  /** The index version that readers see: its rows are compared. */
  readonly version: number
  readonly partition: number
  /** The stored checkpoint; null when there is none. */
  readonly checkpoint: { readonly ledger: number; readonly rollingHash: string } | null
  readonly reach: PartitionReach
}

export interface VerifiedIndex {
  readonly network: Network
  readonly log: EventLog
  readonly clickhouse: ClickHouseAddress
  readonly store: Store
  readonly registry: RegistryHistory
  readonly firstLedger: number
  /** The ledgers to compare. */
  readonly from: number
  readonly to: number
  readonly partitions: readonly VerifiedPartition[]
}

/**
 * Reads how far the index is, and limits the range to it: rows of the last ledger are whole only when the next ledger is folded, because a fold
 * may infer them, so that ledger is compared only where the log ends with it.
 * @throws OrreryError `invalid`/`verify_range_empty`, `version_differs`; `unavailable`/`log_not_started`.
 */
export async function openVerifiedIndex(
  { network, protocols: listed, log, clickhouse }: IndexAddresses,
  range: { readonly from?: number | undefined; readonly to?: number | undefined; readonly mayBeEmpty?: boolean },
  stack: AsyncDisposableStack,
): Promise<VerifiedIndex> {
  if (range.from !== undefined && range.to !== undefined && range.from > range.to) throw reversedRange(range.from, range.to)
  const protocols = protocolsOf(network, listed)
  const signal = new AbortController().signal
  if (!(await hasStartRecords({ log, network, protocols: protocols.map(({ id }) => id), signal }))) throw notStarted()
  const { history: registry } = await readRegistry({ log, network, snapshot: null }, signal)
  const { firstLedger, partitions: counts } = await readStart(log, network.name)
  const store = stack.use(openStore(openClickHouse(clickhouse)))
  await using readModel = openReadModel(openClickHouse(clickhouse))
  // Also of quarantined partitions: behind their checkpoints rows are not missing but not folded yet.
  const { ledger: complete } = completeLedgerOf(await readModel.tip())

  const from = Math.max(range.from ?? firstLedger, firstLedger)
  const partitions: VerifiedPartition[] = []
  for (const protocol of protocols) {
    const version = await versionOf(protocol, registry, store)
    for (let partition = 0; partition < (counts[protocol.id] ?? 0); partition++) {
      const checkpoint = await store.checkpoint({ protocol: protocol.id, partition }, version)
      const at = { topic: sliceTopic(network.name, protocol.id), partition }
      const reach = await partitionReach(log, at, { firstLedger, from, checkpoint: checkpoint?.ledger ?? firstLedger - 1 })
      partitions.push({ protocol, version, partition, checkpoint, reach })
    }
  }
  const stored = Math.min(complete, ...partitions.map(({ reach }) => reach.ledger))
  const isEnd = partitions.every(
    ({ reach, checkpoint }) => reach.gap === null && reach.ledger === stored && (checkpoint?.ledger ?? 0) <= stored,
  )
  const to = Math.min(range.to ?? stored, isEnd ? stored : stored - 1)
  if (from > to && range.mayBeEmpty !== true && partitions.every(({ reach }) => reach.gap === null))
    throw emptyRange(from, range.to, stored)
  return { network, log, clickhouse, store, registry, firstLedger, from, to, partitions }
}

/** @throws OrreryError `invalid`/`version_differs` where another adapter version wrote the rows that readers see. */
async function versionOf(protocol: Protocol<unknown>, registry: RegistryHistory, store: Store): Promise<number> {
  const { version: own } = protocol.adapter(registry.newest.network)
  const active = (await store.indexVersions(protocol.id)).find(({ isActive }) => isActive)
  if (active === undefined) return 1 // nothing is stored: every row is missing
  if (active.adapterVersion !== own) throw otherVersion(protocol.id, active.adapterVersion, own)
  return active.indexVersion
}

function notStarted(): OrreryError {
  return new OrreryError(
    'unavailable',
    'log_not_started',
    'The event log holds no index of this network yet. Nothing was compared. Index it first, or name its log.',
  )
}

function otherVersion(protocol: string, stored: number, own: number): OrreryError {
  return new OrreryError(
    'invalid',
    'version_differs',
    `Readers see rows of ${protocol} version ${stored}, and this build folds version ${own}. Nothing was compared. Verify with the build that wrote them, or activate version ${own} first.`,
    { context: { protocol, stored, own } },
  )
}

function reversedRange(from: number, to: number): OrreryError {
  const message = `The range ends before it begins: --from ${from} is after --to ${to}. Nothing was compared. Name the first ledger with --from and the last with --to.`
  return new OrreryError('invalid', 'verify_range_empty', message, { context: { from, to } })
}

function emptyRange(from: number, to: number | undefined, stored: number): OrreryError {
  return new OrreryError(
    'invalid',
    'verify_range_empty',
    `There is no complete ledger from ${from}${to === undefined ? '' : ` to ${to}`}: the index is complete up to ledger ${stored}. Nothing was compared. Choose ledgers up to it.`,
    { context: { from, stored } },
  )
}
