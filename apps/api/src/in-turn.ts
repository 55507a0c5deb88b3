// At most so many at once, the others in turn: for work that costs a core and can be asked for by anybody.

/** Who is not waited for any more gives up the turn: rejects with the reason of `signal`, and `work` is never begun. */
export type InTurn = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

export function inTurn(atOnce: number): InTurn {
  let running = 0
  /** In the order in which they came. */
  const waiting = new Set<() => void>()

  const turn = (signal: AbortSignal): Promise<void> =>
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

  return async (work, signal) => {
    signal.throwIfAborted()
    if (running >= atOnce) await turn(signal)
    else running += 1
    try {
      return await work()
    } finally {
      // Whoever is next takes over our place.
      const [next] = waiting
      if (next === undefined) running -= 1
      else next()
    }
  }
}
