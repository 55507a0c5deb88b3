// Wrong credentials from one address: 50 in 15 minutes are answered, further wrong ones are told to wait.
// Right credentials are never held back, so a neighbour behind the same address cannot lock anybody out.

import { LRUCache } from 'lru-cache'

const FAILURES = 50
const WINDOW_MS = 15 * 60_000
/** Bounds memory under a scan from many addresses: the oldest are forgotten first. */
const ADDRESSES = 50_000

export interface FailureLimiter {
  /** Counts one failure. Null while the address may go on failing, else the seconds to wait. */
  fail(address: string): Promise<{ readonly retryAfterSeconds: number } | null>
}

/** `now`: unix milliseconds. */
export function memoryFailureLimiter(now: () => number = Date.now): FailureLimiter {
  const addresses = new LRUCache<string, { count: number; readonly endsAtMs: number }>({ max: ADDRESSES })
  return {
    async fail(address) {
      const nowMs = now()
      const known = addresses.get(address)
      const window = known !== undefined && known.endsAtMs > nowMs ? known : { count: 0, endsAtMs: nowMs + WINDOW_MS }
      window.count += 1
      addresses.set(address, window)
      return window.count <= FAILURES ? null : { retryAfterSeconds: Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000)) }
    },
  }
}
