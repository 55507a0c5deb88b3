// A cache of answers. An answer is a function of its request and of the state of the index: both are in the key, so a cached answer is never
// stale. The organization is in the key, too, so that response times do not reveal the requests of other organizations.
// Values that change without the index (server time, staleness) are not cached: `meta` is computed from the facts each time.

import { createHash } from 'node:crypto'
import type { Logger, Metrics } from '@orrery/service-kit'
import { keyText } from '../key-text.ts'
import type { Answer, Format, Route, RouteContext } from '../route.ts'
import type { AnswerStore } from './answer-store.ts'
import { type WrittenAnswer, writeJson } from './written-answer.ts'

export interface Question {
  readonly route: Route
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly organizationId: string
  /** Default: JSON. Answers of two formats are kept apart. */
  readonly format?: Format
  /** Writes an answer in that format. Default: as JSON. */
  readonly write?: (answer: Answer<unknown>) => Promise<WrittenAnswer>
}

export interface ResponseCache {
  /** The cached answer to the request, else the result of `work`. An error of the store counts as a miss. */
  answer(question: Question, context: RouteContext, work: () => Promise<Answer<unknown>>): Promise<WrittenAnswer>
  /** Whether its store responds. Never rejects. */
  answers(): Promise<boolean>
}

export interface ResponseCacheOptions {
  readonly store: AnswerStore
  /** Identifies the index and the release: several of them may use the same store. */
  readonly scope: string
  /** The state of the index that an answer depends on, as text. Null if nothing is indexed; nothing is cached then. */
  readonly stateOf: (context: RouteContext) => Promise<string | null>
  readonly metrics: Metrics
  readonly logger: Logger
}

export function openResponseCache({ store, scope, stateOf, metrics, logger }: ResponseCacheOptions): ResponseCache {
  const failed = (err: unknown): null => {
    metrics.apiCache.inc({ outcome: 'failed' })
    logger.debug({ err }, 'The response cache failed: the answer was computed')
    return null
  }
  return {
    async answer(question, context, work) {
      const { write = writeJson } = question
      const state = question.route.cached ? await stateOf(context) : null
      if (state === null) return write(await work())
      const key = keyOf(question, scope, state)
      const kept = await store.get(key).catch(failed)
      if (kept !== null) {
        metrics.apiCache.inc({ outcome: 'hit' })
        return kept
      }
      metrics.apiCache.inc({ outcome: 'miss' })
      const computed = await work()
      const answer = await write(computed)
      // If the index changed during the computation, the answer may belong to either state, so it is not cached.
      if (computed.cached !== false && (await stateOf(context)) === state) await store.set(key, answer).catch(failed)
      return answer
    },
    answers: () => store.answers(),
  }
}

/** A cache that stores nothing. */
export const noResponseCache: ResponseCache = {
  answer: async ({ write = writeJson }, _context, work) => write(await work()),
  answers: async () => true,
}

function keyOf({ route, params, query, organizationId, format = 'json' }: Question, scope: string, state: string): string {
  const parts = [scope, organizationId, format, route.path, params, query]
  // JSON ends by itself, so the state needs no mark before it.
  return createHash('sha256').update(keyText(parts)).update(state).digest('base64url')
}
