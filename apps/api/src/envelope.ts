// The three members of every answer: `data`, `enrichment`, `meta`; and the envelope of errors with the same keys of `meta`, all null.
// Schemas here describe the JSON (snake_case); the OpenAPI document and the tests' validation are made from them.

import { CONTRACT_STATUSES } from '@orrery/protocol-kit'
import type { Clock } from '@orrery/service-kit'
import { z } from 'zod'
import { API_ERRORS, type ApiErrorCode, errorDocsPath } from './errors.ts'
import { DECIMALS } from './present/amount.ts'
import { hasPartial, Warning } from './warnings.ts'

/** One asset named in `data`. */
export const AssetEnrichment = z
  .strictObject({
    symbol: z.string().describe('Symbol of the token; "" if unknown.'),
    decimals: z.int().nonnegative().nullable().describe(DECIMALS),
    tags: z.array(z.string()).describe('Any of: stablecoin, native, classic, soroban, lp_share, reward.'),
    price_usd: z
      .string()
      .nullable()
      .describe('USD price of one token at the ledger of the answer, at most 8 fractional digits. Null without a price.'),
    price_source: z
      .string()
      .nullable()
      .describe('Where the price comes from: `oracle:<contract id>` or `pool:<contract id>`. Null without a price.'),
    price_observed_at: z
      .string()
      .nullable()
      .meta({ format: 'date-time' })
      .describe('When the source observed the price, UTC. Null without a price.'),
  })
  .meta({ id: 'Asset' })

/** One contract named in `data`. */
export const ContractEnrichment = z
  .strictObject({
    name: z.string().describe('Name of the contract; "" if unknown.'),
    protocol: z.string().describe('Protocol id, or "" for a contract that belongs to none, such as an oracle.'),
    position_types: z.array(z.string()).describe('Any of: supply, collateral, liability, backstop, lp, vault.'),
    status: z.enum(CONTRACT_STATUSES).describe('Status of the contract; `active` where contracts of its kind have none.'),
    version: z.string().describe('Version of the contract as the protocol names it; "" if unknown.'),
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
    .describe(
      'How certain it is that the rows used belong to the account, from 0 to 1; the smallest of all rows. 1: the contract itself names the account.',
    ),
  data_staleness_seconds: z.int().describe('Current time minus the close time of `last_indexed_ledger`, in seconds.'),
  last_indexed_ledger: z.int().nonnegative().describe('The answer includes all ledgers up to this one.'),
  oracle_staleness_seconds: z
    .int()
    .describe('Age in seconds, at the ledger of the answer, of the oldest price used. 0 if no price was used.'),
  partial_result: z.boolean().describe('True if something that belongs in the answer is missing, such as a price or a position.'),
  response_time_ms: z.int().nonnegative().describe('Server time in milliseconds, up to the serialisation of the answer.'),
  sources: z.array(z.string()).describe('Any of: clickhouse, soroban_rpc, ledger_archive, `oracle:<contract id>`.'),
  warnings: z
    .array(Warning)
    .describe('What is missing from the answer, and what qualifies a value in it. Empty if there is nothing to report.'),
}

export const Meta = z.strictObject(metaShape).meta({ id: 'Meta' })

/** Nullable, with the same description. */
function orNull<Schema extends z.ZodType>(schema: Schema): z.ZodNullable<Schema> {
  return schema.nullable().describe(`${schema.description} Null if unknown.`)
}

/** The same keys, null if unknown: for errors, and for routes that answer before anything is indexed. */
export const SparseMeta = z
  .strictObject({
    attribution_confidence: orNull(metaShape.attribution_confidence),
    data_staleness_seconds: orNull(metaShape.data_staleness_seconds),
    last_indexed_ledger: orNull(metaShape.last_indexed_ledger),
    oracle_staleness_seconds: orNull(metaShape.oracle_staleness_seconds),
    partial_result: orNull(metaShape.partial_result),
    response_time_ms: orNull(metaShape.response_time_ms),
    sources: orNull(metaShape.sources),
    warnings: metaShape.warnings,
  })
  .meta({ id: 'SparseMeta' })
export type SparseMeta = z.input<typeof SparseMeta>

export const ErrorEnvelope = z
  .strictObject({
    error: z
      .strictObject({
        code: z.enum(Object.keys(API_ERRORS) as ApiErrorCode[]).describe('A closed list; a code never changes its meaning.'),
        message: z.string().describe('What is wrong, the rule, and what to do instead. For people; programs should use `code`.'),
        docs: z.string().describe('Path of the page that explains the code, on this host: `/docs/errors/<code>`. It needs no key.'),
      })
      .describe('What is wrong.'),
    meta: SparseMeta,
  })
  .meta({ id: 'Error' })
export type ErrorEnvelope = z.input<typeof ErrorEnvelope>

/** A ledger up to which something is complete, and its close time. */
export interface Watermark {
  readonly ledger: number
  /** Unix seconds. */
  readonly closeTimeSeconds: number
}

/** The part of `meta` that a handler knows. The rest is measured. */
export interface AnswerFacts {
  /** Smallest over the partitions and protocols that the answer reads. Null only if nothing is indexed and the route may answer then. */
  readonly watermark: Watermark | null
  /** Age, at the answer's ledger, of the oldest price used; 0 if none was used. */
  readonly oracleStalenessSeconds: number
  /** 0 to 1. 1 when no row was used. */
  readonly attributionConfidence: number
  /** In any order, repeats allowed: the envelope sorts them. */
  readonly sources: readonly string[]
  /** In the order of the answer. One with a partial code makes the answer partial. */
  readonly warnings: readonly Warning[]
}

/** Whether something that belongs in the answer is missing. */
export function isPartial({ warnings }: Pick<AnswerFacts, 'warnings'>): boolean {
  return hasPartial(warnings)
}

/** `meta` of a success. `nowMs` from the Clock gives the staleness, `elapsedMs` is monotonic. */
export function metaOf(facts: AnswerFacts, clock: Clock, elapsedMs: number): SparseMeta {
  const { watermark } = facts
  return {
    attribution_confidence: facts.attributionConfidence,
    // A close time may be slightly ahead of our clock; a negative age would confuse clients.
    data_staleness_seconds: watermark === null ? null : Math.max(0, Math.floor(clock.nowMs() / 1000) - watermark.closeTimeSeconds),
    last_indexed_ledger: watermark === null ? null : watermark.ledger,
    oracle_staleness_seconds: facts.oracleStalenessSeconds,
    partial_result: isPartial(facts),
    response_time_ms: Math.round(elapsedMs),
    sources: [...new Set(facts.sources)].sort(),
    warnings: [...facts.warnings],
  }
}

/** The envelope of an error: all members of `meta` are there, and only the server time is known. */
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
