// Members of the bodies of webhooks. The filter has the rules of the stream's, with lists instead of commas. The command line reads them, too.

import { WEBHOOK_EVENTS, type WebhookFilter } from '@orrery/identity'
import { isAccountId, isContractId } from '@orrery/ledger'
import { ACTIVITY_TYPES } from '@orrery/protocol-kit'
import { PROTOCOLS } from '@orrery/protocols'
import { z } from 'zod'
import { MAX_ADDRESSES } from '../../params/address-list.ts'
import { isPool, MAX_CONTRACTS, THRESHOLD } from '../../stream/filter-rules.ts'
import { Name } from '../members.ts'

const PROTOCOL_IDS = PROTOCOLS.map(({ id }) => id)
const MAX_LEDGER = 4_294_967_295

/** Different texts, at most `most`, of which each is good. */
function textList(rule: string, most: number, pattern: string, isGood: (text: string) => boolean) {
  return z
    .array(z.string(rule).regex(new RegExp(pattern), rule), rule)
    .max(most, rule)
    .meta({ uniqueItems: true })
    .refine((texts) => new Set(texts).size === texts.length && texts.every(isGood), rule)
}

/** Values of a closed set: sorted, each once. `least`: how many at least, which `rule` says. */
function choices<const T extends string>(values: readonly T[], least = 0, rule = `must be a list of ${listed(values)}.`) {
  return z
    .array(z.enum(values, rule), rule)
    .min(least, rule)
    .transform((given): readonly T[] => [...new Set(given)].sort())
}

function listed(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(', ')
}

const addressRule = `must be a list of at most ${MAX_ADDRESSES} different account (\`G...\`) or contract (\`C...\`) addresses with valid checksums.`
const poolRule = `must be a list of at most ${MAX_CONTRACTS} different pools: a contract \`C...\` with a valid checksum, or \`fxdao:<currency>\`.`
const thresholdRule =
  'must be text with a decimal number greater than 0 and below 10000, with at most 7 fractional digits, such as `1.1`, or null.'
const ledgerRule = `must be a whole number from 1 to ${MAX_LEDGER}.`

/** Members of both bodies. The address is checked by the handler, which knows what this server allows. */
export const webhookMembers = {
  url: z.string('must be text.').describe('Address that gets the events: `https` on port 443 of a public host, without credentials.'),
  description: Name.nullable().describe('Text for people. Null: none.'),
  enabled: z
    .boolean('must be true or false.')
    .describe('False: nothing is sent, and nothing is skipped. A webhook that is enabled again goes on where it stopped.'),
  addresses: textList(addressRule, MAX_ADDRESSES, '^[GC][A-Z2-7]{55}$', (text: string) => isAccountId(text) || isContractId(text)).describe(
    `Only events of these accounts, at most ${MAX_ADDRESSES}. Empty: of all.`,
  ),
  protocols: choices(PROTOCOL_IDS).describe('Only events of these protocols. Empty: of all.'),
  contracts: textList(poolRule, MAX_CONTRACTS, '^(?:C[A-Z2-7]{55}|[a-z]+:[A-Za-z0-9]{1,12})$', isPool).describe(
    `Only events of these pools, at most ${MAX_CONTRACTS}: contracts, or \`fxdao:<currency>\` for positions in vaults. Empty: of all.`,
  ),
  activity_types: choices(ACTIVITY_TYPES).describe('Only activities of these types. Other events are not filtered by it. Empty: of all.'),
  events: choices(WEBHOOK_EVENTS, 1, `must be a list of at least one of ${listed(WEBHOOK_EVENTS)}, or null.`)
    .nullable()
    .describe('Only events of these kinds. Null: `activity` and `position`, and `health_factor` where `health_factor_below` is set.'),
  health_factor_below: z
    .string(thresholdRule)
    .regex(THRESHOLD, thresholdRule)
    .nullable()
    .describe(
      'A threshold: an event `health_factor` is sent when the health factor of a position falls below it, and another one when it has recovered, at 2 % above it or without debt. A position that has not been known to be below it for 120,960 ledgers, about a week, counts as recovered without an event. Null: health factors are not watched.',
    ),
} as const

/** For the descriptions of operations: rules that the schemas of the members cannot state. */
export const WEBHOOK_REFUSALS = `Refused:
- \`url\` must be an absolute URL such as \`https://example.org/orrery\`.
- \`url\` must begin with \`https://\`.
- \`url\` must use port 443.
- \`url\` must name a public host.
- \`url\` must not name a private, local or reserved address.
- \`url\` must not contain credentials.
- \`url\` must not have a fragment (\`#…\`).
- \`url\` must have at most 2048 characters.
- \`events\` has \`health_factor\`, which needs a threshold.
- \`health_factor_below\` is given, but \`events\` lacks \`health_factor\`.`

export const FromLedger = z
  .int(ledgerRule)
  .min(1, ledgerRule)
  .max(MAX_LEDGER, ledgerRule)
  .nullable()
  .describe('First ledger, inclusive, whose events are sent. Null: the first one that closes after the webhook was created.')

type FilterMember = 'addresses' | 'protocols' | 'contracts' | 'activity_types' | 'events' | 'health_factor_below'
/** The members of a filter that a body has. */
export type FilterMembers = { readonly [Name in FilterMember]?: z.output<(typeof webhookMembers)[Name]> | undefined }

export const NO_WEBHOOK_FILTER: WebhookFilter = {
  ...{ addresses: [], protocols: [], contracts: [], activityTypes: [], events: null, healthFactorBelow: null },
}

/** The filter with the members that are given; the others stay. */
export function changedFilter(filter: WebhookFilter, given: FilterMembers): WebhookFilter {
  return {
    addresses: given.addresses ?? filter.addresses,
    protocols: given.protocols ?? filter.protocols,
    contracts: given.contracts ?? filter.contracts,
    activityTypes: given.activity_types ?? filter.activityTypes,
    events: given.events === undefined ? filter.events : given.events,
    healthFactorBelow: given.health_factor_below === undefined ? filter.healthFactorBelow : given.health_factor_below,
  }
}

/** What is wrong with the filter as a whole, or null. */
export function filterProblem({ events, healthFactorBelow }: WebhookFilter): string | null {
  const isWatched = events?.includes('health_factor') ?? false
  if (isWatched && healthFactorBelow === null) {
    return '`events` has `health_factor`, which needs a threshold. Give it as `health_factor_below`.'
  }
  if (events !== null && !isWatched && healthFactorBelow !== null) {
    return '`health_factor_below` is given, but `events` lacks `health_factor`. Add it to `events`, or set `health_factor_below` to null.'
  }
  return null
}
