// Time limits of Kafka requests: kafkajs may lose a request together with the connection that it was made on, and never report it.

import pTimeout from 'p-timeout'

/**
 * The result of `work` if it arrives in time. A later result or error is ignored.
 * @throws TimeoutError after `timeoutMs`; the reason of `signal` as soon as that aborts.
 */
export function withTimeout<T>(work: Promise<T>, timeoutMs: number, signal?: AbortSignal): Promise<T> {
  const message = `no answer within ${timeoutMs / 1000} s`
  return pTimeout(work, { milliseconds: timeoutMs, message, ...(signal === undefined ? {} : { signal }) })
}
