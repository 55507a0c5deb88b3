import { describe, expect, it } from 'vitest'
import { cacheHeaders } from './cache-policy.ts'
import { metaOf } from './envelope.ts'
import { echo, toyAnswer, toyFacts } from './testing/toy-routes.ts'
import { WARNINGS, type Warning, type WarningCode } from './warnings.ts'

const codes = Object.keys(WARNINGS) as WarningCode[]
const warning = (code: WarningCode, path: string | null = null): Warning => ({ code, message: 'A sentence.', path })
const metaWith = (warnings: readonly Warning[]) => metaOf(toyFacts({ warnings }), { nowMs: () => 0 }, 0)

describe('warnings in meta', () => {
  it('an answer without any has an empty list and is not partial', () => {
    expect(metaOf(toyFacts(), { nowMs: () => 0 }, 0)).toMatchObject({ warnings: [], partial_result: false })
  })

  it.each(codes)('%s alone decides whether the answer is partial', (code) => {
    const qualifies = ['stale_price', 'read_through', 'given_prices'].includes(code)
    expect(metaWith([warning(code)])).toMatchObject({ warnings: [{ code, path: null }], partial_result: !qualifies })
  })

  it('are part of what the ETag covers, with their paths', () => {
    const tagOf = (warnings: readonly Warning[]) =>
      cacheHeaders(echo, { params: {}, query: {} }, toyAnswer(null, { facts: toyFacts({ warnings }) })).etag
    const tags = [[], [warning('stale_price')], [warning('stale_price', '/prices/0')], [warning('read_through')]].map(tagOf)
    expect(new Set(tags).size).toBe(tags.length)
  })

  it('a partial one keeps an answer as of an indexed ledger from being final', () => {
    const controlOf = (warnings: readonly Warning[]) =>
      cacheHeaders(echo, { params: {}, query: {} }, toyAnswer(null, { facts: toyFacts({ warnings }), asOfLedger: 5 }))['cache-control']
    expect(controlOf([warning('stale_price')])).toBe('private, max-age=3600')
    expect(controlOf([warning('outside_index')])).toBe('private, max-age=1')
  })
})
