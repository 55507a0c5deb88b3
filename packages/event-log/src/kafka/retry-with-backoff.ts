// Retries of Kafka requests: p-retry, with a time limit instead of a number of attempts.

import pRetry from 'p-retry'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

/** p-retry never repeats a TypeError, and kafkajs throws one when it parses half an answer: so the error of an attempt is wrapped. */
class FailedAttempt extends Error {
  override readonly name = 'FailedAttempt'
}

/**
 * The result of `work`, which is repeated for up to `forMs`, after pauses that double from 100 ms to 2 s.
 * @param isRetryable whether another attempt may succeed after this error.
 * @throws the error of the last attempt; the reason of `signal` when that has aborted.
 */
export async function retryWithBackoff<T>(
  work: () => Promise<T>,
  forMs: number,
  isRetryable: (thrown: unknown) => boolean,
  signal?: AbortSignal,
): Promise<T> {
  const attempt = (): Promise<T> =>
    work().catch((cause: unknown) => {
      throw new FailedAttempt('The attempt failed.', { cause })
    })
  try {
    return await pRetry(attempt, {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: FIRST_PAUSE_MS,
      maxTimeout: LONGEST_PAUSE_MS,
      maxRetryTime: forMs,
      shouldRetry: ({ error }) => isRetryable(error.cause),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (thrown) {
    throw thrown instanceof FailedAttempt ? thrown.cause : thrown
  }
}
