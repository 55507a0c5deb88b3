import { describe, expect, it } from 'vitest'
import { isPreset, RANGES, startOf, windowUpTo } from './time-range.ts'

describe('ranges of charts', () => {
  it('a range that ends at a past ledger has the buckets that the API gives the same range now', () => {
    expect(windowUpTo('24h', '2026-10-15T20:35:42Z')).toEqual({ interval: '1h', from: '2026-10-14T20:35:42Z', to: '2026-10-15T20:35:42Z' })
    expect(windowUpTo('7d', '2026-10-15T20:35:42Z')).toEqual({ interval: '4h', from: '2026-10-08T20:35:42Z', to: '2026-10-15T20:35:42Z' })
    expect(windowUpTo('90d', '2026-10-15T20:35:42Z')).toEqual({ interval: '1d', from: '2026-07-17T20:35:42Z', to: '2026-10-15T20:35:42Z' })
  })

  it('a year is 365 days', () => {
    expect(startOf('1y', '2026-10-15T00:00:00Z')).toBe('2025-10-15T00:00:00Z')
  })

  it('only the ranges that the API documents are asked for by name', () => {
    expect((Object.keys(RANGES) as (keyof typeof RANGES)[]).filter(isPreset)).toEqual(['24h', '7d', '30d'])
  })
})
