// The buckets of a request, for its cost.

import { OrreryError } from '@orrery/errors'
import { bucketsOf, type IndexedSpan, MAX_POINTS } from '../params/bucket-window.ts'
import { type HistoryQuery, readHistoryQuery } from '../params/history-query.ts'
import type { Load } from '../request-cost.ts'
import type { RouteContext } from '../route.ts'
import { wholeIndex } from './basis.ts'
import { indexFacts } from './index-facts.ts'

/**
 * `bucketsIn` returns the buckets of the request in the indexed range; a window that begins with the first value of an account begins with the
 * index here, because the account has not been read yet. Too many count as the most that are possible: the handler refuses them, if that is right.
 */
export async function bucketLoad(context: RouteContext, bucketsIn: (indexed: IndexedSpan) => number): Promise<Load> {
  const [last, { first }] = await Promise.all([wholeIndex(context), indexFacts(context)])
  if (last === null || first === null) return {}
  try {
    return { buckets: bucketsIn({ first, last }) }
  } catch (error) {
    if (error instanceof OrreryError && error.code === 'too_many_points') return { buckets: MAX_POINTS }
    throw error
  }
}

/** The buckets of a history. */
export function historyLoad(query: HistoryQuery, context: RouteContext): Promise<Load> {
  return bucketLoad(context, (indexed) => bucketsOf(readHistoryQuery(query, indexed, indexed.first.closeTimeSeconds).window))
}
