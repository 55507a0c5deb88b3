// Lets other work run during long synchronous loops (folding, extracting, large answers), which would otherwise block sockets and timers.

import { setImmediate } from 'node:timers/promises'

/** The longest time that a loop runs without a pause. */
const LONGEST_WORK_MS = 8

/**
 * The returned function resolves at once until `longestWorkMs` have passed since its last pause, and then after the work that waits in the event loop.
 */
export function yieldToEventLoop(longestWorkMs = LONGEST_WORK_MS): () => Promise<void> {
  let workingSinceMs = performance.now()
  return async () => {
    if (performance.now() - workingSinceMs < longestWorkMs) return
    await setImmediate()
    workingSinceMs = performance.now()
  }
}
