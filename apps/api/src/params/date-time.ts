// RFC 3339 date-times of a query. Ledgers close at whole seconds, but a bound may have a fraction, which decides whether a second is inside.

import { textValue } from './text-value.ts'

/** An instant, exact. */
export interface Instant {
  /** Unix seconds, rounded down. */
  readonly seconds: number
  /** Digits of the fraction of the second without trailing zeros, '' for a whole second. */
  readonly fraction: string
}

const SHAPE = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/

export const DateTimeParameter = textValue(
  { type: 'string', format: 'date-time', examples: ['2026-09-01T00:00:00Z'] },
  'must be an RFC 3339 date-time with `Z` or an offset, such as `2026-09-01T00:00:00Z`.',
  parseInstant,
)

/** Null for anything that is not an RFC 3339 date-time of the calendar. Leap seconds do not exist in unix time and are refused. */
export function parseInstant(text: string): Instant | null {
  const parts = SHAPE.exec(text)
  if (parts === null) return null
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [number, number, number, number, number, number]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const inCalendar = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!inCalendar || hour > 23 || minute > 59 || second > 59) return null
  const offset = offsetMinutes(parts[8] as string)
  if (offset === null) return null
  return {
    seconds: date.getTime() / 1000 + hour * 3600 + (minute - offset) * 60 + second,
    fraction: (parts[7] ?? '').replace(/0+$/, ''),
  }
}

/** Minutes east of UTC, null when there is no such offset. */
function offsetMinutes(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4, 6))
  if (hours > 23 || minutes > 59) return null
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

/** Digits without trailing zeros compare as text exactly as the fractions compare. */
export function isAfter(a: Instant, b: Instant): boolean {
  return a.seconds > b.seconds || (a.seconds === b.seconds && a.fraction > b.fraction)
}

/** The first whole second that is not before `instant`. */
export function firstSecondFrom(instant: Instant): number {
  return instant.fraction === '' ? instant.seconds : instant.seconds + 1
}
