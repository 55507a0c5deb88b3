/**
 * The promise, marked as handled. For work that is begun before something else is awaited, so that both run at the same time: if it fails before it is
 * awaited itself, or the other one fails and it never is, Node would end the process for an unhandled rejection. Who awaits it still gets the error.
 */
export function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
