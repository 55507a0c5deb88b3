// The window of a history as state of a component: by name where the API knows it, else up to the close time of a ledger.

import { apiCall } from './api-call.ts'
import { type HistoryWindow, isPreset, type Range, startOf, windowUpTo } from './time-range.ts'
import { useAnswer } from './use-answer.ts'

/**
 * @param pastEnd Close time of the past ledger at which the window ends; null at the newest ledger, undefined while it is unknown.
 * @returns Null until the end of the window is known.
 */
export function useWindow(range: Range, pastEnd: string | null | undefined = null): HistoryWindow | null {
  const isNamed = pastEnd === null && isPreset(range)
  const newest = useNewestCloseTime(pastEnd === null && !isNamed)
  if (pastEnd === null && isPreset(range)) return { range }
  const end = pastEnd ?? (pastEnd === null ? newest : undefined)
  return end === undefined ? null : windowUpTo(range, end)
}

/** First instant of a range that ends at the newest ledger. Null until it is known. @param range Null: none is asked for. */
export function useStart(range: Range | null): string | null {
  const newest = useNewestCloseTime(range !== null)
  return newest === undefined || range === null ? null : startOf(range, newest)
}

function useNewestCloseTime(isNeeded: boolean): string | undefined {
  const { answer, error } = useAnswer(isNeeded ? apiCall('service', 'index') : null)
  // Without the index the window ends at the clock, which shows the same points while the index keeps up.
  return answer?.data.last_ledger_at ?? (error === null ? undefined : new Date().toISOString().replace(/\.\d+Z$/, 'Z'))
}
