// Times in `/v1`: RFC 3339, UTC, whole seconds.

import { z } from 'zod'

export const Timestamp = z.string().meta({ format: 'date-time', description: 'RFC 3339, UTC, whole seconds.' })

export function timestampOf(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19)}Z`
}

/** The UTC day, `YYYY-MM-DD`. */
export function dayOf(unixSeconds: number): string {
  return timestampOf(unixSeconds).slice(0, 10)
}
