// `orrery org create | list | plan | limit`.

import { OrreryError } from '@orrery/errors'
import { type Organization, PLANS, type Plan } from '@orrery/identity'
import type { CliContext } from '../../cli-context.ts'
import { grouped } from '../../progress.ts'
import { table } from '../../table.ts'
import type { OrgOptions } from './org-options.ts'
import { time, withIdentity } from './with-identity.ts'

export async function createOrganization(options: OrgOptions<'create'>, context: CliContext): Promise<void> {
  const plan = planOf(options.plan)
  await withIdentity(options, context, async ({ identity, operator, say }) => {
    const { organization, reused } = await identity.addOrganization({ slug: options.org, name: options.name, plan }, operator)
    const next = `Next: \`orrery org key create --org ${organization.slug} --name NAME\`, \`orrery org user add --org ${organization.slug} --email ADDRESS\`.`
    const text = reused
      ? `${organization.slug} exists already and was not changed.\n`
      : `Created the organization ${organization.slug} on the plan ${organization.plan}.\n${next}\n`
    say({ event: 'organization', reused, ...documentOf(organization) }, text)
  })
}

export async function listOrganizations(options: OrgOptions<'list'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, say }) => {
    const all = await identity.organizations()
    const rows = all.map((one) => [one.slug, one.name, one.plan, grouped(one.requestsPerMinute), time(one.createdAtMs)])
    const text = all.length === 0 ? 'There is no organization yet.\n' : table(['slug', 'name', 'plan', 'requests/min', 'since'], rows)
    say({ event: 'organizations', organizations: all.map(documentOf) }, text)
  })
}

export async function changePlan(options: OrgOptions<'plan'>, context: CliContext): Promise<void> {
  const plan = planOf(options.plan)
  await withIdentity(options, context, async ({ identity, operator, organization, changed, say }) => {
    const { id, slug } = await organization(options.org)
    await identity.changePlan(id, plan, operator)
    await changed({ organizationId: id })
    const now = await organization(slug)
    say({ event: 'organization', ...documentOf(now) }, `${slug} is on the plan ${now.plan}: ${limitOf(now)}.\n`)
  })
}

export async function overrideLimit(options: OrgOptions<'limit'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, operator, organization, changed, say }) => {
    const { id, slug } = await organization(options.org)
    await identity.overrideRateLimit(id, options.requestsPerMinute, operator)
    await changed({ organizationId: id })
    const now = await organization(slug)
    say({ event: 'organization', ...documentOf(now) }, `${slug} may make ${limitOf(now)}.\n`)
  })
}

function planOf(text: string): Plan {
  const plan = PLANS.find((known) => known === text)
  if (plan !== undefined) return plan
  throw new OrreryError(
    'invalid',
    'unknown_plan',
    `There is no plan ${JSON.stringify(text)}. Nothing was changed.\nUse one of: ${PLANS.join(', ')}.`,
  )
}

function limitOf({ requestsPerMinute, requestsPerMinuteOverride, plan }: Organization): string {
  return `${grouped(requestsPerMinute)} requests a minute${requestsPerMinuteOverride === null ? `, by the plan ${plan}` : ', by a limit of its own'}`
}

function documentOf(one: Organization): Readonly<Record<string, unknown>> {
  return {
    id: one.id,
    slug: one.slug,
    name: one.name,
    plan: one.plan,
    requestsPerMinute: one.requestsPerMinute,
    requestsPerMinuteOverride: one.requestsPerMinuteOverride,
    createdAt: time(one.createdAtMs),
  }
}
