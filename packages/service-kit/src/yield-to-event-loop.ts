// Lets other work run during long synchronous loops (folding, extracting), which would otherwise block sockets and timers for minutes.

import { setImmediate } from 'node:timers/promises'

/** The longest time that a loop runs without a pause. */
const LONGEST_WORK_MS = 8

/** The returned function resolves at once until 8 ms have passed since its last pause, and then after the work that waits in the event loop. */
export function yieldToEventLoop(): () => Promise<void> {
  let workingSinceMs = performance.now()
  return async () => {
    if (performance.now() - workingSinceMs < LONGEST_WORK_MS) return
    await setImmediate()
    workingSinceMs = performance.now()
  }
}
