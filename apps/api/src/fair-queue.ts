// Limits how much work runs at once, in all and for each caller. What waits begins in turns: one piece of work of each caller, then again from
// the first caller. A caller that is not alone runs less at once: work of one caller that shares few cores with others' would slow all of them.
// Not p-limit or p-queue: they know no callers, have no limit of waiting work, and p-limit cannot drop work that waits.

import { TooManyWaiting } from './limit-concurrency.ts'

/**
 * Runs `work` of the caller `from` once there is a slot for it.
 * @throws the reason of `signal` if it aborts while the work waits; `TooManyWaiting` if the queue is full, or became full while the work waited.
 * Work that was refused never begins.
 */
export type FairQueue = <T>(work: () => Promise<T>, signal: AbortSignal, from: string) => Promise<T>

export interface FairQueueLimits {
  /** Work that runs. */
  readonly atOnce: number
  /** Work of one caller that runs. */
  readonly atOnceOfOne: number
  /**
   * Work of all callers that does not slow each other down, which is about the number of cores. Callers that asked within the last seconds share it: each runs its
   * part at once, and never less than one. Default: no limit.
   */
  readonly atFullSpeed?: number
  /** Work that waits, of all callers. */
  readonly mostWaiting: number
}

/** A caller that has asked for nothing for so long is not counted among those that share. */
const ACTIVE_MS = 5_000

/** How many callers there were within `ACTIVE_MS`. */
function activeCallers(now: () => number) {
  /** When each last asked, or something of it ended: the longest ago first. */
  const lastMs = new Map<string, number>()
  return {
    note(from: string): void {
      lastMs.delete(from)
      lastMs.set(from, now())
    },
    count(): number {
      for (const [from, ms] of lastMs) {
        if (now() - ms < ACTIVE_MS) break
        lastMs.delete(from)
      }
      return lastMs.size
    },
  }
}

interface Waiter {
  begin(): void
  refuse(reason: unknown): void
}

/** @param now Milliseconds that only grow. */
export function fairQueue(
  { atOnce, atOnceOfOne, atFullSpeed = Number.POSITIVE_INFINITY, mostWaiting }: FairQueueLimits,
  now: () => number = () => performance.now(),
): FairQueue {
  const active = activeCallers(now)
  let running = 0
  const runningOf = new Map<string, number>()
  let waiting = 0
  /** Each caller's waiters in the order of arrival. The callers are in the order of their turns. None is empty. */
  const waitersOf = new Map<string, Set<Waiter>>()

  const partOfOne = (): number => {
    const callers = active.count()
    return callers < 2 ? atOnceOfOne : Math.min(atOnceOfOne, Math.max(1, Math.floor(atFullSpeed / callers)))
  }

  const canRun = (from: string): boolean => running < atOnce && (runningOf.get(from) ?? 0) < partOfOne()

  const occupy = (from: string): void => {
    running += 1
    runningOf.set(from, (runningOf.get(from) ?? 0) + 1)
  }

  const add = (from: string, waiter: Waiter): void => {
    waiting += 1
    const own = waitersOf.get(from)
    if (own === undefined) waitersOf.set(from, new Set([waiter]))
    else own.add(waiter)
  }

  const remove = (from: string, waiter: Waiter): void => {
    const own = waitersOf.get(from)
    if (own?.delete(waiter) !== true) return
    waiting -= 1
    if (own.size === 0) waitersOf.delete(from)
  }

  /** Begins the waiter whose turn it is. False: nothing that waits can run. */
  const beginNext = (): boolean => {
    for (const [from, own] of waitersOf) {
      const [first] = own
      if (first === undefined || !canRun(from)) continue
      remove(from, first)
      // The caller's next turn comes after those of all others.
      if (waitersOf.delete(from)) waitersOf.set(from, own)
      occupy(from)
      first.begin()
      return true
    }
    return false
  }

  const release = (from: string): void => {
    running -= 1
    const left = (runningOf.get(from) ?? 1) - 1
    if (left > 0) runningOf.set(from, left)
    else runningOf.delete(from)
    active.note(from)
    // Usually one: more where a caller has become the only one.
    while (beginNext());
  }

  /** Refuses the newest waiter of the caller with the most, unless `from` would then have as many: one caller cannot fill the queue for others. */
  const makePlaceFor = (from: string): void => {
    const full = new TooManyWaiting(`${mostWaiting} are waiting already.`)
    const [most] = [...waitersOf].sort(([, a], [, b]) => b.size - a.size)
    const own = waitersOf.get(from)?.size ?? 0
    if (most === undefined || most[1].size <= own + 1) throw full
    const [longest, waiters] = most
    const newest = [...waiters].at(-1) as Waiter
    remove(longest, newest)
    newest.refuse(full)
  }

  const slot = (from: string, signal: AbortSignal): Promise<void> => {
    if (waiting >= mostWaiting) makePlaceFor(from)
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        remove(from, waiter)
        reject(signal.reason)
      }
      const leave = () => signal.removeEventListener('abort', giveUp)
      const waiter: Waiter = {
        begin() {
          leave()
          resolve()
        },
        refuse(reason) {
          leave()
          reject(reason)
        },
      }
      add(from, waiter)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  return async (work, signal, from) => {
    signal.throwIfAborted()
    active.note(from)
    if (canRun(from)) occupy(from)
    else await slot(from, signal)
    try {
      return await work()
    } finally {
      release(from)
    }
  }
}
