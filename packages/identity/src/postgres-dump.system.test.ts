import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '@orrery/testkit/servers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApiKeyAuthenticator } from './api-key-authenticator.ts'
import type { Actor } from './identity.ts'
import { openIdentity } from './open.ts'

const BY: Actor = { kind: 'operator', id: 'ann', address: 'here' }
const folder = mkdtempSync(join(tmpdir(), 'orrery-dump-'))
let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await server[Symbol.asyncDispose]()
})

it('a database that pg_restore made from a dump of pg_dump accepts the same keys and passwords, and has the same audit log', async () => {
  const [url, restored, dump] = [await server.database(), await server.database(), join(folder, 'orrery-identity.dump')]
  await using identity = await openIdentity(url)
  const { organization } = await identity.addOrganization({ slug: 'acme', name: 'Acme', plan: 'pro' }, BY)
  const { id } = organization
  const { key } = await identity.addApiKey({ organizationId: id, name: 'ci', scopes: ['data:read'], expiresAtMs: null }, BY)
  await identity.addUser({ organizationId: id, email: 'ann@example.org', password: 'correct horse battery' }, BY)
  // As on the page, while the API has the database open.
  await server.run('pg_dump', ['--format=custom', '--file', dump, url])
  await server.run('pg_restore', ['--dbname', restored, '--exit-on-error', dump])

  await using copy = await openIdentity(restored)
  await using authenticator = openApiKeyAuthenticator({ identity: copy })
  expect(await authenticator.authenticate(key)).toMatchObject({ organizationSlug: 'acme' })
  expect(await copy.userOfPassword('ann@example.org', 'correct horse battery')).toMatchObject({ email: 'ann@example.org' })
  expect(await copy.auditLog(id, 100)).toEqual(await identity.auditLog(id, 100))
})
