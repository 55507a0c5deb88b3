// How many requests to receivers a process makes at the same time, over all webhooks.

export interface RequestSlots {
  /**
   * Takes a slot. False while there is none: `wake` is called once when one is free again, in the order of asking, so that a webhook with much to
   * send does not hold back the others.
   */
  take(wake: () => void): boolean
  release(): void
}

export function openRequestSlots(most: number): RequestSlots {
  let taken = 0
  const waiting = new Set<() => void>()
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
      const [next] = waiting
      if (next === undefined) return
      waiting.delete(next)
      next()
    },
  }
}
