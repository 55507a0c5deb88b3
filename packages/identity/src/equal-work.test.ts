import { argon2 } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openIdentity } from './open.ts'

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>()
  return { ...real, argon2: vi.fn(real.argon2) }
})

it('a login for an unknown address costs the same hash as one with a wrong password, and so does one of a disabled user', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-work-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await using identity = await openIdentity(`sqlite:${join(folder, 'identity.db')}`)
  const by = { kind: 'operator', id: 'test', address: 'here' } as const
  const { organization } = await identity.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' }, by)
  const add = (email: string) => identity.addUser({ organizationId: organization.id, email, password: 'correct horse battery' }, by)
  const [, disabled] = [await add('ann@example.org'), await add('bob@example.org')]
  await identity.disableUser(disabled?.id ?? '', true, by)
  const workOf = async (email: string, password: string) => {
    vi.mocked(argon2).mockClear()
    expect(await identity.userOfPassword(email, password)).toBeNull()
    return vi
      .mocked(argon2)
      .mock.calls.map(([algorithm, { memory, passes, parallelism, tagLength }]) => [algorithm, memory, passes, parallelism, tagLength])
  }
  const expected = [['argon2id', 19_456, 2, 1, 32]]
  expect(await workOf('ann@example.org', 'a wrong password')).toEqual(expected)
  expect(await workOf('unknown@example.org', 'a wrong password')).toEqual(expected)
  expect(await workOf('no address', 'a wrong password')).toEqual(expected)
  expect(await workOf('bob@example.org', 'correct horse battery')).toEqual(expected)
})

it('the audit log costs the same commits for refused logins of unknown accounts: SQLite writes as many bytes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-work-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'identity.db')
  await using identity = await openIdentity(`sqlite:${file}`)
  const by = { kind: 'operator', id: 'test', address: 'here' } as const
  const { organization } = await identity.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' }, by)
  const ann = await identity.addUser({ organizationId: organization.id, email: 'ann@example.org', password: 'correct horse battery' }, by)
  const bytesOf = async (userId: string | null) => {
    const before = statSync(`${file}-wal`).size
    await identity.auditFailedLogins([{ userId, address: '192.0.2.1', reached: [] }])
    return statSync(`${file}-wal`).size - before
  }
  const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
  const [known, unknown]: [number[], number[]] = [[], []]
  // A page that is full is split: a few commits are larger than the others.
  for (let n = 0; n < 21; n++) {
    known.push(await bytesOf(ann?.id ?? ''))
    unknown.push(await bytesOf(null))
  }
  expect(Math.min(...unknown)).toBeGreaterThan(0)
  expect(median(unknown)).toBe(median(known))
})
