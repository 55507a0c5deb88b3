import { describe, expect, it } from 'vitest'
import { NO_VALUE } from './number.ts'
import { timeFormats } from './time.ts'

const newYork = timeFormats('en-US', 'America/New_York')
const berlin = timeFormats('de-DE', 'Europe/Berlin')

describe('times', () => {
  it('are shown in the zone and the locale of the browser', () => {
    // 20:35 UTC is 16:35 in New York and 22:35 in Berlin.
    expect(newYork.moment('2026-10-15T20:35:42Z')).toBe('Oct 15, 2026, 4:35\u00a0PM')
    expect(berlin.moment('2026-10-15T20:35:42Z')).toBe('15.10.2026, 22:35')
  })

  it('a day of UTC is the same day in every zone', () => {
    expect([newYork.utcDay('2026-10-15T00:00:00Z'), berlin.utcDay('2026-10-15T00:00:00Z')]).toEqual(['Oct 15, 2026', '15.10.2026'])
  })

  it('a span is shown in its largest unit, rounded down', () => {
    expect([0, 59, 3_609, 86_399, 3_691_353].map(newYork.span)).toEqual(['0 seconds', '59 seconds', '1 hour', '23 hours', '42 days'])
  })

  it('without a value are a dash', () => {
    expect(newYork.moment(null)).toBe(NO_VALUE)
  })
})
