import { describe, expect, it } from 'vitest'
import { metaOf } from './envelope.ts'
import { toyFacts } from './testing/toy-routes.ts'

describe('meta', () => {
  const at = (nowMs: number, closeTimeSeconds: number) =>
    metaOf(toyFacts({ watermark: { ledger: 5, closeTimeSeconds } }), { nowMs: () => nowMs }, 12.6)

  it('meta has the age of the last indexed ledger in whole seconds', () => {
    expect(at(1_000_999, 990)).toMatchObject({ last_indexed_ledger: 5, data_staleness_seconds: 10, response_time_ms: 13 })
  })

  it('the age of the last indexed ledger is never negative, even if it closed slightly ahead of our clock', () => {
    expect(at(1_000_000, 1003).data_staleness_seconds).toBe(0)
  })

  it('meta names each source once, in alphabetical order', () => {
    const facts = toyFacts({ sources: ['soroban_rpc', 'clickhouse', 'soroban_rpc'] })
    expect(metaOf(facts, { nowMs: () => 0 }, 0).sources).toEqual(['clickhouse', 'soroban_rpc'])
  })
})
