// The basis of an answer: up to which ledger it is complete, the status of the adapters, and the versions that it reads.
// Every handler starts with it, so that an answer is of one ledger and its `meta` is consistent.

import { deploymentsOf, type Network, type ProtocolId } from '@orrery/protocol-kit'
import { type ControlFact, type IndexTip, type LedgerTime, type PartitionHealth, quarantinesOf } from '@orrery/read-model'
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
import { adapterUnhealthy, readThrough, stalePriceUse } from './warn.ts'

export interface Basis {
  readonly indexed: IndexedSpan
  /** Every adapter that the answer depends on is healthy. */
  readonly healthy: boolean
  /** The index begins after a deployment: it lacks positions and pools that have not changed since. */
  readonly beginsLate: boolean
  /** The protocols whose index begins after their deployment. */
  readonly late: readonly ProtocolId[]
  /** Adapter versions and the first registry, for the ETag. */
  readonly tag: readonly string[]
}

/** @throws 503 `unavailable` before the first ledger is complete. */
export async function basisOf(protocols: readonly ProtocolId[], context: RouteContext): Promise<Basis> {
  const { readModel } = context
  const [last, { first }, records, tag] = await Promise.all([
    readModel.watermark(protocols),
    indexFacts(context),
    adapterRecordsNow(context),
    indexTag(context),
  ])
  if (first === null || last.ledger < first.ledger) throw refuse('unavailable', 'No ledger is indexed yet. Try again in a few seconds.')
  const healthy = protocols.every((protocol) => records[protocol]?.status === 'healthy')
  // Deployments never change, so the registry as of any ledger has them; the registry file of this process may differ.
  const { network } = await contextAt(context, first.ledger)
  const late = protocols.filter((protocol) => first.ledger > firstDeployedLedger(protocol, network))
  return { indexed: { first, last }, healthy, beginsLate: late.length > 0, late, tag }
}

/** First ledger of the protocol's oldest deployment; Infinity if the network has none. */
function firstDeployedLedger(protocol: ProtocolId, network: Network): number {
  return Math.min(...deploymentsOf(network, protocol).map(({ fromLedger }) => fromLedger))
}

/** The adapter records of all protocols at this moment. */
export async function adapterRecordsNow(
  context: Pick<RouteContext, 'clock' | 'protocols' | 'readModel' | 'shipped' | 'call'>,
): Promise<Readonly<Record<ProtocolId, AdapterRecord>>> {
  const { partitions } = await indexFacts(context)
  const { shipped, protocols } = context
  const tenth = Math.floor(context.clock.nowMs() / 100)
  const known = recordsOf.get(partitions)
  if (known?.tenth === tenth && known.shipped === shipped && known.protocols === protocols) return known.records
  const idsOf = (of: readonly { readonly id: ProtocolId }[]) => of.map(({ id }) => id)
  const records = adapterRecords(partitions, idsOf(shipped), idsOf(protocols), context.clock.nowMs())
  recordsOf.set(partitions, { tenth, shipped, protocols, records })
  return records
}

type Records = Readonly<Record<ProtocolId, AdapterRecord>>

/** Those of the present tenth of a second, by the reports that they are made of: every answer needs them, also a kept one. */
const recordsOf = new WeakMap<
  readonly PartitionHealth[],
  Pick<RouteContext, 'shipped' | 'protocols'> & { readonly tenth: number; readonly records: Records }
>()

/**
 * Values that can change an answer without a change of rows: adapter versions as `soroswap@1`, quarantined partitions as `soroswap/2@1000100`, the
 * ledger of their checkpoint, and `registry@1000000`, the ledger of the first recorded registry. Later registries apply from a later ledger on and change no earlier answer; before the first, the file of this process applies.
 */
export async function indexTag(context: RouteContext): Promise<string[]> {
  const [tip, { facts }] = await Promise.all([context.readModel.tip(), indexFacts(context)])
  const registry = facts.find(({ kind }) => kind === 'registry')
  return [
    ...tip.adapters.map(({ protocol, version }) => `${protocol}@${version}`),
    ...quarantinesOf(tip).map(({ protocol, partition, ledger }) => `${protocol}/${partition}@${ledger}`),
    ...(registry === undefined ? [] : [`registry@${registry.ledger}`]),
  ]
}

