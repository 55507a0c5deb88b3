// Counts failed source requests, and logs those that fail more than once.

import type { Logger, Metrics } from '@orrery/service-kit'
import type { SourceTrouble } from './ledger-source.ts'

/** For `openSource`. */
export function reportTrouble(logger: Logger, metrics: Metrics): (trouble: SourceTrouble) => void {
  return (trouble) => {
    metrics.fetchRetries.inc()
    if (trouble.failures > 1) logger.warn({ ...trouble }, 'A source request failed again; retrying')
  }
}
