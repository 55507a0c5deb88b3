// Answers that were computed once and are still right. An answer is a function of its question and of the state of the index: both are in
// its key, so what is found under a key is never stale. Who asks is in it, too, so that nobody learns from an answer's speed what others ask.
// What changes without the index (server time, staleness) is not kept: `meta` is computed from the facts each time.

import { createHash } from 'node:crypto'
import type { Logger, Metrics } from '@orrery/service-kit'
import type { AnswerFacts } from '../envelope.ts'
import type { Answer, Route, RouteContext } from '../route.ts'
import type { AnswerStore } from './answer-store.ts'

/** An answer whose large members are texts already, as they go over the wire. */
export interface WrittenAnswer {
  readonly data: string
  readonly enrichment: string
  readonly facts: AnswerFacts
  readonly asOfLedger?: number | undefined
  readonly tag: readonly string[]
}

export interface Question {
  readonly route: Route
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly organizationId: string
}

export interface ResponseCache {
  /** What is kept for the question, else what `work` gives. Trouble of the store is a miss. */
  answer(question: Question, context: RouteContext, work: () => Promise<Answer<unknown>>): Promise<WrittenAnswer>
  /** Whether its store can be asked. Never rejects. */
  answers(): Promise<boolean>
}

export interface ResponseCacheOptions {
  readonly store: AnswerStore
  /** Names the index and the release: others may use the same store. */
  readonly scope: string
  /** Everything of the index that an answer depends on, as text. Null when nothing is indexed, and nothing is kept then. */
  readonly stateOf: (context: RouteContext) => Promise<string | null>
  readonly metrics: Metrics
  readonly logger: Logger
}

export function openResponseCache({ store, scope, stateOf, metrics, logger }: ResponseCacheOptions): ResponseCache {
  const failed = (err: unknown): null => {
    metrics.apiCache.inc({ outcome: 'failed' })
    logger.debug({ err }, 'Could not ask the response cache: the answer was computed')
    return null
  }
  return {
    async answer(question, context, work) {
      const state = question.route.cached ? await stateOf(context) : null
      if (state === null) return written(await work())
      const key = keyOf(question, scope, state)
      // Parsed in here: a text that was cut or altered is trouble of the store as well.
      const kept = await store.get(key).then(answerOf).catch(failed)
      if (kept !== null) {
        metrics.apiCache.inc({ outcome: 'hit' })
        return kept
      }
      metrics.apiCache.inc({ outcome: 'miss' })
      const computed = await work()
      const answer = written(computed)
      // While it was computed the index may have moved on: then nobody knows of which of the two states it is.
      if (computed.cached !== false && (await stateOf(context)) === state) await store.set(key, JSON.stringify(answer)).catch(failed)
      return answer
    },
    answers: () => store.answers(),
  }
}

/** For servers that compute every answer. */
export const noResponseCache: ResponseCache = {
  answer: async (_question, _context, work) => written(await work()),
  answers: async () => true,
}

function written({ data, enrichment, facts, asOfLedger, tag }: Answer<unknown>): WrittenAnswer {
  return { data: JSON.stringify(data), enrichment: JSON.stringify(enrichment), facts, tag, ...(asOfLedger !== undefined && { asOfLedger }) }
}

function answerOf(text: string | null): WrittenAnswer | null {
  return text === null ? null : (JSON.parse(text) as WrittenAnswer)
}

function keyOf({ route, params, query, organizationId }: Question, scope: string, state: string): string {
  const parts = [scope, organizationId, route.path, params, query, state]
  const text = JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
  return createHash('sha256').update(text).digest('base64url')
}
