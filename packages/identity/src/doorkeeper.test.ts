import { describe, expect, it, vi } from 'vitest'
import type { AccessChange } from './access-bus.ts'
import { hashOf, makeApiKey, prefixOf } from './api-key.ts'
import { type DoorkeeperOptions, openDoorkeeper } from './doorkeeper.ts'
import type { StoredKey } from './identity.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)

/** Keys as a database has them, which counts the questions and lets a test hold an answer back. */
function aStore() {
  const keys = new Map<string, StoredKey>()
  const asked: string[] = []
  const noted: [readonly string[], number][] = []
  let gate: Promise<void> = Promise.resolve()
  return {
    asked,
    noted,
    add(change: Partial<StoredKey> = {}) {
      const key = makeApiKey()
      const prefix = prefixOf(key) ?? ''
      const caller = {
        apiKeyId: `id of ${prefix}`,
        scopes: ['data:read'],
        organizationId: 'acme',
        organizationSlug: 'acme',
        requestsPerMinute: 5,
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
        asked.push(prefix)
        const answer = keys.get(prefix) ?? null
        await gate
        return answer
      },
      async noteUses(ids: readonly string[], atMs: number) {
        noted.push([ids, atMs])
      },
    },
  }
}

function open(given: Partial<DoorkeeperOptions> = {}) {
  const store = aStore()
  const clock = { nowMs: NOON_MS }
  const doorkeeper = openDoorkeeper({ identity: store.identity, now: () => clock.nowMs, ...given })
  return { store, clock, doorkeeper }
}

describe('a doorkeeper', () => {
  it('asks the database once for a key, and again after five seconds', async () => {
    const { store, clock, doorkeeper } = open()
    const { key, prefix, caller } = store.add()
    for (let n = 0; n < 3; n++) expect(await doorkeeper.callerOf(key)).toEqual(caller)
    expect(store.asked).toEqual([prefix])
    clock.nowMs += 4_999
    await doorkeeper.callerOf(key)
    expect(store.asked).toHaveLength(1)
    clock.nowMs += 1
    await doorkeeper.callerOf(key)
    expect(store.asked).toHaveLength(2)
  })

  it('refuses a key that was revoked elsewhere five seconds after it last asked, and a bus that nobody hears changes nothing about that', async () => {
    const { store, clock, doorkeeper } = open()
    const { key, prefix } = store.add()
    await doorkeeper.callerOf(key)
    store.revoke(prefix)
    clock.nowMs += 5_000
    expect(await doorkeeper.callerOf(key)).toBeNull()
  })

  it('refuses an expired key without asking anybody', async () => {
    const { store, clock, doorkeeper } = open()
    const { key } = store.add({ expiresAtMs: NOON_MS + 1_000 })
    clock.nowMs += 999
    expect(await doorkeeper.callerOf(key)).not.toBeNull()
    clock.nowMs += 1
    expect(await doorkeeper.callerOf(key)).toBeNull()
    expect(store.asked).toHaveLength(1)
  })

  it('answers many who ask for the same key at once with one question', async () => {
    const { store, doorkeeper } = open()
    const { key, caller } = store.add()
    expect(await Promise.all(Array.from({ length: 50 }, () => doorkeeper.callerOf(key)))).toEqual(Array(50).fill(caller))
    expect(store.asked).toHaveLength(1)
  })

  it('asks nobody for what cannot be a key, and remembers a prefix that nobody has', async () => {
    const { store, clock, doorkeeper } = open()
    for (const text of ['', 'wrong', 'ory_abcdefgh', `${makeApiKey()}x`, '\u0000']) expect(await doorkeeper.callerOf(text)).toBeNull()
    expect(store.asked).toEqual([])
    const stranger = makeApiKey()
    for (let n = 0; n < 3; n++) expect(await doorkeeper.callerOf(stranger)).toBeNull()
    expect(store.asked).toHaveLength(1)
    clock.nowMs += 5_000
    await doorkeeper.callerOf(stranger)
    expect(store.asked).toHaveLength(2)
  })

  it('does not take the right prefix with another secret', async () => {
    const { store, doorkeeper } = open()
    const { key, prefix } = store.add()
    const other = makeApiKey()
    expect(await doorkeeper.callerOf(key)).not.toBeNull()
    expect(await doorkeeper.callerOf(prefix + other.slice(prefix.length))).toBeNull()
  })

  it('keeps the keys in use however many prefixes are guessed', async () => {
    const { store, doorkeeper } = open()
    const { key } = store.add()
    await doorkeeper.callerOf(key)
    for (let n = 0; n < 20_000; n++) {
      const guess = `ory_${String(n).padStart(8, '0')}_${'0'.repeat(43)}`
      await doorkeeper.callerOf(guess)
    }
    const before = store.asked.length
    await doorkeeper.callerOf(key)
    expect(store.asked).toHaveLength(before)
  })

  it('does not go by an answer from a clock that was set back', async () => {
    const { store, clock, doorkeeper } = open()
    const { key } = store.add()
    await doorkeeper.callerOf(key)
    clock.nowMs -= 3_600_000
    await doorkeeper.callerOf(key)
    expect(store.asked).toHaveLength(2)
  })

  it('asks again after a failure of the database, which is nobody’s wrong key', async () => {
    const { store } = open()
    const { key } = store.add()
    const keyByPrefix = vi.fn(store.identity.keyByPrefix).mockRejectedValueOnce(new Error('away'))
    const doorkeeper = openDoorkeeper({ identity: { ...store.identity, keyByPrefix } })
    await expect(doorkeeper.callerOf(key)).rejects.toThrow('away')
    expect(await doorkeeper.callerOf(key)).not.toBeNull()
  })
})

