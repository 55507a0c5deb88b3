// What an answer stands on: up to which ledger it holds, how its adapters are, and which versions it reads.
// Every handler starts here, so that one answer is of one ledger and says the same things about itself.

import type { Network, ProtocolId } from '@orrery/protocol-kit'
import { PROTOCOL_IDS } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import type { AnswerFacts } from '../envelope.ts'
import { refuse } from '../errors.ts'
import type { IndexedSpan } from '../params/bucket-window.ts'
import { narrowLedger } from '../params/integer.ts'
import { type AdapterRecord, adapterRecords } from '../present/adapter-status.ts'
import type { PriceUse } from '../present/price-use.ts'
import type { OwnState } from '../read-through/own-state.ts'
import { contextAt } from '../readers/registry-as-of.ts'
import type { RouteContext } from '../route.ts'
import type { Warning } from '../warnings.ts'
import { indexFacts } from './index-facts.ts'
import { adapterUnhealthy } from './warn.ts'

export interface Basis {
  readonly indexed: IndexedSpan
  /** Every adapter that the answer draws on is healthy. */
  readonly healthy: boolean
  /** The index begins after a deployment did: what nobody touched since, holders and pools alike, is not in it. */
  readonly beginsLate: boolean
  /** The protocols of which that is so. */
  readonly late: readonly ProtocolId[]
  /** Adapter versions and the first registry, for the ETag. */
  readonly tag: readonly string[]
}

/** @throws 503 `unavailable` before the first ledger is whole. */
export async function basisOf(protocols: readonly ProtocolId[], context: RouteContext): Promise<Basis> {
  const { readModel } = context
  const [last, { first }, records, tag] = await Promise.all([
    readModel.watermark(protocols),
    indexFacts(context),
    adapterRecordsNow(context),
    indexTag(context),
  ])
  if (first === null || last.ledger < first.ledger) throw refuse('unavailable', 'No ledger is indexed yet. Try again in a few seconds.')
  const healthy = protocols.every((protocol) => records[protocol].status === 'healthy')
  // Deployments never change, so the registry as of any ledger says it; the process's own file may be another one.
  const { network } = await contextAt(context, first.ledger)
  const late = protocols.filter((protocol) => first.ledger > firstDeployedLedger(protocol, network))
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

/**
 * What an answer would change with although no row does: adapter versions as `soroswap@1`, and `registry@1000000`, the ledger of the first
 * recorded registry. Later ones count from a later ledger on and change no earlier answer; before the first, the process's own file counts.
 */
export async function indexTag(context: RouteContext): Promise<string[]> {
  const [{ adapters }, { facts }] = await Promise.all([context.readModel.tip(), indexFacts(context)])
  const registry = facts.find(({ kind }) => kind === 'registry')
  return [
    ...adapters.map(({ protocol, version }) => `${protocol}@${version}`),
    ...(registry === undefined ? [] : [`registry@${registry.ledger}`]),
  ]
}

/**
 * Everything of the index that an answer depends on, beside its question: how far each partition is, under which version, how the adapters
 * are, where the index begins, and from which ledgers on registries count. Null before the first ledger.
 */
export async function indexState(context: RouteContext): Promise<string | null> {
  const [tip, { first, facts }, records] = await Promise.all([context.readModel.tip(), indexFacts(context), adapterRecordsNow(context)])
  if (first === null) return null
  const registries = facts.flatMap(({ kind, ledger }) => (kind === 'registry' ? [ledger] : []))
  return JSON.stringify([tip.adapters, tip.ledgers, first, PROTOCOL_IDS.map((id) => records[id].status), registries])
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
  const warnings = isHealthy ? [] : [adapterUnhealthy()]
  return { watermark, oracleStalenessSeconds: 0, attributionConfidence: 1, partialResult: !isHealthy, sources: ['clickhouse'], warnings }
}

/** The facts of an answer that came from stored rows and, where it used them, prices. */
export function factsOf(
  basis: Basis,
  about: {
    /** Something is missing that no warning names yet. */
    readonly partial: boolean
    readonly confidence?: number
    readonly prices?: PriceUse
    readonly own?: OwnState
    readonly warnings?: readonly Warning[]
  },
): AnswerFacts {
  return {
    watermark: basis.indexed.last,
    oracleStalenessSeconds: about.prices?.oldestSeconds ?? 0,
    attributionConfidence: about.confidence ?? 1,
    partialResult: about.partial || !basis.healthy,
    sources: ['clickhouse', ...(about.prices?.sources ?? []), ...(about.own?.sources ?? [])],
    warnings: [...(basis.healthy ? [] : [adapterUnhealthy()]), ...(about.warnings ?? [])],
  }
}
