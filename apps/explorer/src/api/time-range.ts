// Ranges of charts, and the parameters of a history for each.

/** By the value in the address, in the order in which they are offered. */
export const RANGES = { '24h': '24 h', '7d': '7 d', '30d': '30 d', '90d': '90 d', '1y': '1 y' } as const
/** Of values that the API has by the day only. */
export const DAY_RANGES = { '7d': '7 d', '30d': '30 d', '90d': '90 d', '1y': '1 y' } as const

export type Range = keyof typeof RANGES

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SPANS_MS: Readonly<Record<Range, number>> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
  '1y': 365 * DAY_MS,
}
/** The buckets that the API gives its own ranges; longer ranges have days. */
const INTERVALS = { '24h': '1h', '7d': '4h', '30d': '1d', '90d': '1d', '1y': '1d' } as const

export type HistoryWindow =
  | { readonly range: '24h' | '7d' | '30d' }
  | { readonly interval: '1h' | '4h' | '1d'; readonly from: string; readonly to: string }

/** True of a range that the API knows by its name when it ends at the newest ledger. */
export function isPreset(range: Range): range is '24h' | '7d' | '30d' {
  return range === '24h' || range === '7d' || range === '30d'
}

/** @param endsAt Close time of the ledger at which the window ends. */
export function windowUpTo(range: Range, endsAt: string): Extract<HistoryWindow, { readonly interval: string }> {
  return { interval: INTERVALS[range], from: startOf(range, endsAt), to: endsAt }
}

/** First instant of a range, RFC 3339 with whole seconds. */
export function startOf(range: Range, endsAt: string): string {
  return new Date(Date.parse(endsAt) - SPANS_MS[range]).toISOString().replace('.000Z', 'Z')
}
