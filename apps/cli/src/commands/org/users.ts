// `orrery org user add | list | disable | enable | password | unlock`. Passwords come from stdin and are never printed.

import { OrreryError } from '@orrery/errors'
import type { User } from '@orrery/identity'
import type { CliContext } from '../../cli-context.ts'
import { table } from '../../table.ts'
import type { OrgOptions } from './org-options.ts'
import { readPassword } from './read-password.ts'
import { type OperatorContext, time, withIdentity } from './with-identity.ts'

export async function addUser(options: OrgOptions<'userAdd'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, operator, organization, say }) => {
    const { id, slug } = await organization(options.org)
    const password = await readPassword(context)
    const user = await identity.addUser({ organizationId: id, email: options.email, password }, operator)
    if (user === null) {
      const message = `${options.email} is a user already. Nothing was changed.\n\`orrery org user password\` changes a password.`
      throw new OrreryError('invalid', 'email_taken', message)
    }
    say({ event: 'user', organization: slug, ...documentOf(user) }, `${user.email} may log in for ${slug}.\n`)
  })
}

export async function listUsers(options: OrgOptions<'userList'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, organization, say }) => {
    const { id, slug } = await organization(options.org)
    const users = await identity.users(id)
    const rows = users.map((user) => [user.email, user.id, user.disabledAtMs === null ? 'good' : 'disabled'])
    const text = users.length === 0 ? `${slug} has no user.\n` : table(['email', 'id', 'state'], rows)
    say({ event: 'users', organization: slug, users: users.map(documentOf) }, text)
  })
}

export async function disableUser(options: OrgOptions<'user'>, disabled: boolean, context: CliContext): Promise<void> {
  await withIdentity(options, context, async (operatorContext) => {
    const { identity, operator, say } = operatorContext
    const { id, email } = await userOf(operatorContext, options.email)
    await identity.disableUser(id, disabled, operator)
    const now = await userOf(operatorContext, email)
    const text = disabled ? `${email} is disabled: the user cannot log in, and all sessions have ended.\n` : `${email} may log in again.\n`
    say({ event: 'user', ...documentOf(now) }, text)
  })
}

export async function changePassword(options: OrgOptions<'user'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async (operatorContext) => {
    const user = await userOf(operatorContext, options.email)
    await operatorContext.identity.changePassword(user.id, await readPassword(context), operatorContext.operator)
    operatorContext.say(
      { event: 'user', ...documentOf(user) },
      `${user.email} has a new password. Every open session of this user has ended.\n`,
    )
  })
}

/** Failures are counted under a key that contains the count of unlocks, which is read at each login: instances need no message. */
export async function unlockUser(options: OrgOptions<'user'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async (operatorContext) => {
    const user = await userOf(operatorContext, options.email)
    await operatorContext.identity.unlockLogins(user.id, operatorContext.operator)
    const text = `Wrong-password counts of ${user.email} are reset. An address with 50 wrong credentials stays limited for up to 15 minutes.\n`
    operatorContext.say({ event: 'user', ...documentOf(user) }, text)
  })
}

/** One of `organizationId` when it is given. @throws OrreryError `not_found`/`unknown_user`. */
export async function userOf({ identity }: Pick<OperatorContext, 'identity'>, email: string, organizationId?: string): Promise<User> {
  const user = await identity.userByEmail(email)
  if (user !== null && (organizationId === undefined || user.organizationId === organizationId)) return user
  const where = organizationId === undefined ? '' : ' in this organization'
  const message = `There is no user ${JSON.stringify(email)}${where}. Nothing was changed.\n\`orrery org user list --org SLUG\` lists the users of an organization.`
  throw new OrreryError('not_found', 'unknown_user', message)
}

function documentOf(user: User): Readonly<Record<string, unknown>> {
  return { id: user.id, email: user.email, disabledAt: time(user.disabledAtMs) }
}
