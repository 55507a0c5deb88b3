// The three members of every answer: `data`, `enrichment`, `meta`; and the envelope of errors with the same meta keys, all null.
// Schemas here are the wire (snake_case); the OpenAPI document and the tests' validation are made from them.

import type { Clock } from '@orrery/service-kit'
import { z } from 'zod'
import { API_ERRORS, type ApiErrorCode, errorDocsPath } from './errors.ts'
import { hasPartial, Warning } from './warnings.ts'

/** One asset named in `data`. */
export const AssetEnrichment = z
  .strictObject({
    symbol: z.string(),
    decimals: z.int().nonnegative().nullable().describe("Null when the token's decimals are unknown; amounts are raw then."),
    tags: z.array(z.string()).describe('Of: stablecoin, native, classic, soroban, lp_share, reward.'),
    price_usd: z
      .string()
      .nullable()
      .describe('USD for one whole unit at the answer’s ledger, at most 8 fractional digits; null without a price.'),
    price_source: z.string().nullable().describe('`oracle:<contract id>`, `pool:<contract id>` or null.'),
    price_observed_at: z
      .string()
      .nullable()
      .meta({ format: 'date-time' })
      .describe('When the source says that the price was true, UTC; null without a price.'),
  })
  .meta({ id: 'Asset' })

/** One contract named in `data`. */
export const ContractEnrichment = z
  .strictObject({
    name: z.string(),
    protocol: z.string().describe('Protocol id, or "" for a contract that belongs to none, such as an oracle.'),
    position_types: z.array(z.string()).describe('Of: supply, collateral, liability, backstop, lp, vault.'),
    status: z.string().describe('One of: active, on_ice, frozen, setup, paused, retired.'),
    version: z.string(),
  })
  .meta({ id: 'Contract' })

export const Enrichment = z
  .strictObject({
    assets: z.record(z.string(), AssetEnrichment).describe('Every asset named in `data`, by asset id.'),
    contracts: z.record(z.string(), ContractEnrichment).describe('Every contract named in `data`, by address.'),
  })
  .meta({ id: 'Enrichment' })
export type Enrichment = z.input<typeof Enrichment>

export const NO_ENRICHMENT: Enrichment = { assets: {}, contracts: {} }

const metaShape = {
  attribution_confidence: z
    .number()
    .min(0)
    .max(1)
    .describe('Smallest confidence of the rows used; 1: the contract itself names the account.'),
  data_staleness_seconds: z.int().describe('Now minus the close time of `last_indexed_ledger`.'),
  last_indexed_ledger: z.int().nonnegative().describe('Everything up to this ledger is in the answer.'),
  oracle_staleness_seconds: z.int().describe('Age, at the answer’s ledger, of the oldest price used; 0 if none was used.'),
  partial_result: z.boolean().describe('True when something that belongs in the answer is missing.'),
  response_time_ms: z.int().nonnegative().describe('Server time up to serialisation.'),
  sources: z.array(z.string()).describe('Of: clickhouse, soroban_rpc, ledger_archive, `oracle:<contract id>`.'),
  warnings: z
    .array(Warning)
    .describe('What is missing from the answer, and what qualifies a value in it. Empty when there is nothing to report.'),
}

export const Meta = z.strictObject(metaShape).meta({ id: 'Meta' })

/** The same keys, null where unknown: of errors, and of the one route that answers before anything is indexed (health). */
export const SparseMeta = z
  .strictObject({
    attribution_confidence: metaShape.attribution_confidence.nullable(),
    data_staleness_seconds: metaShape.data_staleness_seconds.nullable(),
    last_indexed_ledger: metaShape.last_indexed_ledger.nullable(),
    oracle_staleness_seconds: metaShape.oracle_staleness_seconds.nullable(),
    partial_result: metaShape.partial_result.nullable(),
    response_time_ms: metaShape.response_time_ms.nullable(),
    sources: metaShape.sources.nullable(),
    warnings: metaShape.warnings,
  })
  .meta({ id: 'SparseMeta' })
export type SparseMeta = z.input<typeof SparseMeta>

export const ErrorEnvelope = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(API_ERRORS) as ApiErrorCode[]),
      message: z.string().describe('What is wrong, the rule, and what to do instead.'),
      docs: z.string().describe('Path of the page that explains the code, on this host: `/docs/errors/<code>`. It needs no key.'),
    }),
    meta: SparseMeta,
  })
  .meta({ id: 'Error' })
export type ErrorEnvelope = z.input<typeof ErrorEnvelope>

/** A ledger up to which something is whole, and its close time. */
export interface Watermark {
  readonly ledger: number
  /** Unix seconds. */
  readonly closeTimeSeconds: number
}

/** What a handler knows of its answer. The rest of `meta` is measured. */
export interface AnswerFacts {
  /** Smallest over the partitions and protocols that the answer draws on. Null only where nothing is indexed and the route says it may answer then. */
  readonly watermark: Watermark | null
  /** Age, at the answer's ledger, of the oldest price used; 0 if none was used. */
  readonly oracleStalenessSeconds: number
  /** 0 to 1. 1 when no row was used. */
  readonly attributionConfidence: number
  readonly partialResult: boolean
  /** In any order, repeats allowed: the envelope sorts them. */
  readonly sources: readonly string[]
  /** In the order of the answer. A partial code makes the answer partial, whatever `partialResult` is. Default: none. */
  readonly warnings?: readonly Warning[]
}

/** Whether something that belongs in the answer is missing. */
export function isPartial({ partialResult, warnings = [] }: Pick<AnswerFacts, 'partialResult' | 'warnings'>): boolean {
  return partialResult || hasPartial(warnings)
}

/** `meta` of a success. `nowMs` from the Clock gives the staleness, `elapsedMs` is monotonic. */
export function metaOf(facts: AnswerFacts, clock: Clock, elapsedMs: number): SparseMeta {
  const { watermark } = facts
  return {
    attribution_confidence: facts.attributionConfidence,
    // A close time may lie a little ahead of our clock; an answer from the future would help nobody.
    data_staleness_seconds: watermark === null ? null : Math.max(0, Math.floor(clock.nowMs() / 1000) - watermark.closeTimeSeconds),
    last_indexed_ledger: watermark === null ? null : watermark.ledger,
    oracle_staleness_seconds: facts.oracleStalenessSeconds,
    partial_result: isPartial(facts),
    response_time_ms: Math.round(elapsedMs),
    sources: [...new Set(facts.sources)].sort(),
    warnings: [...(facts.warnings ?? [])],
  }
}

/** The envelope of a refusal: the same keys, and only the server time is known. */
export function errorEnvelope(code: ApiErrorCode, message: string, elapsedMs: number): ErrorEnvelope {
  return {
    error: { code, message, docs: errorDocsPath(code) },
    meta: {
      attribution_confidence: null,
      data_staleness_seconds: null,
      last_indexed_ledger: null,
      oracle_staleness_seconds: null,
      partial_result: null,
      response_time_ms: Math.round(elapsedMs),
      sources: null,
      warnings: [],
    },
  }
}
