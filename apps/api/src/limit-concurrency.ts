// Limits how much work runs at once; the rest waits in the order of arrival. Not p-queue: it gives the slot of running work to the next
// caller when the caller's signal aborts, although the work (a password hash) still occupies its core, and it has no limits of waiting work.

/**
 * Runs `work` once a slot is free. `from` names the caller for the limit of one caller; without it only the limit of all applies.
 * @throws the reason of `signal` if it aborts while the work waits, which then never begins; `TooManyWaiting` at once when a limit is reached.
 */
export type LimitConcurrency = <T>(work: () => Promise<T>, signal: AbortSignal, from?: string) => Promise<T>

/** The queue is full: further work would begin too late to be useful. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting'
}

/**
 * @param atOnce how much work may run.
 * @param mostWaiting how much may wait.
 * @param mostWaitingOfOne how much of what waits may have the same `from`.
 */
export function limitConcurrency(atOnce: number, mostWaiting: number, mostWaitingOfOne = mostWaiting): LimitConcurrency {
  let running = 0
  /** In the order of arrival. */
  const waiting = new Set<() => void>()
  /** How many of them wait, by `from`. */
  const waitingByCaller = new Map<string, number>()

  const slot = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = () => {
        waiting.delete(begin)
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        waiting.delete(begin)
        reject(signal.reason)
      }
      waiting.add(begin)
      signal.addEventListener('abort', giveUp, { once: true })
    })

  const slotOfCaller = async (from: string, signal: AbortSignal): Promise<void> => {
    const count = waitingByCaller.get(from) ?? 0
    if (count >= mostWaitingOfOne) throw new TooManyWaiting(`${mostWaitingOfOne} of ${from} are waiting already.`)
    waitingByCaller.set(from, count + 1)
    try {
      await slot(signal)
    } finally {
      const left = (waitingByCaller.get(from) ?? 1) - 1
      if (left > 0) waitingByCaller.set(from, left)
      else waitingByCaller.delete(from)
    }
  }

  return async (work, signal, from) => {
    signal.throwIfAborted()
    if (running < atOnce) running += 1
    else if (waiting.size >= mostWaiting) throw new TooManyWaiting(`${mostWaiting} are waiting already.`)
    else if (from === undefined) await slot(signal)
    else await slotOfCaller(from, signal)
    try {
      return await work()
    } finally {
      // The next one in the queue takes over this slot.
      const [next] = waiting
      if (next === undefined) running -= 1
      else next()
    }
  }
}
