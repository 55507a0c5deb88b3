// Times as the wire writes them: RFC 3339, UTC, seconds.

import { z } from 'zod'

export const Timestamp = z.string().meta({ format: 'date-time' })

export function timestampOf(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19)}Z`
}

/** The UTC day, `YYYY-MM-DD`. */
export function dayOf(unixSeconds: number): string {
  return timestampOf(unixSeconds).slice(0, 10)
}
