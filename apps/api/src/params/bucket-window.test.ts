import { describe, expect, it } from 'vitest'
import { type IndexedSpan, ledgerBuckets, timeBuckets } from './bucket-window.ts'
import { parseInstant } from './date-time.ts'
import { bucketStartOf } from './interval.ts'

const at = (text: string): number => Date.parse(text) / 1000
const instant = (text: string) => {
  const read = parseInstant(text)
  if (read === null) throw new Error(text)
  return read
}

const indexed: IndexedSpan = {
  first: { ledger: 1_000_000, closeTimeSeconds: at('2026-09-01T00:10:00Z') },
  last: { ledger: 1_006_527, closeTimeSeconds: at('2026-10-15T20:35:42Z') },
}

const tooMany = (fitting: string) =>
  expect.objectContaining({ code: 'too_many_points', message: expect.stringContaining(fitting) as unknown })

describe('buckets of time', () => {
  it('begin at UTC midnight, and weeks on Monday', () => {
    expect(bucketStartOf(at('2026-09-02T13:59:59Z'), '4h')).toBe(at('2026-09-02T12:00:00Z'))
    expect(bucketStartOf(at('2026-09-02T13:59:59Z'), '1d')).toBe(at('2026-09-02T00:00:00Z'))
    // 2 September 2026 is a Wednesday.
    expect(bucketStartOf(at('2026-09-02T13:59:59Z'), '1w')).toBe(at('2026-08-31T00:00:00Z'))
    expect(bucketStartOf(at('2026-08-31T00:00:00Z'), '1w')).toBe(at('2026-08-31T00:00:00Z'))
  })

  it('hold both ends of the window', () => {
    const window = timeBuckets({ from: instant('2026-09-10T10:30:00Z'), to: instant('2026-09-10T12:00:00Z') }, '1h', indexed)
    expect(window).toEqual({
      axis: 'time',
      first: at('2026-09-10T10:00:00Z'),
      width: 3600,
      count: 3,
      from: at('2026-09-10T10:30:00Z'),
      to: at('2026-09-10T12:00:00Z'),
    })
  })

  it('never lie before the first indexed ledger nor after the last', () => {
    const window = timeBuckets({ from: instant('2026-08-30T00:00:00Z'), to: instant('2027-01-01T00:00:00Z') }, '1d', indexed)
    expect(window).toMatchObject({ first: at('2026-09-01T00:00:00Z'), count: 45, to: indexed.last.closeTimeSeconds })
  })

  it('are none when the window and the index do not meet', () => {
    expect(timeBuckets({ from: instant('2027-01-01T00:00:00Z'), to: null }, '1d', indexed).count).toBe(0)
    expect(timeBuckets({ from: instant('2026-01-01T00:00:00Z'), to: instant('2026-02-01T00:00:00Z') }, '1d', indexed).count).toBe(0)
  })

  it('may be 5,000 and not one more, counted in the window as asked', () => {
    const to = instant('2026-09-18T08:35:00Z') // 4,999 buckets of 5 minutes after 1 September
    expect(timeBuckets({ from: instant('2026-09-01T00:00:00Z'), to }, '5m', indexed).count).toBe(4998)
    expect(() => timeBuckets({ from: instant('2026-08-31T23:59:59Z'), to }, '5m', indexed)).toThrow(tooMany('`15m`'))
    expect(() => timeBuckets({ from: instant('1800-01-01T00:00:00Z'), to }, '1w', indexed)).toThrow(tooMany('No interval fits'))
  })
})

describe('buckets of ledgers', () => {
  it('begin at from_ledger', () => {
    expect(ledgerBuckets(1_000_005n, 1_000_024n, 10n, indexed)).toEqual({
      axis: 'ledger',
      first: 1_000_005,
      width: 10,
      count: 2,
      from: 1_000_005,
      to: 1_000_024,
    })
    expect(ledgerBuckets(1_000_005n, 1_000_025n, 10n, indexed).count).toBe(3)
  })

  it('that lie before the index are left out, and the others keep their place', () => {
    expect(ledgerBuckets(999_975n, 1_000_010n, 10n, indexed)).toMatchObject({ first: 999_995, count: 2 })
    expect(ledgerBuckets(1_006_520n, 9_223_372_036_854_775_807n, 9_223_372_036_854_775_807n, indexed)).toMatchObject({
      first: 1_006_520,
      count: 1,
      to: 1_006_527,
    })
    expect(ledgerBuckets(2_000_000n, 2_000_100n, 10n, indexed).count).toBe(0)
    expect(ledgerBuckets(10n, 20n, 10n, indexed).count).toBe(0)
  })

  it('may be 5,000, and the smallest width that fits is named', () => {
    expect(ledgerBuckets(1_000_000n, 1_004_999n, 1n, indexed).count).toBe(5000)
    expect(() => ledgerBuckets(1_000_000n, 1_005_000n, 1n, indexed)).toThrow(tooMany('is 2.'))
    expect(() => ledgerBuckets(0n, 9_223_372_036_854_775_807n, 1n, indexed)).toThrow(tooMany('is 1844674407370956.'))
  })
})
