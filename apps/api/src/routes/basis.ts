// What an answer stands on: up to which ledger it holds, how its adapters are, and which versions it reads.
// Every handler starts here, so that one answer is of one ledger and says the same things about itself.

import type { Network, ProtocolId } from '@orrery/protocol-kit'
import { PROTOCOL_IDS } from '@orrery/protocol-kit'
import type { IndexTip, LedgerTime, QueryOptions, ReadModel } from '@orrery/read-model'
import { adapterHealth, firstIndexedLedger } from '@orrery/read-model/queries'
import type { AnswerFacts } from '../envelope.ts'
import { refuse } from '../errors.ts'
import type { IndexedSpan } from '../params/bucket-window.ts'
import { narrowLedger } from '../params/integer.ts'
import { type AdapterRecord, adapterRecords, type PartitionHealth } from '../present/adapter-status.ts'
import type { PriceUse } from '../present/price-use.ts'
import type { OwnState } from '../read-through/own-state.ts'
import type { RouteContext } from '../route.ts'

export interface Basis {
  readonly indexed: IndexedSpan
  /** Every adapter that the answer draws on is healthy. */
  readonly healthy: boolean
  /** The index begins after a deployment did: what nobody touched since, holders and pools alike, is not in it. */
  readonly beginsLate: boolean
  /** The protocols of which that is so. */
  readonly late: readonly ProtocolId[]
  /** Adapter versions, for the ETag. */
  readonly tag: readonly string[]
}

/** @throws 503 `unavailable` before the first ledger is whole. */
export async function basisOf(protocols: readonly ProtocolId[], context: RouteContext): Promise<Basis> {
  const { readModel } = context
  const [last, { first }, records, tag] = await Promise.all([
    readModel.watermark(protocols),
    indexFacts(context),
    adapterRecordsNow(context),
    versionTag(readModel),
  ])
  if (first === null || last.ledger < first.ledger) throw refuse('unavailable', 'No ledger is indexed yet. Try again in a few seconds.')
  const healthy = protocols.every((protocol) => records[protocol].status === 'healthy')
  const late = protocols.filter((protocol) => first.ledger > firstDeployedLedger(protocol, context.network))
  return { indexed: { first, last }, healthy, beginsLate: late.length > 0, late, tag }
}

/** First ledger of the protocol's oldest deployment; Infinity where the network has none. */
function firstDeployedLedger(protocol: ProtocolId, { deployments }: Network): number {
  return Math.min(...deployments[protocol].map(({ fromLedger }) => fromLedger))
}

/** The adapter records of all protocols at this moment. */
export async function adapterRecordsNow(context: RouteContext): Promise<Readonly<Record<ProtocolId, AdapterRecord>>> {
  const { partitions } = await indexFacts(context)
  const built = context.protocols.map((protocol) => protocol.id)
  return adapterRecords(partitions, built, context.clock.nowMs())
}

/** `soroswap@1`: what an answer would change with although no row does. */
export async function versionTag(readModel: ReadModel): Promise<string[]> {
  const { adapters } = await readModel.tip()
  return adapters.map(({ protocol, version }) => `${protocol}@${version}`)
}

/**
 * Everything of the index that an answer depends on, beside its question: how far each partition is, under which version, how the adapters
 * are, and where the index begins. Null before the first ledger.
 */
export async function indexState(context: RouteContext): Promise<string | null> {
  const [tip, { first }, records] = await Promise.all([context.readModel.tip(), indexFacts(context), adapterRecordsNow(context)])
  if (first === null) return null
  return JSON.stringify([tip.adapters, tip.ledgers, first, PROTOCOL_IDS.map((id) => records[id].status)])
}

/** What every answer asks and no answer changes. */
interface IndexFacts {
  readonly first: LedgerTime | null
  readonly partitions: readonly PartitionHealth[]
}

/** Read once for each tip: as fresh as the watermark, and no statement more for all who ask in between. */
const known = new WeakMap<IndexTip, Promise<IndexFacts>>()

async function indexFacts({ readModel, call: { tag } }: RouteContext): Promise<IndexFacts> {
  const tip = await readModel.tip()
  const remembered = known.get(tip)
  if (remembered !== undefined) return remembered
  // Without the signal: who asked first may leave, and the others still wait for it.
  const read = readIndexFacts(readModel, { tag })
  known.set(tip, read)
  read.catch(() => known.delete(tip)) // who asks next reads again; the failure itself is thrown to everybody who waits
  return read
}

async function readIndexFacts(readModel: ReadModel, options: QueryOptions): Promise<IndexFacts> {
  const [[first], partitions] = await Promise.all([
    readModel.query(firstIndexedLedger, {}, options),
    readModel.query(adapterHealth, {}, options),
  ])
  return { first: first === undefined ? null : { ledger: first.ledger, closeTimeSeconds: first.close_time_seconds }, partitions }
}

/** The whole index for an answer about the service itself: null before the first ledger. */
export async function wholeIndex(context: RouteContext): Promise<LedgerTime | null> {
  const [last, { first }] = await Promise.all([context.readModel.watermark(), indexFacts(context)])
  return first === null || last.ledger < first.ledger ? null : last
}

/** The protocols of a question: the one asked for, or all. */
export function protocolsAsked(protocol: ProtocolId | undefined): readonly ProtocolId[] {
  return protocol === undefined ? PROTOCOL_IDS : [protocol]
}

/** The moment that an answer is of. */
export interface AnswerLedger extends LedgerTime {
  /** The question asked for a ledger that is not indexed: the answer is from what is there. */
  readonly outside: boolean
}

/** The end of `asOfLedger`, or of the last indexed ledger. Before the first one nothing is known: close time 0. */
export async function answerLedger(asOfLedger: bigint | undefined, { indexed }: Basis, context: RouteContext): Promise<AnswerLedger> {
  if (asOfLedger === undefined) return { ...indexed.last, outside: false }
  const asked = narrowLedger(asOfLedger)
  if (asked >= indexed.last.ledger) return { ...indexed.last, outside: asked > indexed.last.ledger }
  const closeTimeSeconds = await context.readModel.closeTimeOf(asked, context.call)
  return { ledger: asked, closeTimeSeconds: closeTimeSeconds ?? 0, outside: asked < indexed.first.ledger }
}

/** The facts of an answer about the service itself. It draws on all adapters, and of one that is not healthy it cannot tell everything. */
export function serviceFacts(watermark: LedgerTime | null, isHealthy: boolean): AnswerFacts {
  return { watermark, oracleStalenessSeconds: 0, attributionConfidence: 1, partialResult: !isHealthy, sources: ['clickhouse'] }
}

/** The facts of an answer that came from stored rows and, where it used them, prices. */
export function factsOf(
  basis: Basis,
  about: { readonly partial: boolean; readonly confidence?: number; readonly prices?: PriceUse; readonly own?: OwnState },
): AnswerFacts {
  return {
    watermark: basis.indexed.last,
    oracleStalenessSeconds: about.prices?.oldestSeconds ?? 0,
    attributionConfidence: about.confidence ?? 1,
    partialResult: about.partial || !basis.healthy,
    sources: ['clickhouse', ...(about.prices?.sources ?? []), ...(about.own?.sources ?? [])],
  }
}
