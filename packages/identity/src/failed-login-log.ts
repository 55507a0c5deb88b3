// Refused logins, written to the audit log in batches after the answers. Only existing accounts have a row, so an answer that waited for
// it would reveal by its time which accounts exist. Logins for unknown accounts are collected and cost the same work: an SQLite commit
// stops the process for a millisecond or more, which other answers show.

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

export function openFailedLoginLog(identity: Pick<Identity, 'auditFailedLogins'>, options: FailedLoginLogOptions = {}): FailedLoginLog {
  const { writeWithinMs = 1_000, onLost = () => undefined } = options
  let waiting: FailedLogin[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const report = (count: number, cause: unknown) => {
    if (count > 0) onLost(count, cause)
  }
  const write = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = []
    report(dropped, null)
    dropped = 0
    if (batch.length > 0)
      writing = writing.then(() => identity.auditFailedLogins(batch).catch((cause: unknown) => report(entriesOf(batch), cause)))
    return writing
  }

  return {
    add(failed) {
      if (waiting.length >= MOST_WAITING) dropped += entriesOf([failed])
      else waiting.push(failed)
      timer ??= setTimeout(write, writeWithinMs).unref()
    },
    write,
    [Symbol.asyncDispose]: write,
  }
}

/** How many entries they make: unknown accounts have none. */
function entriesOf(failed: readonly FailedLogin[]): number {
  return failed.filter(({ userId }) => userId !== null).length
}
