// `orrery org …`: the operator's commands about organizations. This file has their names; the file of each noun has what they do.

import { OrreryError } from '@orrery/errors'
import type { Command } from 'commander'
import type { CliContext } from '../../cli-context.ts'
import { addOptions, flagOf, type OptionTable, readOptions } from '../../options.ts'
import { ORG_OPTIONS, type OrgOptions } from './org-options.ts'

export function addOrgCommands(program: Command, context: CliContext): void {
  const root = group(program, 'org', 'organizations: users, API keys, plans, limits, sessions, and the log of who changed what')
  const user = group(root, 'user', 'users of an organization, who manage it with a password')
  const key = group(root, 'key', 'API keys of an organization')
  const webhook = group(root, 'webhook', 'addresses that get the events of an organization')
  const sessions = group(root, 'sessions', 'logins of users')

  const add = <Name extends keyof typeof ORG_OPTIONS>(
    parent: Command,
    verb: string,
    description: string,
    options: Name,
    run: (values: OrgOptions<Name>) => Promise<void>,
  ): void => {
    const table: OptionTable = ORG_OPTIONS[options]
    const made = addOptions(parent.command(verb).description(description).helpOption('-h, --help', 'print this help'), table)
    if (options === 'user') made.argument('[address]', 'e-mail address of the user, the same as --email')
    made.action(() => {
      const flags = flagsOf(made)
      warnOfPasswords(flags, context)
      return run(readOptions(table, flags, context.env) as OrgOptions<Name>)
    })
  }
  // Loaded when they run: `orrery --help` should not open a database.
  add(root, 'create', 'create an organization; an existing one with this slug is not changed', 'create', async (options) =>
    (await import('./organizations.ts')).createOrganization(options, context),
  )
  add(root, 'list', 'show all organizations', 'list', async (options) =>
    (await import('./organizations.ts')).listOrganizations(options, context),
  )
  add(root, 'plan', 'set the plan of an organization', 'plan', async (options) =>
    (await import('./organizations.ts')).changePlan(options, context),
  )
  add(root, 'limit', "give an organization a limit of its own instead of its plan's", 'limit', async (options) =>
    (await import('./organizations.ts')).overrideLimit(options, context),
  )
  add(root, 'audit', 'show who changed what, when and from where', 'audit', async (options) =>
    (await import('./audit.ts')).showAudit(options, context),
  )
  add(
    root,
    'copy',
    'copy organizations, users, keys, sessions, usage and the log of changes into another database, which is empty',
    'copy',
    async (options) => (await import('./copy-identity.ts')).copyOrganizations(options, context),
  )
  add(user, 'add', 'make a user; the password comes from stdin', 'userAdd', async (options) =>
    (await import('./users.ts')).addUser(options, context),
  )
  add(user, 'list', 'show the users of an organization', 'userList', async (options) =>
    (await import('./users.ts')).listUsers(options, context),
  )
  add(user, 'disable', 'disable a user: no login, and all sessions end', 'user', async (options) =>
    (await import('./users.ts')).disableUser(options, true, context),
  )
  add(user, 'enable', 'enable a disabled user again', 'user', async (options) =>
    (await import('./users.ts')).disableUser(options, false, context),
  )
  add(user, 'password', 'change the password of a user, from stdin; ends all sessions of the user', 'user', async (options) =>
    (await import('./users.ts')).changePassword(options, context),
  )
  add(
    user,
    'unlock',
    'end the limits that wrong passwords have put on a user, in every running instance at once',
    'user',
    async (options) => (await import('./users.ts')).unlockUser(options, context),
  )
  add(key, 'create', 'make an API key; it is shown only once', 'keyCreate', async (options) =>
    (await import('./keys.ts')).createKey(options, context),
  )
  add(key, 'list', 'show the API keys of an organization, never the keys themselves', 'keyList', async (options) =>
    (await import('./keys.ts')).listKeys(options, context),
  )
  add(key, 'revoke', 'refuse an API key from now on', 'keyRevoke', async (options) =>
    (await import('./keys.ts')).revokeKey(options, context),
  )
  addWebhookCommands((verb, description, options, run) => add(webhook, verb, description, options, run), context)
  add(sessions, 'revoke', 'end all logins of an organization, or of one of its users', 'sessionsRevoke', async (options) =>
    (await import('./sessions.ts')).revokeSessions(options, context),
  )
}

type Add = <Name extends keyof typeof ORG_OPTIONS>(
  verb: string,
  description: string,
  options: Name,
  run: (values: OrgOptions<Name>) => Promise<void>,
) => void

function addWebhookCommands(add: Add, context: CliContext): void {
  const commands = () => import('./webhooks.ts')
  add('add', 'create a webhook; its secret is written to a file', 'webhookAdd', async (options) =>
    (await commands()).addWebhook(options, context),
  )
  add('list', 'show the webhooks of an organization', 'webhookList', async (options) => (await commands()).listWebhooks(options, context))
  add('show', 'show a webhook with its filter and its state', 'webhook', async (options) =>
    (await commands()).showWebhook(options, context),
  )
  add('update', 'change what is given; enable or disable it', 'webhookUpdate', async (options) =>
    (await commands()).updateWebhook(options, context),
  )
  add('remove', 'delete a webhook with its deliveries', 'webhook', async (options) => (await commands()).removeWebhook(options, context))
  add('rotate', 'another secret, in a file; the one before signs for another 24 hours', 'webhookRotate', async (options) =>
    (await commands()).rotateWebhook(options, context),
  )
  add('test', 'send a test event, once', 'webhook', async (options) => (await commands()).testWebhook(options, context))
  add('deliveries', 'show what is pending, was delivered, and is dead', 'webhookDeliveries', async (options) =>
    (await commands()).listDeliveries(options, context),
  )
  add('redeliver', 'send a delivery again', 'webhookRedeliver', async (options) => (await commands()).redeliver(options, context))
}

/** With an argument as `--email`. @throws OrreryError `invalid`/`invalid_options` when they name different users. */
function flagsOf(command: Command): Readonly<Record<string, unknown>> {
  const flags: Readonly<Record<string, unknown>> = command.opts()
  const [address] = command.args
  if (address === undefined) return flags
  if (flags.email === undefined || flags.email === address) return { ...flags, email: address }
  const message = `Two users are named: ${JSON.stringify(address)} and, with --email, ${JSON.stringify(flags.email)}. Nothing was changed. Name one.`
  throw new OrreryError('invalid', 'invalid_options', message)
}

/** A password on a command line is in the list of processes, readable for all users of the machine, and in the shell's history. */
function warnOfPasswords(flags: Readonly<Record<string, unknown>>, { stderr }: CliContext): void {
  for (const [option, variable] of [
    ['identity', 'ORRERY_IDENTITY'],
    ['redis', 'ORRERY_REDIS'],
    ['targetIdentity', 'ORRERY_TARGET_IDENTITY'],
  ] as const) {
    const url = flags[option]
    if (typeof url !== 'string' || !URL.canParse(url) || new URL(url).password === '') continue
    stderr.write(
      `The password in \`${flagOf(option)}\` can be seen in the list of processes. Give the address as ${variable} in the environment.\n`,
    )
  }
}

function group(parent: Command, verb: string, description: string): Command {
  return parent.command(verb).description(description).helpOption('-h, --help', 'print this help').addHelpCommand(false)
}