/**
 * Everything of the index that an answer depends on: the checkpoint and version of each partition, the status of the adapters, the first
 * ledger, and the ledgers from which registries apply. Null before the first ledger.
 */
export async function indexState(context: RouteContext): Promise<string | null> {
  const [tip, { first, facts }, records] = await Promise.all([context.readModel.tip(), indexFacts(context), adapterRecordsNow(context)])
  if (first === null) return null
  const known = states.get(records)
  if (known?.tip === tip && known.facts === facts) return known.state
  const registries = facts.flatMap(({ kind, ledger }) => (kind === 'registry' ? [ledger] : []))
  const state = JSON.stringify([tip.adapters, tip.ledgers, first, context.shipped.map(({ id }) => records[id]?.status), registries])
  states.set(records, { tip, facts, state })
  return state
}

/** By the records that are part of it. */
const states = new WeakMap<Records, { readonly tip: IndexTip; readonly facts: readonly ControlFact[]; readonly state: string }>()

/** The watermark over all protocols, for an answer about the service itself. Null before the first ledger. */
export async function wholeIndex(context: RouteContext): Promise<LedgerTime | null> {
  const [last, { first }] = await Promise.all([context.readModel.watermark(), indexFacts(context)])
  return first === null || last.ledger < first.ledger ? null : last
}

/** The protocols of a request: the given one, or all. */
export function protocolsAsked(protocol: ProtocolId | undefined, { shipped }: RouteContext): readonly ProtocolId[] {
  return protocol === undefined ? shipped.map(({ id }) => id) : [protocol]
}

/** The ledger that an answer is as of. */
export interface AnswerLedger extends LedgerTime {
  /** The requested ledger is not indexed: the answer uses the nearest indexed state. */
  readonly outside: boolean
}

/** The end of `asOfLedger`, or of the last indexed ledger. Close time 0 before the first indexed ledger. */
export async function answerLedger(asOfLedger: bigint | undefined, { indexed }: Basis, context: RouteContext): Promise<AnswerLedger> {
  if (asOfLedger === undefined) return { ...indexed.last, outside: false }
  const asked = narrowLedger(asOfLedger)
  if (asked >= indexed.last.ledger) return { ...indexed.last, outside: asked > indexed.last.ledger }
  const closeTimeSeconds = await context.readModel.closeTimeOf(asked, context.call)
  return { ledger: asked, closeTimeSeconds: closeTimeSeconds ?? 0, outside: asked < indexed.first.ledger }
}

/** The facts of an answer about the service itself. It depends on all adapters, so it is partial unless all are healthy. */
export function serviceFacts(watermark: LedgerTime | null, isHealthy: boolean): AnswerFacts {
  const warnings = isHealthy ? [] : [adapterUnhealthy()]
  return { watermark, oracleStalenessSeconds: 0, attributionConfidence: 1, sources: ['clickhouse'], warnings }
}

/** The facts of an answer from stored rows and prices. */
export function factsOf(
  basis: Basis,
  about: {
    readonly confidence?: number
    readonly prices?: PriceUse
    readonly own?: OwnState
    /** Those of the adapters, of old prices and of reads from an RPC are added. */
    readonly warnings: readonly Warning[]
  },
): AnswerFacts {
  return {
    watermark: basis.indexed.last,
    oracleStalenessSeconds: about.prices?.oldestSeconds ?? 0,
    attributionConfidence: about.confidence ?? 1,
    sources: ['clickhouse', ...(about.prices?.sources ?? []), ...(about.own?.sources ?? [])],
    warnings: [
      ...(basis.healthy ? [] : [adapterUnhealthy()]),
      ...about.warnings,
      ...(about.own === undefined ? [] : readThrough(about.own)),
      ...(about.warnings.some(({ code }) => code === 'stale_price') ? [] : stalePriceUse(about.prices)),
    ],
  }
}
