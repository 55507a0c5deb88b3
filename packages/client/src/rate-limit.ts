// The rate limit of an organization, as the headers `RateLimit-*` of each response give it.

/** Units per minute: a request costs at least one. */
export interface RateLimit {
  readonly limit: number
  /** Units left in this minute. */
  readonly remaining: number
  /** Seconds until the next minute begins. */
  readonly resetSeconds: number
  /** Units that the request has cost. */
  readonly cost: number
}

/** Null if any of the headers is absent: a refusal without a credential, or a page of another origin that may not read them. */
export function readRateLimit(headers: Headers): RateLimit | null {
  const [limit, remaining, resetSeconds, cost] = ['limit', 'remaining', 'reset', 'cost'].map((name) =>
    wholeNumber(headers, `ratelimit-${name}`),
  )
  if (limit == null || remaining == null || resetSeconds == null || cost == null) return null
  return { limit, remaining, resetSeconds, cost }
}

/** Seconds until a request may be repeated: `Retry-After` as seconds or as a date. Null without the header. */
export function readRetryAfter(headers: Headers, nowMs: number): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  if (/^\d+$/.test(text)) return Number(text)
  const dateMs = Date.parse(text)
  return Number.isNaN(dateMs) ? null : Math.max(0, Math.ceil((dateMs - nowMs) / 1000))
}

function wholeNumber(headers: Headers, name: string): number | null {
  const text = headers.get(name)
  return text !== null && /^\d+$/.test(text) ? Number(text) : null
}
