// The promises of `Identity`, checked on a real driver. A new driver calls this and nothing else to show that it keeps them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApiKey } from './api-key.ts'
import { openApiKeyAuthenticator } from './api-key-authenticator.ts'
import type { Actor, Identity } from './identity.ts'
import { loginContract } from './login-contract.ts'
import type { Scope } from './scopes.ts'
import { usageContract } from './usage-contract.ts'
import { webhookContract } from './webhooks/webhook-contract.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)
const BY: Actor = { kind: 'operator', id: 'ann', address: '192.0.2.1' }
const PASSWORD = 'correct horse battery'

/** Each call of `open` opens the same database again, which is empty at first. */
export function identityContract(driver: string, open: (now: () => number) => Promise<Identity>): void {
  describe(`identity on ${driver}`, () => {
    let nowMs = NOON_MS
    let identity: Identity
    const now = () => nowMs
    const organization = async (slug: string) => (await identity.addOrganization({ slug, name: slug, plan: 'free' }, BY)).organization
    const addKey = (
      organizationId: string,
      given: { name?: string; scopes?: readonly Scope[]; expiresAtMs?: number | null; key?: string } = {},
    ) => identity.addApiKey({ organizationId, name: 'a key', scopes: ['data:read'], expiresAtMs: null, ...given }, BY)
    const keyFor = async (slug: string, expiresAtMs: number | null = null) => addKey((await organization(slug)).id, { expiresAtMs })
    /** Checks a key as the API does, with an empty cache. */
    const authenticate = async (key: string) => {
      await using authenticator = openApiKeyAuthenticator({ identity, now })
      return authenticator.authenticate(key)
    }
    const userFor = async (slug: string) => {
      const { id } = await organization(slug)
      const user = await identity.addUser({ organizationId: id, email: `${slug}@example.org`, password: PASSWORD }, BY)
      if (user === null) throw new Error('The address is new.')
      return user
    }
    const logIn = async (email: string, password = PASSWORD) => {
      const user = await identity.userOfPassword(email, password)
      if (user === null) throw new Error('The password is right.')
      return identity.addSession(user, nowMs + 60_000, { kind: 'user', id: user.id, address: '192.0.2.2' })
    }

    beforeAll(async () => {
      identity = await open(now)
    })
    afterAll(() => identity[Symbol.asyncDispose]())

    it('makes an organization once; the same slug is reused and keeps its name and plan', async () => {
      const first = await identity.addOrganization({ slug: 'acme', name: '  Acme ', plan: 'pro' }, BY)
      expect(first).toMatchObject({ reused: false, organization: { slug: 'acme', name: 'Acme', plan: 'pro', createdAtMs: nowMs } })
      const second = await identity.addOrganization({ slug: 'acme', name: 'Other', plan: 'free' }, BY)
      expect(second).toEqual({ reused: true, organization: first.organization })
      expect(await identity.organizationBySlug('acme')).toEqual(first.organization)
      expect(await identity.organizationBySlug('unknown')).toBeNull()
    })

    it('makes one organization of many calls at once', async () => {
      const made = await Promise.all(
        Array.from({ length: 8 }, () => identity.addOrganization({ slug: 'crowd', name: 'Crowd', plan: 'free' }, BY)),
      )
      expect(new Set(made.map((m) => m.organization.id)).size).toBe(1)
      expect(made.filter((m) => !m.reused)).toHaveLength(1)
    })

    it.each(['', '-a', 'a-', 'A', 'a b', 'a_b', 'ä', 'a'.repeat(64)])('refuses the slug "%s"', async (slug) => {
      await expect(organization(slug)).rejects.toMatchObject({ kind: 'invalid', code: 'invalid_organization_slug' })
    })

    it.each(['a', '0', 'a-b', 'a'.repeat(63)])('takes the slug "%s"', async (slug) => {
      expect(await organization(slug)).toMatchObject({ slug })
    })

    it.each([
      ...['', '   ', 'x'.repeat(201), 'a\u0000b', 'a\nb', '\ud800'],
      // Right-to-left override and isolate, zero-width space and joiner, soft hyphen, byte order mark, line separator, Hangul filler, a tag.
      ...['\u202egnp.exe', 'a\u2066b', 'a\u200bb', 'a\u200db', 'a\u00adb', 'a\ufeffb', 'a\u2028b', '\u3164', 'a\u{e0041}'],
    ])('refuses the name %j', async (name) => {
      await expect(identity.addOrganization({ slug: 'named', name, plan: 'free' }, BY)).rejects.toMatchObject({ code: 'invalid_name' })
    })

    it('accepts a key that it made, and returns its caller', async () => {
      const { key, record } = await keyFor('reader')
      expect(key.startsWith(`${record.prefix}_`)).toBe(true)
      expect(await authenticate(key)).toEqual({
        apiKeyId: record.id,
        scopes: ['data:read'],
        organizationId: record.organizationId,
        organizationSlug: 'reader',
        requestsPerMinute: 120,
        streamsAtOnce: 2,
      })
    })

    it('refuses whatever is not exactly the key', async () => {
      const { key, record } = await keyFor('exact')
      const last = key.endsWith('A') ? 'B' : 'A'
      for (const wrong of [
        '',
        record.prefix,
        key.slice(0, -1),
        `${key.slice(0, -1)}${last}`,
        ` ${key}`,
        `${key}\n`,
        `${key}x`,
        makeApiKey(),
      ]) {
        expect(await authenticate(wrong)).toBeNull()
      }
    })

    it('stores a key that was made before, once', async () => {
      const { id } = await organization('kept')
      const key = makeApiKey()
      expect((await addKey(id, { key })).key).toBe(key)
      expect(await authenticate(key)).toMatchObject({ organizationSlug: 'kept' })
      await expect(addKey(id, { key })).rejects.toThrow()
      await expect(addKey(id, { key: 'secret' })).rejects.toMatchObject({ code: 'invalid_api_key' })
    })

    it('refuses a key without a scope, or with an unknown one', async () => {
      const { id } = await organization('scopeless')
      await expect(addKey(id, { scopes: [] })).rejects.toMatchObject({ code: 'invalid_scopes' })
      await expect(addKey(id, { scopes: ['data:write' as Scope] })).rejects.toMatchObject({ code: 'invalid_scopes' })
    })

    it('refuses a key from its expiry on', async () => {
      const { key } = await keyFor('expiring', nowMs + 1000)
      expect(await authenticate(key)).not.toBeNull()
      nowMs += 1000
      expect(await authenticate(key)).toBeNull()
    })

    it('refuses a revoked key at once, and keeps the time of the first revocation', async () => {
      const { key, record } = await keyFor('revoking')
      expect(await identity.revokeApiKey(record.organizationId, record.id, BY)).toMatchObject({ id: record.id, revokedAtMs: nowMs })
      expect(await authenticate(key)).toBeNull()
      const revokedAtMs = nowMs
      nowMs += 5000
      expect(await identity.revokeApiKey(record.organizationId, record.id, BY)).toMatchObject({ revokedAtMs })
      expect(await identity.apiKeys(record.organizationId)).toMatchObject([{ revokedAtMs }])
    })

    it('does not let one organization revoke or list the keys of another', async () => {
      const { key, record } = await keyFor('owner')
      const stranger = await organization('stranger')
      for (const id of [record.id, 'no such id', '', '\u0000', "' OR '1'='1"])
        expect(await identity.revokeApiKey(stranger.id, id, BY)).toBeNull()
      expect(await identity.apiKeys(stranger.id)).toEqual([])
      expect(await authenticate(key)).not.toBeNull()
    })

    it('lists keys in the order in which they were made', async () => {
      const { id } = await organization('lister')
      for (const name of ['one', 'two', 'three']) await addKey(id, { name })
      expect((await identity.apiKeys(id)).map((key) => key.name)).toEqual(['one', 'two', 'three'])
    })

    it('records the last use of a key at most once a minute, and of several keys at once', async () => {
      const { id } = await organization('used')
      const ids = [(await addKey(id)).record.id, (await addKey(id)).record.id]
      const lastUsed = async () => (await identity.apiKeys(id)).map((key) => key.lastUsedAtMs)
      expect(await lastUsed()).toEqual([null, null])
      await identity.recordUses([], nowMs)
      await identity.recordUses(ids.slice(0, 1), nowMs)
      await identity.recordUses(ids, nowMs + 59_000)
      expect(await lastUsed()).toEqual([nowMs, nowMs + 59_000])
      await identity.recordUses(ids, nowMs + 60_000)
      expect(await lastUsed()).toEqual([nowMs + 60_000, nowMs + 59_000])
    })

    it('gives each plan its rate, and an override its own until it is removed', async () => {
      for (const [plan, rate] of [
        ['free', 120],
        ['pro', 1200],
        ['enterprise', 12_000],
      ] as const) {
        const { id, slug } = await organization(`plan-${plan}`)
        const { key } = await addKey(id)
        const rateNow = async () => (await authenticate(key))?.requestsPerMinute
        await identity.changePlan(id, plan, BY)
        expect(await rateNow()).toBe(rate)
        await identity.overrideRateLimit(id, 7, BY)
        expect(await rateNow()).toBe(7)
        expect(await identity.organizationBySlug(slug)).toMatchObject({ plan, requestsPerMinuteOverride: 7, requestsPerMinute: 7 })
        await identity.overrideRateLimit(id, null, BY)
        expect(await rateNow()).toBe(rate)
      }
    })

    it.each([0, -1, 1.5, Number.NaN, 2 ** 31])('refuses a limit of %s requests a minute', async (limit) => {
      const { id } = await organization('limits')
      await expect(identity.overrideRateLimit(id, limit, BY)).rejects.toMatchObject({ code: 'invalid_rate_limit' })
    })

    it('knows a user by the right password only, whatever the case of the address', async () => {
      const { id } = await organization('people')
      const user = await identity.addUser({ organizationId: id, email: ' Ann@Example.org', password: PASSWORD }, BY)
      expect(user).toMatchObject({ organizationId: id, email: 'ann@example.org', disabledAtMs: null })
      expect(await identity.userOfPassword('ANN@example.org ', PASSWORD)).toEqual({ ...user, passwordVersion: 1, requestsPerMinute: 120 })
      expect(await identity.userOfPassword('ann@example.org', PASSWORD.slice(0, -1))).toBeNull()
      expect(await identity.userOfPassword('bob@example.org', PASSWORD)).toBeNull()
      expect(await identity.userOfPassword('ann\u0000@example.org', PASSWORD)).toBeNull()
      expect(await identity.addUser({ organizationId: id, email: 'ann@example.org', password: 'another password' }, BY)).toBeNull()
      expect(await identity.users(id)).toEqual([user])
    })

    it('accepts a password in each Unicode composition of its letters', async () => {
      const { id } = await organization('accents')
      await identity.addUser({ organizationId: id, email: 'a@accents.org', password: 'p\u00e4ssw\u00f6rter-lang' }, BY)
      expect(await identity.userOfPassword('a@accents.org', 'pa\u0308sswo\u0308rter-lang')).not.toBeNull()
    })

    it.each([
      ['invalid_password', 'x@example.org', 'x'.repeat(11)],
      ['invalid_password', 'x@example.org', 'x'.repeat(257)],
      ['invalid_password', 'x@example.org', Buffer.from('größer und schöner', 'latin1').toString('utf8')],
      ['invalid_password', 'x@example.org', 'half a letter \ud83d'],
      ['invalid_email', 'unknown', PASSWORD],
      ['invalid_email', 'a b@example.org', PASSWORD],
      ['invalid_email', '@example.org', PASSWORD],
      ['invalid_email', 'a@b@example.org', PASSWORD],
      ['invalid_email', 'a\u0000@example.org', PASSWORD],
    ])('refuses a user with %s', async (code, email, password) => {
      const { id } = await organization('refused-people')
      await expect(identity.addUser({ organizationId: id, email, password }, BY)).rejects.toMatchObject({ code })
    })

    it('takes passwords of 12 and of 256 characters, counted as people do', async () => {
      for (const password of ['x'.repeat(12), '\u{1f511}'.repeat(256)]) {
        const { id } = await organization('lengths')
        await identity.addUser({ organizationId: id, email: `l${password.length}@example.org`, password }, BY)
        expect(await identity.userOfPassword(`l${password.length}@example.org`, password)).not.toBeNull()
      }
    })

    it('counts a session until it expires', async () => {
      const user = await userFor('session')
      const id = await logIn(user.email)
      const session = { id, userId: user.id, organizationId: user.organizationId, requestsPerMinute: 120 }
      nowMs += 59_999
      expect(await identity.sessionById(id)).toEqual(session)
      nowMs += 1
      expect(await identity.sessionById(id)).toBeNull()
      expect(await identity.sessionById('no such id')).toBeNull()
    })

    it('ends sessions with the password, also one whose login raced with the change', async () => {
      const user = await userFor('password')
      const open = await logIn(user.email)
      const proven = await identity.userOfPassword(user.email, PASSWORD)
      await identity.changePassword(user.id, 'another password', BY)
      expect(await identity.sessionById(open)).toBeNull()
      if (proven === null) throw new Error('The password was right.')
      expect(await identity.sessionById(await identity.addSession(proven, nowMs + 60_000, BY))).toBeNull()
      expect(await identity.userOfPassword(user.email, PASSWORD)).toBeNull()
      expect(await identity.sessionById(await logIn(user.email, 'another password'))).not.toBeNull()
      await expect(identity.changePassword(user.id, 'short', BY)).rejects.toMatchObject({ code: 'invalid_password' })
    })

    it('refuses logins and sessions of a disabled user', async () => {
      const user = await userFor('disabled')
      const session = await logIn(user.email)
      await identity.disableUser(user.id, true, BY)
      expect(await identity.userByEmail(user.email)).toMatchObject({ disabledAtMs: nowMs })
      expect(await identity.userOfPassword(user.email, PASSWORD)).toBeNull()
      expect(await identity.sessionById(session)).toBeNull()
      await identity.disableUser(user.id, false, BY)
      expect(await identity.userOfPassword(user.email, PASSWORD)).not.toBeNull()
    })

    it('revokes the sessions of a user, or of the whole organization, and no others', async () => {
      const [ann, other] = [await userFor('revokes'), await userFor('bystander')]
      const { organizationId } = ann
      const bob = await identity.addUser({ organizationId, email: 'bob@revokes.org', password: PASSWORD }, BY)
      const [one, two, three] = [await logIn(ann.email), await logIn(bob?.email ?? ''), await logIn(other.email)]
      const counting = async () =>
        (await Promise.all([one, two, three].map((id) => identity.sessionById(id)))).map((found) => found !== null)
      expect(await identity.revokeSessions({ organizationId: other.organizationId, userId: ann.id }, BY)).toBe(0)
      expect(await identity.revokeSessions({ organizationId, userId: ann.id }, BY)).toBe(1)
      expect(await counting()).toEqual([false, true, true])
      expect(await identity.revokeSessions({ organizationId }, BY)).toBe(1)
      expect(await counting()).toEqual([false, false, true])
    })

    it('keeps a billing record: what is given changes, null clears, the rest stays', async () => {
      const { id } = await organization('billing')
      const nothing = { billingEmail: null, companyName: null, taxId: null, country: null, updatedAtMs: null }
      expect(await identity.billing(id)).toEqual(nothing)
      expect(await identity.changeBilling(id, {}, BY)).toEqual(nothing)
      const first = { ...nothing, companyName: "O'Brien; DROP TABLE billing", country: 'IE', updatedAtMs: nowMs }
      expect(await identity.changeBilling(id, { companyName: "O'Brien; DROP TABLE billing", country: 'IE' }, BY)).toEqual(first)
      nowMs += 1000
      const second = { ...first, country: null, taxId: 'IE1', updatedAtMs: nowMs }
      expect(await identity.changeBilling(id, { country: null, taxId: 'IE1' }, BY)).toEqual(second)
      expect(await identity.changeBilling(id, {}, BY)).toEqual(second)
      expect(await identity.billing(id)).toEqual(second)
      expect(await identity.billing((await organization('not-billed')).id)).toEqual(nothing)
    })

    it('writes every change to the audit log with actor, action, time and address, newest first, and no secret', async () => {
      const user = await userFor('audited')
      const id = user.organizationId
      const { key, record } = await addKey(id)
      await identity.revokeApiKey(id, record.id, BY)
      await identity.changePlan(id, 'pro', BY)
      await identity.overrideRateLimit(id, 5, BY)
      await logIn(user.email)
      await identity.revokeSessions({ organizationId: id }, BY)
      await identity.changeBilling(id, { taxId: 'secret number' }, BY)
      await identity.changePassword(user.id, 'another password', BY)
      await identity.disableUser(user.id, true, BY)
      await identity.disableUser(user.id, false, BY)
      const log = await identity.auditLog(id, 100)
      expect(log.map(({ action, target }) => [action, target])).toEqual([
        ['user.enable', user.id],
        ['user.disable', user.id],
        ['user.password', user.id],
        ['billing.change', id],
        ['sessions.revoke', id],
        ['session.create', expect.any(String)],
        ['organization.rate_limit', id],
        ['organization.plan', id],
        ['api_key.revoke', record.id],
        ['api_key.create', record.id],
        ['user.create', user.id],
        ['organization.create', id],
      ])
      expect(log.every((entry) => entry.atMs === nowMs && entry.organizationId === id)).toBe(true)
      expect(log.find(({ action }) => action === 'session.create')?.by).toEqual({ kind: 'user', id: user.id, address: '192.0.2.2' })
      expect(log.filter(({ action }) => action !== 'session.create').every(({ by }) => by.address === BY.address && by.id === 'ann')).toBe(
        true,
      )
      const text = JSON.stringify(log)
      for (const secret of [key, key.slice(13), PASSWORD, 'another password', 'secret number']) expect(text).not.toContain(secret)
      expect((await identity.auditLog(id, 2)).map(({ action }) => action)).toEqual(['user.enable', 'user.disable'])
    })

    it('writes no audit entry for a call that changed nothing', async () => {
      const { id } = await organization('unchanged')
      const before = await identity.auditLog(id, 100)
      await organization('unchanged')
      await identity.revokeApiKey(id, 'no such id', BY)
      await identity.changeBilling(id, {}, BY)
      await expect(addKey(id, { scopes: [] })).rejects.toThrow()
      expect(await identity.auditLog(id, 100)).toEqual(before)
    })

    it('keeps text exactly, also text that is special to a database', async () => {
      const names = ["Robert'); DROP TABLE organizations;--", '{{name}} %s $1 ? :id', '\\ \u00e9\u{1f511} \u05d0\u0644', '" OR ""="']
      for (const [n, name] of names.entries()) {
        const { organization: made } = await identity.addOrganization({ slug: `text-${n}`, name, plan: 'free' }, BY)
        expect(made.name).toBe(name)
        expect((await addKey(made.id, { name })).record.name).toBe(name)
        expect(await identity.apiKeys(made.id)).toMatchObject([{ name }])
      }
      for (const slug of [...names, '\u0000']) expect(await identity.organizationBySlug(slug)).toBeNull()
    })

    it('keeps everything when it is opened again', async () => {
      const { key, record } = await keyFor('lasting')
      await identity[Symbol.asyncDispose]()
      identity = await open(now)
      expect(await authenticate(key)).toMatchObject({ apiKeyId: record.id })
    })
  })
  loginContract(driver, open)
  usageContract(driver, open)
  // Two connections of one process to an SQLite file: the second of a race waits until it gives up, with the whole process.
  webhookContract(driver, open, driver === 'SQLite' ? 1 : 5)
}
