// Ctrl-C and the supervisor's SIGTERM, for a command that then gives up with an error: its exit code must not be that of success.

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

export interface AbortOnSignals extends Disposable {
  /** Aborts with `reason` at the first signal. The second one ends the process at once. */
  readonly signal: AbortSignal
}

export function abortOnSignals(reason: Error): AbortOnSignals {
  const stop = new AbortController()
  const abort = (): void => {
    release()
    stop.abort(reason)
  }
  const release = (): void => {
    for (const name of SIGNALS) process.off(name, abort)
  }
  for (const name of SIGNALS) process.on(name, abort)
  return { signal: stop.signal, [Symbol.dispose]: release }
}
