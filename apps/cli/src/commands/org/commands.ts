// `orrery org …`: the operator's side of organizations. What a command does is in the file of its noun; here are their names and options.

import type { Command } from 'commander'
import { z } from 'zod'
import { addOptions, type OptionTable, type OptionValues, onOff, option, readOptions, text } from '../../options.ts'
import type { World } from '../../program.ts'

const where = {
  identity: option(
    '--identity <url>',
    'database of organizations: sqlite:<file> or postgres://…, better given as the variable; the one of the data folder when not given',
    text().optional(),
  ),
  data: option('--data <folder>', 'data folder of `orrery up`; .orrery when not given', text().default('.orrery')),
  json: option('--json', 'one JSON document on stdout', onOff()),
} as const satisfies OptionTable
/** Of changes that running instances hold in memory. Users and sessions are read from the database at each request: those need no message. */
const announced = {
  ...where,
  redis: option('--redis <url>', 'publishes the change to running instances; they see it within 5 s when not given', text().optional()),
} as const satisfies OptionTable

const org = option('--org <slug>', 'the organization', text())
const email = option('--email <address>', 'the user', text())
const name = option('--name <name>', 'what people call it', text())
const plan = option('--plan <plan>', 'free, pro or enterprise; free when not given', text().default('free'))
const instant = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 date-time such as 2030-01-01T00:00:00Z' })
  .transform((value) => Date.parse(value))
  .refine((value) => value > Date.now(), 'must lie in the future')
const rate = z
  .string()
  .regex(/^(none|[1-9][0-9]{0,8})$/, "must be a whole number above 0, or `none` for the plan's")
  .transform((value) => (value === 'none' ? null : Number(value)))
const lines = z
  .string()
  .regex(/^[1-9][0-9]{0,3}$/, 'must be a whole number from 1 to 9999')
  .transform(Number)

export const ORG_OPTIONS = {
  create: { org, name, plan, ...where },
  list: where,
  plan: { org, plan: option('--plan <plan>', 'free, pro or enterprise', text()), ...announced },
  limit: {
    org,
    requestsPerMinute: option('--requests-per-minute <n|none>', "instead of the plan's; none takes it away", rate),
    ...announced,
  },
  audit: { org, last: option('--last <n>', 'how many lines, newest first; 50 when not given', lines.default(50)), ...where },
  userAdd: { org, email, ...where },
  userList: { org, ...where },
  user: { email, ...where },
  keyCreate: {
    org,
    name,
    expiresAt: option('--expires-at <time>', 'RFC 3339; never when not given', instant.optional()),
    ...where,
  },
  keyList: { org, ...where },
  keyRevoke: { org, id: option('--id <id>', 'id of the key, as `orrery org key list` shows it', text()), ...announced },
  sessionsRevoke: { org, email: { ...email, help: 'of this user alone', schema: text().optional() }, ...where },
} as const satisfies Readonly<Record<string, OptionTable>>

export type OrgOptions<Name extends keyof typeof ORG_OPTIONS> = OptionValues<(typeof ORG_OPTIONS)[Name]>
export type Where = OrgOptions<'list'> & { readonly redis?: string | undefined }

export function addOrgCommands(program: Command, world: World): void {
  const root = group(program, 'org', 'organizations: users, API keys, plans, limits, sessions, and the log of who changed what')
  const user = group(root, 'user', 'users of an organization, who manage it with a password')
  const key = group(root, 'key', 'API keys of an organization')
  const sessions = group(root, 'sessions', 'logins of users')

  const add = <Name extends keyof typeof ORG_OPTIONS>(
    parent: Command,
    verb: string,
    description: string,
    options: Name,
    run: (values: OrgOptions<Name>) => Promise<void>,
  ): void => {
    const table: OptionTable = ORG_OPTIONS[options]
    addOptions(parent.command(verb).description(description).helpOption('-h, --help', 'print this help'), table).action((flags) => {
      warnOfPasswords(flags, world)
      return run(readOptions(table, flags, world.env) as OrgOptions<Name>)
    })
  }
  // Loaded when they run: `orrery --help` should not open a database.
  add(root, 'create', 'make an organization; one with this slug is left as it is', 'create', async (options) =>
    (await import('./organizations.ts')).createOrganization(options, world),
  )
  add(root, 'list', 'show all organizations', 'list', async (options) =>
    (await import('./organizations.ts')).listOrganizations(options, world),
  )
  add(root, 'plan', 'put an organization on a plan', 'plan', async (options) =>
    (await import('./organizations.ts')).changePlan(options, world),
  )
  add(root, 'limit', "give an organization a limit of its own instead of its plan's", 'limit', async (options) =>
    (await import('./organizations.ts')).overrideLimit(options, world),
  )
  add(root, 'audit', 'show who changed what, when and from where', 'audit', async (options) =>
    (await import('./audit.ts')).showAudit(options, world),
  )
  add(user, 'add', 'make a user; the password comes from stdin', 'userAdd', async (options) =>
    (await import('./users.ts')).addUser(options, world),
  )
  add(user, 'list', 'show the users of an organization', 'userList', async (options) =>
    (await import('./users.ts')).listUsers(options, world),
  )
  add(user, 'disable', 'let a user neither in nor go on', 'user', async (options) =>
    (await import('./users.ts')).disableUser(options, true, world),
  )
  add(user, 'enable', 'let a disabled user in again', 'user', async (options) =>
    (await import('./users.ts')).disableUser(options, false, world),
  )
  add(user, 'password', 'give a user another password, from stdin; ends all sessions of the user', 'user', async (options) =>
    (await import('./users.ts')).changePassword(options, world),
  )
  add(user, 'unlock', "reset a user's wrong-password counts, in every running instance at once", 'user', async (options) =>
    (await import('./users.ts')).unlockUser(options, world),
  )
  add(key, 'create', 'make an API key; it is shown this once', 'keyCreate', async (options) =>
    (await import('./keys.ts')).createKey(options, world),
  )
  add(key, 'list', 'show the API keys of an organization, never the keys themselves', 'keyList', async (options) =>
    (await import('./keys.ts')).listKeys(options, world),
  )
  add(key, 'revoke', 'refuse an API key from now on', 'keyRevoke', async (options) => (await import('./keys.ts')).revokeKey(options, world))
  add(sessions, 'revoke', 'end all logins of an organization, or of one of its users', 'sessionsRevoke', async (options) =>
    (await import('./sessions.ts')).revokeSessions(options, world),
  )
}

/** What stands on a command line stands in the list of processes, readable for all users of the machine, and in the shell's history. */
function warnOfPasswords(flags: Readonly<Record<string, unknown>>, { stderr }: World): void {
  for (const [option, variable] of [
    ['identity', 'ORRERY_IDENTITY'],
    ['redis', 'ORRERY_REDIS'],
  ] as const) {
    const url = flags[option]
    if (typeof url !== 'string' || !URL.canParse(url) || new URL(url).password === '') continue
    stderr.write(
      `The password in \`--${option}\` can be seen in the list of processes. Give the address as ${variable} in the environment.\n`,
    )
  }
}

function group(parent: Command, verb: string, description: string): Command {
  return parent.command(verb).description(description).helpOption('-h, --help', 'print this help').addHelpCommand(false)
}
