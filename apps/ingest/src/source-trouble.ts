// What a source had trouble with is counted, and logged when it did not pass with the next attempt.

import type { Logger, Metrics } from '@orrery/service-kit'
import type { SourceTrouble } from './ledger-source.ts'

/** For `openSource`. */
export function tellTrouble(logger: Logger, metrics: Metrics): (trouble: SourceTrouble) => void {
  return (trouble) => {
    metrics.fetchRetries.inc()
    if (trouble.failures > 1) logger.warn({ ...trouble }, 'The source did not answer as it should, and is asked again')
  }
}
