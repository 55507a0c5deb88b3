// Refused logins, written to the audit log in batches after the answers. Only existing accounts have a row, so an answer that waited for
// it would reveal by its time which accounts exist.

import type { FailedLogin, Identity } from './identity.ts'

export interface FailedLoginLog extends AsyncDisposable {
  add(failed: FailedLogin): void
  /** Writes the collected entries, and waits for writes under way. */
  write(): Promise<void>
}

export interface FailedLoginLogOptions {
  /** How long an entry may wait to be written with others. Default one second. */
  readonly writeWithinMs?: number
  /** Called with how many entries were lost, and why: null when the queue was full. */
  readonly onLost?: (count: number, cause: unknown) => void
}

/** Passwords take a core for some 30 ms each, so a second brings fewer. */
const MOST_WAITING = 1_000

export function openFailedLoginLog(identity: Pick<Identity, 'auditFailedLogin'>, options: FailedLoginLogOptions = {}): FailedLoginLog {
  const { writeWithinMs = 1_000, onLost = () => undefined } = options
  let waiting: FailedLogin[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const write = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = []
    if (dropped > 0) onLost(dropped, null)
    dropped = 0
    writing = writing.then(async () => {
      for (const failed of batch) await identity.auditFailedLogin(failed).catch((cause: unknown) => onLost(1, cause))
    })
    return writing
  }

  return {
    add(failed) {
      if (waiting.length >= MOST_WAITING) dropped += 1
      else waiting.push(failed)
      timer ??= setTimeout(write, writeWithinMs).unref()
    },
    write,
    [Symbol.asyncDispose]: write,
  }
}
