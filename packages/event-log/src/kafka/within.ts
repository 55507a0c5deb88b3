// Waiting for Kafka without having to: kafkajs may lose a request together with the connection that it was made on, and never say so.

/**
 * What `work` gives, if it does so in time. What becomes of it afterwards is nobody's business.
 * @throws Error after `longestMs`; the reason of `signal` as soon as that aborts.
 */
export async function within<T>(work: Promise<T>, longestMs: number, signal?: AbortSignal): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`nothing was heard for ${longestMs / 1000} s`)), longestMs)
  const onAbort = (): void => reject(signal?.reason)
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, ended])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
