// One timer for all that a process does once a second: what an idle process costs is how often it wakes, not what it does then.

/**
 * Calls `work` once a second, together with all others, until the function that it returns is called. It keeps no process running.
 * An error of `work` is an uncaught exception, as in a timer of its own; the others are not called in that second.
 */
type EachSecond = (work: () => void) => () => void

/** The one of this process. */
export const eachSecond: EachSecond = sharedTimer()

export function sharedTimer(): EachSecond {
  const works = new Set<() => void>()
  let timer: NodeJS.Timeout | null = null
  return (work) => {
    const own = (): void => work() // a function that is given twice is called twice
    works.add(own)
    timer ??= setInterval(() => {
      for (const each of [...works]) each()
    }, 1_000).unref()
    return () => {
      works.delete(own)
      if (works.size > 0 || timer === null) return
      clearInterval(timer)
      timer = null
    }
  }
}
