// `orrery org sessions revoke`: ends logins. Access tokens end with them, on every instance at once, because each request reads the session from the database.

import type { CliContext } from '../../cli-context.ts'
import type { OrgOptions } from './org-options.ts'
import { userOf } from './users.ts'
import { withIdentity } from './with-identity.ts'

export async function revokeSessions(options: OrgOptions<'sessionsRevoke'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async (operatorContext) => {
    const { id, slug } = await operatorContext.organization(options.org)
    const of = options.email === undefined ? {} : { userId: (await userOf(operatorContext, options.email, id)).id }
    const count = await operatorContext.identity.revokeSessions({ organizationId: id, ...of }, operatorContext.operator)
    const whose = options.email === undefined ? slug : `${options.email} at ${slug}`
    operatorContext.say(
      { event: 'sessions_revoked', organization: slug, count },
      `Ended ${count} ${count === 1 ? 'session' : 'sessions'} of ${whose}.\n`,
    )
  })
}
