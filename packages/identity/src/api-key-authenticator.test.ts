import { describe, expect, it, vi } from 'vitest'
import type { AccessChange } from './access-bus.ts'
import { hashOf, makeApiKey, prefixOf } from './api-key.ts'
import { type ApiKeyAuthenticatorOptions, openApiKeyAuthenticator } from './api-key-authenticator.ts'
import type { StoredKey } from './identity.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)

/** Keys as a database has them, which counts the questions and lets a test hold an answer back. */
function aStore() {
  const keys = new Map<string, StoredKey>()
  const queries: string[] = []
  const recorded: [readonly string[], number][] = []
  let gate: Promise<void> = Promise.resolve()
  return {
    queries,
    recorded,
    add(change: Partial<StoredKey> = {}) {
      const key = makeApiKey()
      const prefix = prefixOf(key) ?? ''
      const caller = {
        apiKeyId: `id of ${prefix}`,
        scopes: ['data:read'],
        organizationId: 'acme',
        organizationSlug: 'acme',
        requestsPerMinute: 5,
        streamsAtOnce: 2,
      } as const
      const stored: StoredKey = { hash: hashOf(key), lastUsedAtMs: null, expiresAtMs: null, revokedAtMs: null, caller, ...change }
      keys.set(prefix, stored)
      return { key, prefix, caller: stored.caller }
    },
    revoke(prefix: string) {
      const stored = keys.get(prefix)
      if (stored !== undefined) keys.set(prefix, { ...stored, revokedAtMs: NOON_MS })
    },
    /** Until it is called, answers stay on their way. What they say was read before. */
    hold() {
      const held = Promise.withResolvers<void>()
      gate = held.promise
      return held.resolve
    },
    identity: {
      async keyByPrefix(prefix: string) {
        queries.push(prefix)
        const answer = keys.get(prefix) ?? null
        await gate
        return answer
      },
      async recordUses(ids: readonly string[], atMs: number) {
        recorded.push([ids, atMs])
      },
    },
  }
}

function open(given: Partial<ApiKeyAuthenticatorOptions> = {}) {
  const store = aStore()
  const clock = { nowMs: NOON_MS }
  const authenticator = openApiKeyAuthenticator({ identity: store.identity, now: () => clock.nowMs, ...given })
  return { store, clock, authenticator }
}

