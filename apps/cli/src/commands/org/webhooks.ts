// `orrery org webhook add | list | show | update | remove | rotate | test | deliveries | redeliver`. Secrets are written to files and never printed.

import { changedFilter, filterProblem, NO_WEBHOOK_FILTER, testPayload, webhookEventsOf } from '@orrery/api'
import { OrreryError } from '@orrery/errors'
import {
  type Delivery,
  keptWebhookKey,
  makeWebhookSecret,
  type Organization,
  sealWebhookSecret,
  type Webhook,
  type WebhookFilter,
} from '@orrery/identity'
import type { CliContext } from '../../cli-context.ts'
import { webhookKeyFileOf } from '../../data-folder.ts'
import { table } from '../../table.ts'
import type { OrgOptions } from './org-options.ts'
import { withSecretFile } from './secret-file.ts'
import { checkedUrl, filterMembersOf } from './webhook-options.ts'
import { time, withIdentity } from './with-identity.ts'

export async function addWebhook(options: OrgOptions<'webhookAdd'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, operator, organization, say }) => {
    const { id: organizationId, slug } = await organization(options.org)
    const filter = checkedFilter(changedFilter(NO_WEBHOOK_FILTER, filterMembersOf(options)))
    const url = checkedUrl(options.webhookUrl, options.webhookAllowPrivate)
    const { secret, seal } = await newSecret(options)
    const given = { organizationId, url, description: options.description ?? null, filter, fromLedger: options.fromLedger ?? null }
    const { path, result: webhook } = await withSecretFile(options.secretFile, secret, () =>
      identity.webhooks.add({ ...given, enabled: !options.disabled, seal }, operator),
    )
    const text = `Created the webhook ${webhook.id} of ${slug}. Its secret is in ${path}.\n`
    say({ event: 'webhook', organization: slug, ...documentOf(webhook), secretFile: path }, text)
  })
}

export async function listWebhooks(options: OrgOptions<'webhookList'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, organization, say }) => {
    const { id, slug } = await organization(options.org)
    const webhooks = await identity.webhooks.list(id)
    const rows = webhooks.map((one) => [
      one.id,
      stateOf(one),
      one.url,
      one.description ?? '',
      one.ledger === null ? 'none' : String(one.ledger),
    ])
    const text = webhooks.length === 0 ? `${slug} has no webhook.\n` : table(['id', 'state', 'url', 'description', 'last ledger'], rows)
    say({ event: 'webhooks', organization: slug, webhooks: webhooks.map(documentOf) }, text)
  })
}

export async function showWebhook(options: OrgOptions<'webhook'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, organization, say }) => {
    const owner = await organization(options.org)
    const webhook = found(await identity.webhooks.get(owner.id, options.id), owner, options.id)
    const document = documentOf(webhook)
    const lines = Object.entries(document).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value ?? 'none')])
    say({ event: 'webhook', organization: owner.slug, ...document }, table(['', ''], lines))
  })
}

export async function updateWebhook(options: OrgOptions<'webhookUpdate'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, operator, organization, say }) => {
    const owner = await organization(options.org)
    const current = found(await identity.webhooks.get(owner.id, options.id), owner, options.id)
    const members = filterMembersOf(options)
    const change = {
      ...(options.webhookUrl !== undefined && { url: checkedUrl(options.webhookUrl, options.webhookAllowPrivate) }),
      ...(options.description !== undefined && { description: options.description }),
      ...(options.enabled !== undefined && { enabled: options.enabled === 'true' }),
      ...(Object.keys(members).length > 0 && { filter: checkedFilter(changedFilter(current.filter, members)) }),
    }
    const webhook = found(await identity.webhooks.change(owner.id, options.id, change, operator), owner, options.id)
    say({ event: 'webhook', organization: owner.slug, ...documentOf(webhook) }, `Changed the webhook ${webhook.id}: ${stateOf(webhook)}.\n`)
  })
}

export async function removeWebhook(options: OrgOptions<'webhook'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, operator, organization, say }) => {
    const owner = await organization(options.org)
    if (!(await identity.webhooks.remove(owner.id, options.id, operator))) throw unknown(owner, options.id)
    say({ event: 'webhook_removed', organization: owner.slug, id: options.id }, `Deleted the webhook ${options.id} with its deliveries.\n`)
  })
}

export async function rotateWebhook(options: OrgOptions<'webhookRotate'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, operator, organization, say }) => {
    const owner = await organization(options.org)
    const { secret, seal } = await newSecret(options)
    const { path, result: webhook } = await withSecretFile(options.secretFile, secret, async () =>
      found(await identity.webhooks.rotateSecret(owner.id, options.id, seal, operator), owner, options.id),
    )
    const until = time(webhook.previousSecretUntilMs)
    const text = `The new secret of ${webhook.id} is in ${path}. Requests are also signed with the one before until ${until}.\n`
    say({ event: 'webhook', organization: owner.slug, ...documentOf(webhook), secretFile: path }, text)
  })
}

