// The API is ready for requests when the read model answers and a ledger is complete. An adapter that is behind, stalled or failing does not
// change that: `meta` of each answer reports it, and without the API clients would have no answers at all.

import type { ReadModel } from '@orrery/read-model'
import type { Clock, Readiness } from '@orrery/service-kit'

interface ReadinessOf {
  readonly readModel: Pick<ReadModel, 'watermark'>
  readonly clock: Clock
  /** Not ready while the close time of the watermark is older than this. Undefined: lag does not matter. */
  readonly maxLagSeconds?: number | undefined
}

/** The readiness check. Rejects with `unavailable` if the database is unreachable. */
export function watchReadiness({ readModel, clock, maxLagSeconds }: ReadinessOf): () => Promise<Readiness> {
  return async () => {
    const { ledger, closeTimeSeconds } = await readModel.watermark()
    if (ledger === 0) return { ok: false, why: 'Nothing is indexed yet.' }
    const lagSeconds = Math.floor(clock.nowMs() / 1000) - closeTimeSeconds
    if (maxLagSeconds === undefined || lagSeconds <= maxLagSeconds) return { ok: true, why: '' }
    return { ok: false, why: `Ledger ${ledger}, the newest that is complete, closed ${lagSeconds} s ago; the limit is ${maxLagSeconds} s.` }
  }
}