describe('the API key authenticator', () => {
  it('the API key authenticator queries the database once for a key, and again after five seconds', async () => {
    const { store, clock, authenticator } = open()
    const { key, prefix, caller } = store.add()
    for (let n = 0; n < 3; n++) expect(await authenticator.authenticate(key)).toEqual(caller)
    expect(store.queries).toEqual([prefix])
    clock.nowMs += 4_999
    await authenticator.authenticate(key)
    expect(store.queries).toHaveLength(1)
    clock.nowMs += 1
    await authenticator.authenticate(key)
    expect(store.queries).toHaveLength(2)
  })

  it('the API key authenticator refuses a key that was revoked elsewhere five seconds after its last query, also when the bus delivers nothing', async () => {
    const { store, clock, authenticator } = open()
    const { key, prefix } = store.add()
    await authenticator.authenticate(key)
    store.revoke(prefix)
    clock.nowMs += 5_000
    expect(await authenticator.authenticate(key)).toBeNull()
  })

  it('the API key authenticator queries again for a caller that does not accept what is older, and waits for no query that was sent earlier', async () => {
    const { store, clock, authenticator } = open()
    const { key, prefix } = store.add()
    await authenticator.authenticate(key)
    clock.nowMs += 1_999
    await authenticator.authenticate(key, 2_000)
    expect(store.queries).toHaveLength(1)
    clock.nowMs += 1
    const release = store.hold()
    const early = authenticator.authenticate(key, 2_000)
    store.revoke(prefix)
    clock.nowMs += 2_000
    const late = authenticator.authenticate(key, 2_000)
    release()
    expect(await early).not.toBeNull()
    expect(await late).toBeNull()
    expect(await authenticator.authenticate(key)).toBeNull()
    expect(store.queries).toHaveLength(3)
  })

  it('the API key authenticator accepts nothing that is older than five seconds, whatever its caller would accept', async () => {
    const { store, clock, authenticator } = open()
    const { key } = store.add()
    await authenticator.authenticate(key)
    clock.nowMs += 5_000
    await authenticator.authenticate(key, 60_000)
    expect(store.queries).toHaveLength(2)
  })

  it('the API key authenticator refuses an expired key without a query', async () => {
    const { store, clock, authenticator } = open()
    const { key } = store.add({ expiresAtMs: NOON_MS + 1_000 })
    clock.nowMs += 999
    expect(await authenticator.authenticate(key)).not.toBeNull()
    clock.nowMs += 1
    expect(await authenticator.authenticate(key)).toBeNull()
    expect(store.queries).toHaveLength(1)
  })

  it('the API key authenticator answers many concurrent requests for the same key with one query', async () => {
    const { store, authenticator } = open()
    const { key, caller } = store.add()
    expect(await Promise.all(Array.from({ length: 50 }, () => authenticator.authenticate(key)))).toEqual(Array(50).fill(caller))
    expect(store.queries).toHaveLength(1)
  })

  it('the API key authenticator does not query the database for text that cannot be a key, and caches an unknown prefix', async () => {
    const { store, clock, authenticator } = open()
    for (const text of ['', 'wrong', 'ory_abcdefgh', `${makeApiKey()}x`, '\u0000'])
      expect(await authenticator.authenticate(text)).toBeNull()
    expect(store.queries).toEqual([])
    const unknownKey = makeApiKey()
    for (let n = 0; n < 3; n++) expect(await authenticator.authenticate(unknownKey)).toBeNull()
    expect(store.queries).toHaveLength(1)
    clock.nowMs += 5_000
    await authenticator.authenticate(unknownKey)
    expect(store.queries).toHaveLength(2)
  })

  it('the API key authenticator does not take the right prefix with another secret', async () => {
    const { store, authenticator } = open()
    const { key, prefix } = store.add()
    const other = makeApiKey()
    expect(await authenticator.authenticate(key)).not.toBeNull()
    expect(await authenticator.authenticate(prefix + other.slice(prefix.length))).toBeNull()
  })

  it('the API key authenticator keeps the keys in use however many prefixes are guessed', async () => {
    const { store, authenticator } = open()
    const { key } = store.add()
    await authenticator.authenticate(key)
    for (let n = 0; n < 20_000; n++) {
      const guess = `ory_${String(n).padStart(8, '0')}_${'0'.repeat(43)}`
      await authenticator.authenticate(guess)
    }
    const before = store.queries.length
    await authenticator.authenticate(key)
    expect(store.queries).toHaveLength(before)
  })

  it('the API key authenticator does not use a cached answer after the clock was set back', async () => {
    const { store, clock, authenticator } = open()
    const { key } = store.add()
    await authenticator.authenticate(key)
    clock.nowMs -= 3_600_000
    await authenticator.authenticate(key)
    expect(store.queries).toHaveLength(2)
  })

  it('the API key authenticator queries again after a failure of the database, and does not count it as a wrong key', async () => {
    const { store } = open()
    const { key } = store.add()
    const keyByPrefix = vi.fn(store.identity.keyByPrefix).mockRejectedValueOnce(new Error('away'))
    const authenticator = openApiKeyAuthenticator({ identity: { ...store.identity, keyByPrefix } })
    await expect(authenticator.authenticate(key)).rejects.toThrow('away')
    expect(await authenticator.authenticate(key)).not.toBeNull()
  })
})

