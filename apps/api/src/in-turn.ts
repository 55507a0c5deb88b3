// At most so many at once, the others in turn: for work that costs a core and can be asked for by anybody.

/**
 * `from` names who asks: of the places to wait, one of them gets a share. Not given: all of them.
 * Who is not waited for any more gives up the turn: rejects with the reason of `signal`, and `work` is never begun. Rejects at once with
 * `TooManyWaiting` where the line or the share is full.
 */
export type InTurn = <T>(work: () => Promise<T>, signal: AbortSignal, from?: string) => Promise<T>

/** The line is full: a turn would come too late to be of use. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting'
}

/** @param mostOfOne Of `mostWaiting`, how many may be of one `from`. */
export function inTurn(atOnce: number, mostWaiting: number, mostOfOne = mostWaiting): InTurn {
  let running = 0
  /** In the order in which they came. */
  const waiting = new Set<() => void>()
  /** How many of them each has, by `from`. */
  const held = new Map<string, number>()

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

  const turnOf = async (from: string, signal: AbortSignal): Promise<void> => {
    const count = held.get(from) ?? 0
    if (count >= mostOfOne) throw new TooManyWaiting(`${mostOfOne} of ${from} are waiting already.`)
    held.set(from, count + 1)
    try {
      await turn(signal)
    } finally {
      const left = (held.get(from) ?? 1) - 1
      if (left > 0) held.set(from, left)
      else held.delete(from)
    }
  }

  return async (work, signal, from) => {
    signal.throwIfAborted()
    if (running < atOnce) running += 1
    else if (waiting.size >= mostWaiting) throw new TooManyWaiting(`${mostWaiting} are waiting already.`)
    else if (from === undefined) await turn(signal)
    else await turnOf(from, signal)
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
