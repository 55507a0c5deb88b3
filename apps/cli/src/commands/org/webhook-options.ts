// The options of a webhook as members of `POST /v1/org/webhooks`, by the same rules.

import { type FilterMembers, webhookMembers } from '@orrery/api'
import { OrreryError } from '@orrery/errors'
import { webhookUrlProblem } from '@orrery/identity'
import { flagOf } from '../../options.ts'
import type { OrgOptions } from './org-options.ts'

type Options = OrgOptions<'webhookUpdate'>

/** By option: the member, and what its text stands for. */
const MEMBERS = {
  addresses: 'addresses',
  protocols: 'protocols',
  contracts: 'contracts',
  activityTypes: 'activity_types',
  events: 'events',
  healthFactorBelow: 'health_factor_below',
} as const

/** The members of the filter that are given. @throws OrreryError `invalid`/`invalid_options` with every problem. */
export function filterMembersOf(options: Pick<Options, keyof typeof MEMBERS>): FilterMembers {
  const problems: string[] = []
  const members: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(MEMBERS)) {
    const text = options[name as keyof typeof MEMBERS]
    if (text === undefined) continue
    const read = webhookMembers[member].safeParse(memberOf(member, text))
    if (read.success) members[member] = read.data
    else problems.push(`  ${flagOf(name)} ${read.error.issues[0]?.message ?? 'cannot be used'}`)
  }
  if (problems.length > 0) throw new OrreryError('invalid', 'invalid_options', `Nothing was changed.\n${problems.join('\n')}`)
  return members as FilterMembers // each was read by the schema of its name
}

function memberOf(member: (typeof MEMBERS)[keyof typeof MEMBERS], text: string): unknown {
  if (member === 'health_factor_below') return text === 'none' ? null : text
  if (text === 'all') return member === 'events' ? null : []
  return text.split(',')
}

/** The address as it is stored. @throws OrreryError `invalid`/`invalid_options`. */
export function checkedUrl(text: string, allowPrivate: boolean): string {
  const problem = webhookUrlProblem(text, allowPrivate)
  if (problem !== null) throw new OrreryError('invalid', 'invalid_options', `Nothing was changed.\n  --webhook-url ${problem}`)
  return new URL(text).href
}
