// The options of `orrery org …`.

import { z } from 'zod'
import { ledger, type OptionTable, type OptionValues, onOff, option, text, wholeNumber } from '../../options.ts'

const where = {
  identity: option(
    '--identity <url>',
    'database of organizations: sqlite:<file> or postgres://…, better given as the variable; the one of the data folder when not given',
    text().optional(),
  ),
  data: option('--data <folder>', 'data folder of `orrery up`; .orrery when not given', text().default('.orrery')),
  json: option('--json', 'one JSON document on stdout', onOff()),
} as const satisfies OptionTable
/** For changes that running instances cache. Users and sessions are read from the database at each request and need no message. */
const announced = {
  ...where,
  redis: option('--redis <url>', 'publishes the change to running instances; they see it within 5 s when not given', text().optional()),
} as const satisfies OptionTable

const org = option('--org <slug>', 'the organization', text())
const email = option('--email <address>', 'the user', text())
const name = option('--name <name>', 'name for people', text())
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

const id = option('--id <id>', 'id of the webhook, as `orrery org webhook list` shows it', text())
const webhookUrl = option('--webhook-url <url>', 'address that gets the events: https on port 443 of a public host', text())
const list = (flags: string, what: string) => option(flags, `${what}; \`all\` for no limit`, text().optional())
/** The filter, with the rules of `POST /v1/org/webhooks`. */
const webhookMembers = {
  description: option('--description <text>', 'text for people', text().optional()),
  addresses: list('--addresses <addresses>', 'only events of these accounts, separated by commas'),
  protocols: list('--protocols <protocols>', 'only events of these protocols, separated by commas'),
  contracts: list('--contracts <contracts>', 'only events of these pools, separated by commas'),
  activityTypes: list('--activity-types <types>', 'only activities of these types, separated by commas'),
  events: list('--events <events>', 'only activity, position or health_factor, separated by commas'),
  healthFactorBelow: option(
    '--health-factor-below <number|none>',
    'send an event when a health factor falls below it, and when it has recovered',
    text().optional(),
  ),
  webhookAllowPrivate: option(
    '--webhook-allow-private',
    'take an address on http, another port or a host that is not public: it is used only where the delivery allows it, too',
    onOff(),
  ),
} as const satisfies OptionTable
const webhookSecret = {
  webhookKey: option(
    '--webhook-key <hex>',
    'key that encrypts secrets, 64 hex characters; prefer the variable; that of the data folder when not given',
    z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex characters')
      .optional(),
  ),
  secretFile: option(
    '--secret-file <file>',
    'new file for the secret, which is not printed; webhook.secret when not given',
    text().default('webhook.secret'),
  ),
} as const satisfies OptionTable

export const ORG_OPTIONS = {
  create: { org, name, plan, ...where },
  list: where,
  plan: { org, plan: option('--plan <plan>', 'free, pro or enterprise', text()), ...announced },
  limit: {
    org,
    requestsPerMinute: option('--requests-per-minute <n|none>', "instead of the plan's; none removes it", rate),
    ...announced,
  },
  audit: { org, last: option('--last <n>', 'how many lines, newest first; 50 when not given', lines.default(50)), ...where },
  copy: {
    targetIdentity: option(
      '--target-identity <url>',
      'empty database to copy into: postgres://… or sqlite:<file>; prefer the variable, because options are visible in the list of processes',
      text(),
    ),
    ...where,
  },
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
  webhookAdd: {
    org,
    webhookUrl,
    ...webhookMembers,
    fromLedger: option('--from-ledger <ledger>', 'first ledger whose events are sent; the next one when not given', ledger().optional()),
    disabled: option('--disabled', 'create it disabled', onOff()),
    ...webhookSecret,
    ...where,
  },
  webhookList: { org, ...where },
  webhook: { org, id, ...where },
  webhookUpdate: {
    org,
    id,
    webhookUrl: { ...webhookUrl, schema: text().optional() },
    ...webhookMembers,
    enabled: option(
      '--enabled <true|false>',
      'send events, or let them wait',
      z.enum(['true', 'false'], 'must be true or false').optional(),
    ),
    ...where,
  },
  webhookRotate: { org, id, ...webhookSecret, ...where },
  webhookDeliveries: {
    org,
    id,
    status: option(
      '--status <status>',
      'only pending, delivered or dead',
      z.enum(['pending', 'delivered', 'dead'], 'must be pending, delivered or dead').optional(),
    ),
    last: option('--last <n>', 'how many, newest first; 50 when not given', wholeNumber(1, 1_000).default(50)),
    ...where,
  },
  webhookRedeliver: {
    org,
    id,
    delivery: option('--delivery <id>', 'id of the delivery, as `orrery org webhook deliveries` shows it', text()),
    ...where,
  },
  sessionsRevoke: { org, email: { ...email, help: 'only of this user', schema: text().optional() }, ...where },
} as const satisfies Readonly<Record<string, OptionTable>>

export type OrgOptions<Name extends keyof typeof ORG_OPTIONS> = OptionValues<(typeof ORG_OPTIONS)[Name]>
export type Where = OrgOptions<'list'> & { readonly redis?: string | undefined }
