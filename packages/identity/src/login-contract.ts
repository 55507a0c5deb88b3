// The promises of `Identity` about sessions of a user and about login limits; part of `identityContract`.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor, Identity } from './identity.ts'

const BY: Actor = { kind: 'operator', id: 'ann', address: '192.0.2.1' }
const PASSWORD = 'correct horse battery'

/** Each call of `open` opens the same database again. */
export function loginContract(driver: string, open: (now: () => number) => Promise<Identity>): void {
  describe(`logins on ${driver}`, () => {
    let nowMs = Date.UTC(2026, 0, 1, 12)
    let identity: Identity
    const userFor = async (slug: string) => {
      const { organization } = await identity.addOrganization({ slug, name: slug, plan: 'free' }, BY)
      const user = await identity.addUser({ organizationId: organization.id, email: `${slug}@example.org`, password: PASSWORD }, BY)
      if (user === null) throw new Error('The address is new.')
      return user
    }
    const logIn = async (email: string) => {
      const user = await identity.userOfPassword(email, PASSWORD)
      if (user === null) throw new Error('The password is right.')
      return identity.addSession(user, nowMs + 60_000, { kind: 'user', id: user.id, address: '192.0.2.2' })
    }

    const countOfEntries = async () => {
      const logs = (await identity.organizations()).map(({ id }) => identity.auditLog(id, 10_000))
      return (await Promise.all(logs)).flat().length
    }

    beforeAll(async () => {
      identity = await open(() => nowMs)
    })
    afterAll(() => identity[Symbol.asyncDispose]())

    it('ends one session when its user asks, once', async () => {
      const user = await userFor('leaving')
      const [one, two] = [await logIn(user.email), await logIn(user.email)]
      const by: Actor = { kind: 'user', id: user.id, address: '192.0.2.2' }
      expect(await identity.endSession(one, by)).toBe(true)
      expect([await identity.sessionById(one), (await identity.sessionById(two))?.id]).toEqual([null, two])
      expect([await identity.endSession(one, by), await identity.endSession('no such id', by)]).toEqual([false, false])
      const ends = (await identity.auditLog(user.organizationId, 100)).filter(({ action }) => action === 'session.end')
      expect(ends).toMatchObject([{ by, target: one }])
    })

    it('keeps the newest twenty sessions of a user, and ends no session of another user', async () => {
      const [user, other] = [await userFor('many'), await userFor('few')]
      const proven = await identity.userOfPassword(user.email, PASSWORD)
      if (proven === null) throw new Error('The password is right.')
      const others = await logIn(other.email)
      const open: string[] = []
      for (let n = 0; n < 22; n++) open.push(await identity.addSession(proven, nowMs + 60_000, BY))
      const counting = await Promise.all(open.map(async (id) => (await identity.sessionById(id)) !== null))
      expect(counting).toEqual([false, false, ...Array(20).fill(true)])
      expect(await identity.sessionById(others)).not.toBeNull()
    })

    it('knows the addresses that have logged in to an account, the newest hundred, and nothing of an account that does not exist', async () => {
      const [user, other] = [await userFor('travelling'), await userFor('staying')]
      const isKnown = async (email: string, address: string) => (await identity.loginFacts(email, address)).isKnownAddress
      expect(await identity.loginFacts(user.email, '192.0.2.1')).toEqual({ userId: user.id, unlocks: 0, isKnownAddress: false })
      await identity.rememberLoginAddress(user.id, '192.0.2.1')
      expect([await isKnown(` ${user.email.toUpperCase()}`, '192.0.2.1'), await isKnown(user.email, '192.0.2.2')]).toEqual([true, false])
      expect(await isKnown(other.email, '192.0.2.1')).toBe(false)
      for (let n = 0; n < 100; n++) {
        nowMs += 1
        await identity.rememberLoginAddress(user.id, `198.51.100.${n}`)
      }
      expect([await isKnown(user.email, '192.0.2.1'), await isKnown(user.email, '198.51.100.0')]).toEqual([false, true])
      const nothing = { userId: null, unlocks: 0, isKnownAddress: false }
      expect(await identity.loginFacts('unknown@example.org', '192.0.2.1')).toEqual(nothing)
      expect(await identity.loginFacts('no address', '192.0.2.1')).toEqual(nothing)
    })

    it('counts the unlocks of an account, and writes refused logins to the audit log only for existing accounts, also many at once', async () => {
      const user = await userFor('guessed-at')
      await identity.unlockLogins(user.id, BY)
      expect(await identity.loginFacts(user.email, '192.0.2.1')).toMatchObject({ unlocks: 1 })
      await identity.unlockLogins('no such id', BY)
      const before = await countOfEntries()
      const failedBy = (userId: string | null) => ({ userId, address: '192.0.2.9', reached: ['account'] })
      await identity.auditFailedLogins([])
      await identity.auditFailedLogins([failedBy(null)])
      await identity.auditFailedLogins([failedBy(null), failedBy(user.id), failedBy('no such id')])
      expect(await countOfEntries()).toBe(before + 1)
      expect(await identity.auditLog(user.organizationId, 2)).toMatchObject([
        {
          action: 'login.fail',
          target: user.id,
          by: { kind: 'system', id: 'api', address: '192.0.2.9' },
          details: { reached: ['account'] },
        },
        { action: 'user.unlock', target: user.id, by: BY },
      ])
      await identity.auditFailedLogins(Array.from({ length: 1_000 }, (_, n) => failedBy(n % 2 === 0 ? user.id : null)))
      expect(await countOfEntries()).toBe(before + 501)
    })
  })
}
