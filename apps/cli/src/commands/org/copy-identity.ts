// `orrery org copy`: from SQLite to PostgreSQL, or back.

import { copyIdentity } from '@orrery/identity'
import type { CliContext } from '../../cli-context.ts'
import { grouped } from '../../progress.ts'
import { table } from '../../table.ts'
import type { OrgOptions } from './org-options.ts'
import { identityUrl } from './with-identity.ts'

/** @throws OrreryError `invalid`/`identity_not_empty`, `corrupt`/`identity_copy_differs`, and the errors of `identityUrl` and `openIdentity`. */
export async function copyOrganizations(options: OrgOptions<'copy'>, { stdout }: CliContext): Promise<void> {
  const tables = await copyIdentity(identityUrl(options), options.targetIdentity)
  if (options.json) {
    stdout.write(`${JSON.stringify({ event: 'copied', tables })}\n`)
    return
  }
  const rows = tables.map(({ table: name, rows, digest }) => [name, grouped(rows), digest.slice(0, 16)])
  stdout.write(`${table(['table', 'rows', 'digest, equal in both'], rows)}`)
}
