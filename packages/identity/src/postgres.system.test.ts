import { type PostgresServer, startPostgres } from '@orrery/testkit/servers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identityContract } from './contract.ts'
import type { Actor } from './identity.ts'
import { openIdentity } from './open.ts'

const BY: Actor = { kind: 'operator', id: 'ann', address: 'here' }
let server: PostgresServer
let url: string | undefined

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server[Symbol.asyncDispose]())

identityContract('PostgreSQL', async (now) => {
  url ??= await server.database()
  return openIdentity(url, now)
})

describe('identity on PostgreSQL alone', () => {
  it('the PostgreSQL database is made once when many open it at the same time', async () => {
    const shared = await server.database()
    const opened = await Promise.all(Array.from({ length: 4 }, () => openIdentity(shared)))
    const made = await Promise.all(opened.map((identity) => identity.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' }, BY)))
    expect(new Set(made.map(({ organization }) => organization.id)).size).toBe(1)
    expect(made.filter(({ reused }) => !reused)).toHaveLength(1)
    await Promise.all(opened.map((identity) => identity[Symbol.asyncDispose]()))
  })

  it('identity is `unavailable` while PostgreSQL is down, and afterwards has everything that was acknowledged', async () => {
    await using identity = await openIdentity(await server.database())
    const { organization } = await identity.addOrganization({ slug: 'acme', name: 'Acme', plan: 'free' }, BY)
    await server.kill()
    await expect(identity.organizationBySlug('acme')).rejects.toMatchObject({ kind: 'unavailable', code: 'identity_unreachable' })
    await server.restart()
    expect(await identity.organizationBySlug('acme')).toEqual(organization)
  })

  it('the error of a refused connection names the host, the database and what to check, and no password', async () => {
    const { host } = new URL(await server.database())
    const error = await openIdentity(`postgres://nobody:hunter2hunter2@${host}/postgres`).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: 'invalid', code: 'identity_refused', context: { place: `${host}/postgres` } })
    expect(String(error)).not.toContain('hunter2')
    await expect(openIdentity(`postgres://orrery@${host}/nowhere`)).rejects.toMatchObject({ code: 'identity_refused' })
    await expect(openIdentity('postgres://orrery@127.0.0.1:1/orrery')).rejects.toMatchObject({ code: 'identity_unreachable' })
  })
})
