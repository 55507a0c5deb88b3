// Checks API keys, and caches their rows for five seconds, so that most requests need no query. A change drops the cached row at
// once here and on every instance that the bus reaches; other instances read it again within those five seconds.

import { LRUCache } from 'lru-cache'
import { type AccessBus, type AccessChange, silentBus } from './access-bus.ts'
import { hashOf, prefixOf, sameHash } from './api-key.ts'
import type { Caller, Identity, StoredKey } from './identity.ts'
import { type LastUsedRecorderOptions, openLastUsedRecorder } from './last-used-recorder.ts'

export interface ApiKeyAuthenticator extends AsyncDisposable {
  /**
   * Null for a wrong, revoked or expired key: the answer does not reveal which. Records the use of a valid key.
   * @param maxAgeMs How long before the call the query for the key may have been sent. Default and maximum: five seconds.
   */
  authenticate(key: string, maxAgeMs?: number): Promise<Caller | null>
  /** Drops the changed entries here and publishes the change to other instances. Never rejects: they see it within five seconds anyway. */
  changed(change: AccessChange): Promise<void>
  /** Writes the uses that are not yet in the database. */
  writeUses(): Promise<void>
}

export interface ApiKeyAuthenticatorOptions extends LastUsedRecorderOptions {
  readonly identity: Pick<Identity, 'keyByPrefix' | 'recordUses'>
  readonly bus?: AccessBus
  /** Unix milliseconds. */
  readonly now?: () => number
  /** Called when a change could not be published to the other instances. */
  readonly onPublishError?: (cause: unknown) => void
}

/** How long an instance that missed the message may accept a revoked key. */
const CACHE_TTL_MS = 5_000
/** Known keys and unknown prefixes have separate caches, so that guesses cannot evict keys in use. */
const KEYS = 10_000
const UNKNOWN_PREFIXES = 10_000
const NO_HASH = '0'.repeat(64)

interface CachedKey {
  readonly key: StoredKey | null
  /** When the query was sent: the answer may lack later changes. */
  readonly queriedAtMs: number
}

interface PendingKey {
  readonly key: Promise<StoredKey | null>
  readonly queriedAtMs: number
}

export function openApiKeyAuthenticator(options: ApiKeyAuthenticatorOptions): ApiKeyAuthenticator {
  const { identity, bus = silentBus(), now = Date.now, onPublishError = () => undefined } = options
  const keys = new LRUCache<string, CachedKey>({ maxSize: KEYS, sizeCalculation: () => 1 })
  const unknownPrefixes = new LRUCache<string, CachedKey>({ maxSize: UNKNOWN_PREFIXES, sizeCalculation: () => 1 })
  const pending = new Map<string, PendingKey>()
  const uses = openLastUsedRecorder(identity, options)

  const dropCached = (change: AccessChange): void => {
    // A query under way may return the row from before the change: only its current callers get that row, and it is not cached.
    pending.clear()
    if (change === 'everything') {
      keys.clear()
      unknownPrefixes.clear()
    } else if ('prefix' in change) {
      keys.delete(change.prefix)
      unknownPrefixes.delete(change.prefix)
    } else {
      for (const [prefix, { key }] of keys.entries()) if (key?.caller.organizationId === change.organizationId) keys.delete(prefix)
    }
  }
  bus.subscribe(dropCached)

  const query = (prefix: string): Promise<StoredKey | null> => {
    const queriedAtMs = now()
    const key = identity.keyByPrefix(prefix).then((key) => {
      if (pending.get(prefix) !== sent) return key
      const [of, other] = key === null ? [unknownPrefixes, keys] : [keys, unknownPrefixes]
      of.set(prefix, { key, queriedAtMs })
      other.delete(prefix)
      return key
    })
    const sent = { key, queriedAtMs }
    pending.set(prefix, sent)
    const done = () => {
      if (pending.get(prefix) === sent) pending.delete(prefix)
    }
    key.then(done, done)
    return key
  }

  const storedKeyOf = (prefix: string, maxAgeMs: number): StoredKey | null | Promise<StoredKey | null> => {
    // After the clock was set back, the age of an entry is negative: it is read again.
    const isFresh = ({ queriedAtMs }: { readonly queriedAtMs: number }): boolean => {
      const ageMs = now() - queriedAtMs
      return ageMs >= 0 && ageMs < maxAgeMs
    }
    const cached = keys.get(prefix) ?? unknownPrefixes.get(prefix)
    if (cached !== undefined && isFresh(cached)) return cached.key
    const sent = pending.get(prefix)
    return sent !== undefined && isFresh(sent) ? sent.key : query(prefix)
  }

  return {
    async authenticate(key, maxAgeMs = CACHE_TTL_MS) {
      const prefix = prefixOf(key)
      if (prefix === null) return null
      const stored = await storedKeyOf(prefix, Math.min(maxAgeMs, CACHE_TTL_MS))
      // Hashed and compared also when there is no such prefix: the answer takes the same time.
      const matches = sameHash(stored?.hash ?? NO_HASH, hashOf(key))
      if (stored === null || !matches || stored.revokedAtMs !== null) return null
      const nowMs = now()
      if (stored.expiresAtMs !== null && stored.expiresAtMs <= nowMs) return null
      uses.record(stored.caller.apiKeyId, stored.lastUsedAtMs, nowMs)
      return stored.caller
    },

    async changed(change) {
      dropCached(change)
      await bus.publish(change).catch(onPublishError)
    },

    writeUses: () => uses.write(),
    [Symbol.asyncDispose]: () => uses[Symbol.asyncDispose](),
  }
}
