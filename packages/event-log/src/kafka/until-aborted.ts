// Waiting for Kafka without having to: a request that waits for news, or for other members, is left behind when we are stopped.

/** What `work` gives, or null as soon as `signal` aborts. What becomes of `work` after that is nobody's business. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const { promise: aborted, resolve } = Promise.withResolvers<null>()
  const onAbort = (): void => resolve(null)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work.catch((error) => (signal.aborted ? null : Promise.reject(error))), aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
