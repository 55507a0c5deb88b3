// Doing again what time can heal, a little later each time.

import { setTimeout as delay } from 'node:timers/promises'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

/**
 * What `work` gives, at whichever try within `patienceMs`.
 * @param heals whether it is worth another try after this error.
 * @throws the error of the last try; the reason of `signal` when that has aborted.
 */
export async function patiently<T>(
  work: () => Promise<T>,
  patienceMs: number,
  heals: (thrown: unknown) => boolean,
  signal?: AbortSignal,
): Promise<T> {
  const startedMs = performance.now()
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      signal?.throwIfAborted()
      return await work()
    } catch (thrown) {
      signal?.throwIfAborted()
      const isLate = performance.now() - startedMs + pauseMs > patienceMs
      if (isLate || !heals(thrown)) throw thrown
      await delay(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => signal?.throwIfAborted())
    }
  }
}
