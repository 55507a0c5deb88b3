// Whether the keys of open streams are still valid. A stream ends within five seconds of the revocation of its key, also where no message of the
// revocation arrives, and where the database of organizations does not answer: a key that cannot be confirmed may have been revoked.

import type { ApiKeyAuthenticator } from '@orrery/identity'
import type { Logger } from '@orrery/service-kit'

export interface KeyWatch {
  /** Calls `end` when the key has become invalid, or could not be confirmed for too long. Returns what ends the watch. */
  watch(key: string, end: (reason: 'key_invalid' | 'failed') => void): () => void
  /** Ends all watches. */
  close(): void
}

export interface KeyWatchParts {
  readonly authenticator: Pick<ApiKeyAuthenticator, 'authenticate'>
  readonly logger: Logger
  /** Milliseconds since any moment. */
  readonly now: () => number
  readonly everyMs: number
}

/** Keys are read again when what is known of them is older: the database has more than two seconds for the answer. */
const MAX_AGE_MS = 2_000
/** With the half second between two checks: five seconds. */
const MAX_UNCONFIRMED_MS = 4_500
/** After the process stood still, an answer that has arrived is handled between the first and the second check. */
const CHECKS_WITHOUT_ANSWER = 2

interface WatchedKey {
  readonly ends: Set<(reason: 'key_invalid' | 'failed') => void>
  /** The database has confirmed the key at this time or later. */
  confirmedAtMs: number
  /** Times at which it was to be checked while a check had no answer. Null: none is in progress. */
  waited: number | null
}

export function openKeyWatch({ authenticator, logger, now, everyMs }: KeyWatchParts): KeyWatch {
  const watched = new Map<string, WatchedKey>()

  const end = (key: string, reason: 'key_invalid' | 'failed'): void => {
    const ends = watched.get(key)?.ends ?? []
    watched.delete(key)
    for (const each of ends) each(reason)
  }

  const isOverdue = ({ confirmedAtMs }: WatchedKey): boolean => now() - confirmedAtMs >= MAX_UNCONFIRMED_MS

  const check = async (key: string, state: WatchedKey): Promise<void> => {
    const startedAtMs = now()
    state.waited = 0
    try {
      const caller = await authenticator.authenticate(key, MAX_AGE_MS)
      if (watched.get(key) !== state) return
      if (caller?.scopes.includes('data:read') !== true) return end(key, 'key_invalid')
      state.confirmedAtMs = startedAtMs - MAX_AGE_MS
    } catch (err) {
      logger.debug({ err }, 'Could not check a key of streams')
      if (watched.get(key) === state && isOverdue(state)) end(key, 'failed')
    } finally {
      state.waited = null
    }
  }

  const checkAll = (): void => {
    for (const [key, state] of [...watched]) {
      if (state.waited === null) void check(key, state)
      else if (++state.waited >= CHECKS_WITHOUT_ANSWER && isOverdue(state)) end(key, 'failed')
    }
    if (watched.size === 0) stop()
  }
  /** Null while no stream is open. */
  let timer: NodeJS.Timeout | null = null
  const stop = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
  }

  return {
    watch(key, onEnd) {
      let state = watched.get(key)
      if (state === undefined) {
        // The request was served with a key that was read up to five seconds ago: it is checked at once.
        state = { ends: new Set(), confirmedAtMs: now() - MAX_AGE_MS, waited: null }
        watched.set(key, state)
        timer ??= setInterval(checkAll, everyMs).unref()
        void check(key, state)
      }
      const { ends } = state
      ends.add(onEnd)
      return () => {
        ends.delete(onEnd)
        if (ends.size === 0 && watched.get(key)?.ends === ends) watched.delete(key)
      }
    },
    close() {
      stop()
      watched.clear()
    },
  }
}
