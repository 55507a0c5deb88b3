// `orrery org audit`: the audit log of an organization, newest first.

import type { CliContext } from '../../cli-context.ts'
import { table } from '../../table.ts'
import type { OrgOptions } from './org-options.ts'
import { time, withIdentity } from './with-identity.ts'

export async function showAudit(options: OrgOptions<'audit'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, organization, say }) => {
    const { id, slug } = await organization(options.org)
    const entries = await identity.auditLog(id, options.last)
    const rows = entries.map(({ atMs, by, action, target, details }) => [
      time(atMs),
      by.id === '' ? by.kind : `${by.kind} ${by.id}`,
      by.address,
      action,
      target,
      JSON.stringify(details),
    ])
    const documents = entries.map(({ atMs, by, action, target, details }) => ({ at: time(atMs), by, action, target, details }))
    const text = table(['when', 'who', 'from', 'what', 'of', 'details'], rows)
    say({ event: 'audit', organization: slug, entries: documents }, text)
  })
}
