// Judges API keys, and remembers for five seconds what the database said, so that a request costs no statement. What changes is forgotten at
// once here and wherever the bus is heard; elsewhere it is asked for again within those five seconds.

import { LRUCache } from 'lru-cache'
import { type AccessBus, type AccessChange, silentBus } from './access-bus.ts'
import { hashOf, prefixOf, sameHash } from './api-key.ts'
import type { Caller, Identity, StoredKey } from './identity.ts'
import { openUseNotes, type UseNotesOptions } from './use-notes.ts'

export interface Doorkeeper extends AsyncDisposable {
  /** Null for a wrong, revoked or expired key: nobody learns which. The use of a good one is noted. */
  callerOf(key: string): Promise<Caller | null>
  /** Forgets what has changed, here at once, and tells the other instances. Never rejects: they know within five seconds anyway. */
  changed(change: AccessChange): Promise<void>
  /** Writes down the uses that are not yet in the database. */
  writeUses(): Promise<void>
}

export interface DoorkeeperOptions extends UseNotesOptions {
  readonly identity: Pick<Identity, 'keyByPrefix' | 'noteUses'>
  readonly bus?: AccessBus
  /** Unix milliseconds. */
  readonly now?: () => number
  /** Told when the other instances could not be. */
  readonly onSilence?: (cause: unknown) => void
}

/** How long a revocation may go unseen by an instance that did not hear of it. */
const BELIEVED_FOR_MS = 5_000
/** Keys in use, and prefixes that nobody has: apart, so that guesses cannot push out what is used. */
const KEYS = 10_000
const NOBODYS = 10_000
const NO_HASH = '0'.repeat(64)

interface Believed {
  readonly key: StoredKey | null
  /** When the question went to the database: what happened afterwards may not be in the answer. */
  readonly askedAtMs: number
}

export function openDoorkeeper(options: DoorkeeperOptions): Doorkeeper {
  const { identity, bus = silentBus(), now = Date.now, onSilence = () => undefined } = options
  const keys = new LRUCache<string, Believed>({ max: KEYS })
  const nobodys = new LRUCache<string, Believed>({ max: NOBODYS })
  const asking = new Map<string, Promise<StoredKey | null>>()
  const uses = openUseNotes(identity, options)

  const forget = (change: AccessChange): void => {
    // An answer that is on its way may be from before the change: it is given to who waits for it, and neither kept nor given to anybody else.
    asking.clear()
    if (change === 'everything') {
      keys.clear()
      nobodys.clear()
    } else if ('prefix' in change) {
      keys.delete(change.prefix)
      nobodys.delete(change.prefix)
    } else {
      for (const [prefix, { key }] of keys.entries()) if (key?.caller.organizationId === change.organizationId) keys.delete(prefix)
    }
  }
  bus.hear(forget)

  const ask = (prefix: string): Promise<StoredKey | null> => {
    const askedAtMs = now()
    const answer = identity.keyByPrefix(prefix).then((key) => {
      if (asking.get(prefix) === answer) (key === null ? nobodys : keys).set(prefix, { key, askedAtMs })
      return key
    })
    asking.set(prefix, answer)
    const done = () => {
      if (asking.get(prefix) === answer) asking.delete(prefix)
    }
    answer.then(done, done)
    return answer
  }

  const keyBehind = (prefix: string): StoredKey | null | Promise<StoredKey | null> => {
    const believed = keys.get(prefix) ?? nobodys.get(prefix)
    const ageMs = believed === undefined ? Number.POSITIVE_INFINITY : now() - believed.askedAtMs
    // A clock that was set back makes an answer of the future, which is no newer than any other.
    if (believed !== undefined && ageMs >= 0 && ageMs < BELIEVED_FOR_MS) return believed.key
    keys.delete(prefix)
    nobodys.delete(prefix)
    return asking.get(prefix) ?? ask(prefix)
  }

  return {
    async callerOf(key) {
      const prefix = prefixOf(key)
      if (prefix === null) return null
      const stored = await keyBehind(prefix)
      // Hashed and compared also when there is no such prefix: the answer takes the same time.
      const matches = sameHash(stored?.hash ?? NO_HASH, hashOf(key))
      if (stored === null || !matches || stored.revokedAtMs !== null) return null
      const nowMs = now()
      if (stored.expiresAtMs !== null && stored.expiresAtMs <= nowMs) return null
      uses.note(stored.caller.apiKeyId, stored.lastUsedAtMs, nowMs)
      return stored.caller
    },

    async changed(change) {
      forget(change)
      await bus.tell(change).catch(onSilence)
    },

    writeUses: () => uses.write(),
    [Symbol.asyncDispose]: () => uses[Symbol.asyncDispose](),
  }
}
