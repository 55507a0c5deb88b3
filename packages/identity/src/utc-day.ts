/** The UTC day of unix milliseconds: `2026-01-31`. */
export function utcDayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
