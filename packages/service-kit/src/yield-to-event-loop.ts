// Work that is synchronous for minutes (folding, extracting) would keep every socket and timer of the process waiting. Loops give way with this.

import { setImmediate } from 'node:timers/promises'

/** The longest that a request to the same process waits for such a loop. */
const LONGEST_WORK_MS = 8

/** The returned function resolves at once until 8 ms have passed since it last gave way, and then after all that waits in the event loop. */
export function yieldToEventLoop(): () => Promise<void> {
  let workingSinceMs = performance.now()
  return async () => {
    if (performance.now() - workingSinceMs < LONGEST_WORK_MS) return
    await setImmediate()
    workingSinceMs = performance.now()
  }
}
