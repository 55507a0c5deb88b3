// How many requests to receivers a process makes at the same time, over all webhooks.

export interface RequestSlots {
  /**
   * Takes a slot. False while there is none: `wake` is called once when one is free again, in the order of asking, so that a webhook with much to
   * send does not hold back the others.
   */
  take(wake: () => void): boolean
  release(): void
  /** Wakes the next one if a slot is free: called by one that was woken and needs none. */
  pass(): void
  /** `wake` is not called any more. */
  forget(wake: () => void): void
}

export function openRequestSlots(most: number): RequestSlots {
  let taken = 0
  const waiting = new Set<() => void>()
  const wakeNext = (): void => {
    const [next] = waiting
    if (next === undefined || taken >= most) return
    waiting.delete(next)
    next()
  }
  return {
    take(wake) {
      if (taken >= most) {
        waiting.add(wake)
        return false
      }
      taken++
      return true
    },
    release() {
      taken--
      wakeNext()
    },
    pass: wakeNext,
    forget: (wake) => void waiting.delete(wake),
  }
}
