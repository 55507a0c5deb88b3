import { describe, expect, it } from 'vitest'
import { firstSecondFrom, isAfter, parseInstant } from './date-time.ts'

describe('a date-time of a query', () => {
  it.each([
    ['2026-09-01T00:00:00Z', 1_788_220_800],
    ['2026-09-01t02:30:00+02:30', 1_788_220_800],
    ['2026-08-31T19:00:00-05:00', 1_788_220_800],
    ['1970-01-01T00:00:00.000z', 0],
    ['2024-02-29T23:59:59Z', 1_709_251_199],
  ])('%s is unix second %d', (text, seconds) => {
    expect(parseInstant(text)).toEqual({ seconds, fraction: '' })
  })

  it.each([
    '2026-09-01',
    '2026-09-01T00:00:00',
    '2026-09-01 00:00:00Z',
    '2026-9-1T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00.Z',
    '1788220800',
    ' 2026-09-01T00:00:00Z',
  ])('%j is not one', (text) => {
    expect(parseInstant(text)).toBeNull()
  })

  it('keeps its fraction, so that a bound between two seconds excludes the first of them', () => {
    const instant = parseInstant('2026-09-01T00:00:00.250Z')
    expect(instant).toEqual({ seconds: 1_788_220_800, fraction: '25' })
    expect(instant && firstSecondFrom(instant)).toBe(1_788_220_801)
  })

  it('compares fractions of different length', () => {
    const at = (fraction: string) => ({ seconds: 1, fraction })
    expect(isAfter(at('5'), at('49'))).toBe(true)
    expect(isAfter(at('49'), at('5'))).toBe(false)
    expect(isAfter(at(''), at(''))).toBe(false)
    expect(isAfter(at('0001'), at(''))).toBe(true)
  })
})