export async function testWebhook(options: OrgOptions<'webhook'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, operator, organization, say }) => {
    const owner = await organization(options.org)
    const delivery = await identity.webhooks.addTest(owner.id, options.id, (atMs) => testPayload(options.id, atMs), operator)
    if (delivery === null) throw unknown(owner, options.id)
    const text = `The test ${delivery.id} is sent within seconds. \`orrery org webhook deliveries --org ${owner.slug} --id ${options.id}\` shows its outcome.\n`
    say({ event: 'webhook_delivery', organization: owner.slug, ...deliveryDocument(delivery) }, text)
  })
}

export async function listDeliveries(options: OrgOptions<'webhookDeliveries'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, organization, say }) => {
    const owner = await organization(options.org)
    const page = { status: options.status ?? null, after: null, limit: options.last }
    const deliveries = await identity.webhooks.deliveries(owner.id, options.id, page)
    if (deliveries === null) throw unknown(owner, options.id)
    const rows = deliveries.map((one) => [
      ...[one.id, one.kind, one.account, one.status, String(one.attempts), time(one.lastAttemptAtMs) ?? 'none'],
      one.lastError ?? (one.lastStatus === null ? '' : String(one.lastStatus)),
    ])
    const names = ['id', 'event', 'account', 'status', 'attempts', 'last attempt', 'answer']
    const text = rows.length === 0 ? 'There is no delivery.\n' : table(names, rows)
    say({ event: 'webhook_deliveries', organization: owner.slug, deliveries: deliveries.map(deliveryDocument) }, text)
  })
}

export async function redeliver(options: OrgOptions<'webhookRedeliver'>, context: CliContext): Promise<void> {
  await withIdentity(options, context, async ({ identity, operator, organization, say }) => {
    const owner = await organization(options.org)
    const delivery = await identity.webhooks.redeliver(owner.id, options.id, options.delivery, operator)
    if (delivery === null) {
      const message = `The webhook ${JSON.stringify(options.id)} of ${owner.slug} has no delivery ${JSON.stringify(options.delivery)}. Nothing was changed.\n\`orrery org webhook deliveries\` shows those of a webhook.`
      throw new OrreryError('not_found', 'unknown_webhook_delivery', message)
    }
    say({ event: 'webhook_delivery', organization: owner.slug, ...deliveryDocument(delivery) }, `${delivery.id} is sent again.\n`)
  })
}

/** @throws OrreryError `invalid`/`webhook_key_missing` for a database that is not that of a data folder, without a key. */
async function newSecret({ webhookKey, identity, data }: Pick<OrgOptions<'webhookRotate'>, 'webhookKey' | 'identity' | 'data'>) {
  const secret = makeWebhookSecret()
  const key = webhookKey === undefined ? await keyOfFolder(identity, data) : Buffer.from(webhookKey, 'hex')
  return { secret, seal: (id: string) => sealWebhookSecret(key, id, secret) }
}

async function keyOfFolder(identity: string | undefined, data: string): Promise<Uint8Array> {
  if (identity === undefined) return keptWebhookKey(webhookKeyFileOf(data))
  const message =
    'The key that encrypts secrets of webhooks is not given. Nothing was changed.\nSet ORRERY_WEBHOOK_KEY to the value that `orrery api` and `orrery notify` have.'
  throw new OrreryError('invalid', 'webhook_key_missing', message)
}

function checkedFilter(filter: WebhookFilter): WebhookFilter {
  const problem = filterProblem(filter)
  if (problem !== null) throw new OrreryError('invalid', 'invalid_options', `Nothing was changed.\n  ${problem}`)
  return filter
}

function found(webhook: Webhook | null, organization: Organization, id: string): Webhook {
  if (webhook === null) throw unknown(organization, id)
  return webhook
}

function unknown({ slug }: Organization, id: string): OrreryError {
  const message = `${slug} has no webhook with the id ${JSON.stringify(id)}. Nothing was changed.\n\`orrery org webhook list --org ${slug}\` shows its webhooks.`
  return new OrreryError('not_found', 'unknown_webhook', message)
}

function stateOf({ enabled, disabledReason }: Webhook): string {
  if (enabled) return 'enabled'
  return disabledReason === null ? 'disabled' : `disabled: ${disabledReason}`
}

function documentOf(webhook: Webhook): Readonly<Record<string, unknown>> {
  const { filter } = webhook
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    enabled: webhook.enabled,
    disabledReason: webhook.disabledReason,
    disabledAt: time(webhook.disabledAtMs),
    ...filter,
    events: webhookEventsOf(filter),
    lastLedger: webhook.ledger,
    failingSince: time(webhook.failingSinceMs),
    previousSecretValidUntil: time(webhook.previousSecretUntilMs),
    createdAt: time(webhook.createdAtMs),
    updatedAt: time(webhook.updatedAtMs),
  }
}

function deliveryDocument(delivery: Delivery): Readonly<Record<string, unknown>> {
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    kind: delivery.kind,
    eventId: delivery.eventId,
    account: delivery.account,
    ledger: delivery.ledger,
    status: delivery.status,
    attempts: delivery.attempts,
    lastAttemptAt: time(delivery.lastAttemptAtMs),
    nextAttemptAt: time(delivery.nextAttemptAtMs),
    lastStatus: delivery.lastStatus,
    lastError: delivery.lastError,
    createdAt: time(delivery.createdAtMs),
  }
}
