// The header `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3).

/** Milliseconds to wait, or null when the header is absent or cannot be read. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}