describe('a change', () => {
  it('a change of a key applies at once, and other keys stay cached', async () => {
    const { store, authenticator } = open()
    const [leaked, other] = [store.add(), store.add()]
    await Promise.all([authenticator.authenticate(leaked.key), authenticator.authenticate(other.key)])
    store.revoke(leaked.prefix)
    await authenticator.changed({ prefix: leaked.prefix })
    expect(await authenticator.authenticate(leaked.key)).toBeNull()
    expect(await authenticator.authenticate(other.key)).not.toBeNull()
    expect(store.queries.filter((prefix) => prefix === other.prefix)).toHaveLength(1)
  })

  it('a change of an organization applies at once to all its keys', async () => {
    const { store, authenticator } = open()
    const mine = store.add()
    const theirs = store.add({ caller: { ...mine.caller, organizationId: 'other' } })
    await Promise.all([authenticator.authenticate(mine.key), authenticator.authenticate(theirs.key)])
    await authenticator.changed({ organizationId: 'acme' })
    await Promise.all([authenticator.authenticate(mine.key), authenticator.authenticate(theirs.key)])
    expect(store.queries).toEqual([mine.prefix, theirs.prefix, mine.prefix])
  })

  it('a change is not undone by a database answer that was under way: it is neither cached nor given to later requests', async () => {
    const { store, authenticator } = open()
    const { key, prefix } = store.add()
    const release = store.hold()
    const early = authenticator.authenticate(key)
    store.revoke(prefix)
    await authenticator.changed({ prefix })
    const late = authenticator.authenticate(key)
    release()
    expect(await early).not.toBeNull()
    expect(await late).toBeNull()
    expect(await authenticator.authenticate(key)).toBeNull()
  })

  it('a change that another instance publishes is applied, and a change made here is published', async () => {
    let listener: (change: AccessChange) => void = () => undefined
    const published: AccessChange[] = []
    const { store, authenticator } = open({
      bus: {
        publish: async (change) => void published.push(change),
        subscribe: (given) => {
          listener = given
        },
        [Symbol.asyncDispose]: async () => undefined,
      },
    })
    const { key, prefix } = store.add()
    await authenticator.authenticate(key)
    store.revoke(prefix)
    listener('everything')
    expect(await authenticator.authenticate(key)).toBeNull()
    await authenticator.changed({ prefix })
    expect(published).toEqual([{ prefix }])
  })

  it('a change applies to this instance also when the bus is not reachable', async () => {
    const failures: unknown[] = []
    const bus = {
      publish: () => Promise.reject(new Error('no bus')),
      subscribe: () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    }
    const { store, authenticator } = open({ bus, onPublishError: (cause) => failures.push(cause) })
    const { key, prefix } = store.add()
    await authenticator.authenticate(key)
    store.revoke(prefix)
    await authenticator.changed({ prefix })
    expect(await authenticator.authenticate(key)).toBeNull()
    expect(failures).toHaveLength(1)
  })
})

describe('a use', () => {
  it('uses are written once a minute for each key, several keys together', async () => {
    const { store, clock, authenticator } = open()
    const [one, two] = [store.add(), store.add()]
    for (let second = 0; second < 60; second++) {
      clock.nowMs = NOON_MS + second * 1000
      for (const { key } of [one, two]) await authenticator.authenticate(key)
      await authenticator.writeUses()
    }
    expect(store.recorded).toEqual([[[one.caller.apiKeyId, two.caller.apiKeyId], NOON_MS]])
    clock.nowMs = NOON_MS + 60_000
    await authenticator.authenticate(one.key)
    await authenticator.writeUses()
    expect(store.recorded.slice(1)).toEqual([[[one.caller.apiKeyId], NOON_MS + 60_000]])
  })

  it('the use of a refused key is not recorded, nor a use within a minute of the stored one', async () => {
    const { store, authenticator } = open()
    const used = store.add({ lastUsedAtMs: NOON_MS - 59_999 })
    const revoked = store.add({ revokedAtMs: NOON_MS })
    for (const { key } of [used, revoked]) await authenticator.authenticate(key)
    await authenticator.writeUses()
    expect(store.recorded).toEqual([])
  })

  it('uses are written after a second without a call, and on disposal', async () => {
    const written = Promise.withResolvers<void>()
    const store = aStore()
    const recordUses = async (ids: readonly string[], atMs: number) => {
      store.recorded.push([ids, atMs])
      written.resolve()
    }
    const authenticator = openApiKeyAuthenticator({ identity: { ...store.identity, recordUses }, now: () => NOON_MS, writeWithinMs: 1 })
    await authenticator.authenticate(store.add().key)
    await written.promise
    await authenticator.authenticate(store.add().key)
    await authenticator[Symbol.asyncDispose]()
    expect(store.recorded).toHaveLength(2)
  })

  it('a use that cannot be written is reported and delays no request', async () => {
    const unwritten: unknown[] = []
    const store = aStore()
    const recordUses = () => Promise.reject(new Error('disk full'))
    const authenticator = openApiKeyAuthenticator({
      identity: { ...store.identity, recordUses },
      onUnwritten: (cause) => unwritten.push(cause),
    })
    expect(await authenticator.authenticate(store.add().key)).not.toBeNull()
    await authenticator.writeUses()
    expect(unwritten).toHaveLength(1)
  })
})
