// Runs a handler when its organization has its turn (429 if too many wait). A dear one first waits for its turn among dear ones: it holds no place of others
// meanwhile.

import { beforeBackground, inBackground } from '@orrery/service-kit'
import { TooManyWaiting } from '../limit-concurrency.ts'
import type { RouteContext } from '../route.ts'
import { type Gate, tooMany } from './gate.ts'

/** Time after which a full queue is shorter. */
const QUEUE_SECONDS = 2

interface Turns extends Pick<Gate, 'metrics'> {
  readonly access: Pick<Gate['access'], 'computations' | 'dearComputations'>
}

/**
 * Routes without a credential belong to no organization and do not wait.
 * @param isDear From `DEAR_COST` on.
 */
export async function computeInTurn<T>(
  work: () => Promise<T>,
  { organizationId, signal }: Pick<RouteContext, 'organizationId' | 'signal'>,
  { access, metrics }: Turns,
  isDear: boolean,
): Promise<T> {
  if (organizationId === '') return work()
  let isWaiting = true
  const endWait = () => {
    if (isWaiting) metrics.apiWaiting.dec()
    isWaiting = false
  }
  metrics.apiWaiting.inc()
  const begin = () => {
    endWait()
    return isDear ? inBackground(work) : beforeBackground(work)
  }
  const inTurn = () => access.computations(begin, signal, organizationId)
  try {
    return await (isDear ? access.dearComputations(inTurn, signal, organizationId) : inTurn())
  } catch (error) {
    endWait()
    if (!(error instanceof TooManyWaiting)) throw error
    const message =
      'Too many requests are waiting to be computed. Send fewer at the same time, or try again after the number of seconds in `Retry-After`.'
    throw tooMany(message, QUEUE_SECONDS)
  }
}
