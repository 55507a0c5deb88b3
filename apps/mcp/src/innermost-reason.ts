// Why a request got no response.

import { reasonOf } from '@orrery/errors'

/** The message of the cause below all others: `fetch failed` and its kind say nothing. A name of several addresses has a cause for each. */
export function innermostReason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(innermostReason).join('; ')
  return error instanceof Error && error.cause !== undefined ? innermostReason(error.cause) : reasonOf(error)
}
