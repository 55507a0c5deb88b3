// Waiting for a signal.

import { once } from 'node:events'

/** Resolves when the signal aborts, also if it has already. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
