// Ctrl-C and the supervisor's SIGTERM: the first signal drains and logs that, the second ends the process at once.

import type { Logger } from './logger.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Exit codes of every Orrery process. */
export const EXIT = { done: 0, failed: 1, usage: 2, tryLater: 75, interrupted: 130 } as const

/**
 * Calls `drain` at the first SIGINT or SIGTERM and ends the process with 0 when it has finished, with 1 when it fails. A second signal ends
 * it with 130. Returns a function that removes the handlers, for a process that ends by itself.
 */
export function onStopSignals(drain: (signal: NodeJS.Signals) => Promise<void>, logger: Logger): () => void {
  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) {
      logger.warn(
        { signal },
        'Ended at once: a second signal arrived before everything was drained. A restart continues from the last checkpoint.',
      )
      process.exit(EXIT.interrupted)
    }
    stopping = true
    logger.info({ signal }, 'Stopping: finishing work in progress. A second signal ends the process at once.')
    drain(signal).then(
      () => {
        logger.info({ signal }, 'Stopped')
        process.exit(EXIT.done)
      },
      (error: unknown) => {
        logger.fatal({ err: error }, 'Failed to stop cleanly. What was acknowledged is safe; a restart continues from the last checkpoint.')
        process.exit(EXIT.failed)
      },
    )
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return () => {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}