describe('a change', () => {
  it('of a key is seen at once, and other keys are not asked for again', async () => {
    const { store, doorkeeper } = open()
    const [leaked, other] = [store.add(), store.add()]
    await Promise.all([doorkeeper.callerOf(leaked.key), doorkeeper.callerOf(other.key)])
    store.revoke(leaked.prefix)
    await doorkeeper.changed({ prefix: leaked.prefix })
    expect(await doorkeeper.callerOf(leaked.key)).toBeNull()
    expect(await doorkeeper.callerOf(other.key)).not.toBeNull()
    expect(store.asked.filter((prefix) => prefix === other.prefix)).toHaveLength(1)
  })

  it('of an organization is seen at once by all its keys', async () => {
    const { store, doorkeeper } = open()
    const mine = store.add()
    const theirs = store.add({ caller: { ...mine.caller, organizationId: 'other' } })
    await Promise.all([doorkeeper.callerOf(mine.key), doorkeeper.callerOf(theirs.key)])
    await doorkeeper.changed({ organizationId: 'acme' })
    await Promise.all([doorkeeper.callerOf(mine.key), doorkeeper.callerOf(theirs.key)])
    expect(store.asked).toEqual([mine.prefix, theirs.prefix, mine.prefix])
  })

  it('is not undone by an answer that was on its way: it is neither kept nor given to anybody who asks later', async () => {
    const { store, doorkeeper } = open()
    const { key, prefix } = store.add()
    const release = store.hold()
    const early = doorkeeper.callerOf(key)
    store.revoke(prefix)
    await doorkeeper.changed({ prefix })
    const late = doorkeeper.callerOf(key)
    release()
    expect(await early).not.toBeNull()
    expect(await late).toBeNull()
    expect(await doorkeeper.callerOf(key)).toBeNull()
  })

  it('that others tell is heard, and what this one changes is told', async () => {
    let heard: (change: AccessChange) => void = () => undefined
    const told: AccessChange[] = []
    const { store, doorkeeper } = open({
      bus: {
        tell: async (change) => void told.push(change),
        hear: (listener) => {
          heard = listener
        },
        [Symbol.asyncDispose]: async () => undefined,
      },
    })
    const { key, prefix } = store.add()
    await doorkeeper.callerOf(key)
    store.revoke(prefix)
    heard('everything')
    expect(await doorkeeper.callerOf(key)).toBeNull()
    await doorkeeper.changed({ prefix })
    expect(told).toEqual([{ prefix }])
  })

  it('holds here also when nobody can be told', async () => {
    const silence: unknown[] = []
    const bus = { tell: () => Promise.reject(new Error('no bus')), hear: () => undefined, [Symbol.asyncDispose]: async () => undefined }
    const { store, doorkeeper } = open({ bus, onSilence: (cause) => silence.push(cause) })
    const { key, prefix } = store.add()
    await doorkeeper.callerOf(key)
    store.revoke(prefix)
    await doorkeeper.changed({ prefix })
    expect(await doorkeeper.callerOf(key)).toBeNull()
    expect(silence).toHaveLength(1)
  })
})

describe('a use', () => {
  it('is written once a minute for each key, several keys together', async () => {
    const { store, clock, doorkeeper } = open()
    const [one, two] = [store.add(), store.add()]
    for (let second = 0; second < 60; second++) {
      clock.nowMs = NOON_MS + second * 1000
      for (const { key } of [one, two]) await doorkeeper.callerOf(key)
      await doorkeeper.writeUses()
    }
    expect(store.noted).toEqual([[[one.caller.apiKeyId, two.caller.apiKeyId], NOON_MS]])
    clock.nowMs = NOON_MS + 60_000
    await doorkeeper.callerOf(one.key)
    await doorkeeper.writeUses()
    expect(store.noted.slice(1)).toEqual([[[one.caller.apiKeyId], NOON_MS + 60_000]])
  })

  it('is not noted of a refused key, nor within a minute of what the database knows', async () => {
    const { store, doorkeeper } = open()
    const used = store.add({ lastUsedAtMs: NOON_MS - 59_999 })
    const revoked = store.add({ revokedAtMs: NOON_MS })
    for (const { key } of [used, revoked]) await doorkeeper.callerOf(key)
    await doorkeeper.writeUses()
    expect(store.noted).toEqual([])
  })

  it('is written when nobody asks for it, and before the end', async () => {
    const written = Promise.withResolvers<void>()
    const store = aStore()
    const noteUses = async (ids: readonly string[], atMs: number) => {
      store.noted.push([ids, atMs])
      written.resolve()
    }
    const doorkeeper = openDoorkeeper({ identity: { ...store.identity, noteUses }, now: () => NOON_MS, writeWithinMs: 1 })
    await doorkeeper.callerOf(store.add().key)
    await written.promise
    await doorkeeper.callerOf(store.add().key)
    await doorkeeper[Symbol.asyncDispose]()
    expect(store.noted).toHaveLength(2)
  })

  it('that cannot be written is told and holds nobody up', async () => {
    const unwritten: unknown[] = []
    const store = aStore()
    const noteUses = () => Promise.reject(new Error('disk full'))
    const doorkeeper = openDoorkeeper({ identity: { ...store.identity, noteUses }, onUnwritten: (cause) => unwritten.push(cause) })
    expect(await doorkeeper.callerOf(store.add().key)).not.toBeNull()
    await doorkeeper.writeUses()
    expect(unwritten).toHaveLength(1)
  })
})
