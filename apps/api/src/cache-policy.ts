// What a client may cache. A tag covers everything that the data of an answer depends on. It does not cover server time and staleness,
// so tags are weak.

import { createHash } from 'node:crypto'
import { isPartial } from './envelope.ts'
import { keyText } from './key-text.ts'
import type { Answer, Format, Route } from './route.ts'

const FINAL = 'private, max-age=3600'
const MOVING = 'private, max-age=1'

export interface CacheHeaders {
  readonly 'cache-control': string
  readonly etag?: string
}

export function cacheHeaders(
  route: Route,
  given: { readonly params: Readonly<Record<string, unknown>>; readonly query: Readonly<Record<string, unknown>> },
  answer: Pick<Answer<unknown>, 'facts' | 'asOfLedger' | 'tag'>,
  format: Format = 'json',
): CacheHeaders {
  if (route.cache === 'no-store') return { 'cache-control': 'no-store' }
  const { watermark, warnings } = answer.facts
  const parts = [route.path, given.params, given.query, watermark?.ledger ?? null, warnings, answer.tag, format]
  const digest = createHash('sha256').update(keyText(parts)).digest('base64url')
  // 128 bits: a collision of two answers is practically impossible.
  return { etag: `W/"${digest.slice(0, 22)}"`, 'cache-control': isFinal(answer) ? FINAL : MOVING }
}

/** As of an indexed ledger, with nothing missing: no later ledger changes the answer. */
function isFinal({ asOfLedger, facts }: Pick<Answer<unknown>, 'facts' | 'asOfLedger'>): boolean {
  return asOfLedger !== undefined && facts.watermark !== null && asOfLedger <= facts.watermark.ledger && !isPartial(facts)
}
