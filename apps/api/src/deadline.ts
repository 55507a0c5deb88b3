// Work for a client that may leave, within a time that ends. Both abort the same signal, so that a statement of the read model is
// cancelled instead of being finished for nobody.

import type { ServerResponse } from 'node:http'
import { refuse } from './errors.ts'

/** The client closed the connection before the answer. Nobody is there to be told. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** The result of `work`, or: 504 `timeout` after `deadlineMs`, `ClientGone` when the client leaves. `work` may ignore the signal. */
export async function withinDeadline<T>(
  response: ServerResponse,
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const leave = () => stop.abort(new ClientGone('The client left before the answer.'))
  const message = `The request was not done after ${deadlineMs / 1000} s and was given up. Ask for less, send the body at once, or try again.`
  const late = setTimeout(() => stop.abort(refuse('timeout', message)), deadlineMs)
  response.once('close', leave)
  if (response.closed) leave()
  try {
    return await Promise.race([work(stop.signal), rejectedBy(stop.signal)])
  } catch (error) {
    // Whatever a cancelled statement threw, the reason is why it was cancelled.
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    clearTimeout(late)
    response.off('close', leave)
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
