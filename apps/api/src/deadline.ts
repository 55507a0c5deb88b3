// Work with a deadline for a client that may disconnect. Both abort the same signal, so that a statement of the read model is
// cancelled instead of being finished without a reader.

import type { ServerResponse } from 'node:http'
import { refuse } from './errors.ts'

/** The client closed the connection before the answer, so no response can be sent. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** The result of `work`. Errors: 504 `timeout` after `deadlineMs`, `ClientGone` if the client disconnects. `work` may ignore the signal. */
export async function withinDeadline<T>(
  response: ServerResponse,
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const leave = () => stop.abort(new ClientGone('The client disconnected before the answer.'))
  const message = `The request was not complete after ${deadlineMs / 1000} s and was cancelled. Request less data, send the body without delay, or try again.`
  const late = setTimeout(() => stop.abort(refuse('timeout', message)), deadlineMs)
  response.once('close', leave)
  if (response.closed) leave()
  try {
    return await Promise.race([work(stop.signal), rejectedBy(stop.signal)])
  } catch (error) {
    // A cancelled statement may throw its own error; the reason of the signal is the cause.
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
