// Times for people, by the locale and the time zone of the browser.

import { NO_VALUE } from './number.ts'

export interface TimeFormats {
  /** Date and time to the minute. */
  moment(instant: string | null): string
  /** Date of a day of UTC, whatever the zone is. */
  utcDay(instant: string): string
  /** Date and time to the minute in UTC, whatever the zone is. */
  utcMinute(instant: string): string
  /** A span in its largest unit, such as `3 days`. */
  span(seconds: number): string
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Makes the formats of a locale and a time zone. Undefined: those of the browser. */
export function timeFormats(locale?: string, timeZone?: string): TimeFormats {
  const zone = timeZone === undefined ? {} : { timeZone }
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...zone })
  const utcDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const utcMinute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return {
    moment: (instant) => (instant === null ? NO_VALUE : unbroken(moment.format(new Date(instant)))),
    utcDay: (instant) => utcDay.format(new Date(instant)),
    utcMinute: (instant) => unbroken(utcMinute.format(new Date(instant))),
    span: (seconds) => {
      const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? (['second', 1] as const)
      // Rounded down: an age is never shown as older than it is.
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.floor(seconds / length))
    },
  }
}

/** Keeps AM and PM on the line of their time. Browsers put different spaces before them. */
function unbroken(time: string): string {
  return time.replace(/\s(?=[AP]M$)/, '\u00a0')
}

/** The formats of the browser. */
export const times: TimeFormats = timeFormats()
