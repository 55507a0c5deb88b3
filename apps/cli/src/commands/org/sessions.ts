// `orrery org sessions revoke`: ends logins. Access tokens end with them, on every instance at once: each asks the database.

import type { CliContext } from '../../cli-context.ts'
import { atDesk } from './desk.ts'
import type { OrgOptions } from './org-options.ts'
import { userOf } from './users.ts'

export async function revokeSessions(options: OrgOptions<'sessionsRevoke'>, context: CliContext): Promise<void> {
  await atDesk(options, context, async (desk) => {
    const { id, slug } = await desk.organization(options.org)
    const of = options.email === undefined ? {} : { userId: (await userOf(desk, options.email, id)).id }
    const count = await desk.identity.revokeSessions({ organizationId: id, ...of }, desk.operator)
    const whose = options.email === undefined ? slug : `${options.email} at ${slug}`
    desk.say(
      { event: 'sessions_revoked', organization: slug, count },
      `Ended ${count} ${count === 1 ? 'session' : 'sessions'} of ${whose}.\n`,
    )
  })
}
