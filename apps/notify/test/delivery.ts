// Delivery of webhooks under test: an index, a database of organizations, and webhooks that point to a receiver.

import { randomBytes } from 'node:crypto'
import { type Actor, type Identity, makeWebhookSecret, openIdentity, sealWebhookSecret, type Webhook } from '@orrery/identity'
import type { ReadModel } from '@orrery/read-model'
import { createLogger, createMetrics, type Metrics } from '@orrery/service-kit'
import { startNotify } from '../src/index.ts'
import type { NotifyOptions } from '../src/start-notify.ts'

export const BY: Actor = { kind: 'operator', id: 'tester', address: 'here' }
export const WEBHOOK_KEY = randomBytes(32)
/** A busy machine is slow: leases must not end while their instance works. */
export const QUICK = { leaseEvery: 50, leaseFor: 20_000, dueEvery: 20, followEvery: 20, drain: 5_000 }
/** Failed deliveries are attempted again soon. */
export const soon: NonNullable<NotifyOptions['nextAttemptAt']> = ({ nowMs }) => nowMs + 10

type NewWebhook = Parameters<Identity['webhooks']['add']>[0]

export interface MadeWebhook {
  readonly webhook: Webhook
  readonly secret: string
}

export interface Delivery extends AsyncDisposable {
  readonly identity: Identity
  readonly organizationId: string
  /** Log lines as JSON. */
  readonly lines: readonly string[]
  readonly metrics: Metrics
  addWebhook(url: string, given?: Partial<NewWebhook> & { readonly filterOf?: Partial<NewWebhook['filter']> }): Promise<MadeWebhook>
  /** Starts an instance. */
  start(options?: Partial<NotifyOptions>): ReturnType<typeof startNotify>
}

const EVERYTHING = { addresses: [], protocols: [], contracts: [], activityTypes: [], events: null, healthFactorBelow: null }

export async function openDelivery(identityUrl: string, readModel: ReadModel, now: () => number = Date.now): Promise<Delivery> {
  const stack = new AsyncDisposableStack()
  const identity = stack.use(await openIdentity(identityUrl, now))
  const lines: string[] = []
  const logger = createLogger({ name: 'notify', level: 'trace', json: true, to: { write: (line: string) => void lines.push(line) } })
  const metrics = createMetrics()
  const { organization } = await identity.addOrganization({ slug: 'acme', name: 'Acme', plan: 'enterprise' }, BY)
  return {
    identity,
    organizationId: organization.id,
    lines,
    metrics,
    async addWebhook(url, { filterOf = {}, ...given } = {}) {
      const secret = makeWebhookSecret()
      const seal = (id: string): string => sealWebhookSecret(WEBHOOK_KEY, id, secret)
      const made = { organizationId: organization.id, url, description: null, enabled: true, fromLedger: 1, seal }
      return { secret, webhook: await identity.webhooks.add({ ...made, filter: { ...EVERYTHING, ...filterOf }, ...given }, BY) }
    },
    start(options = {}) {
      const parts = {
        readModel,
        webhooks: identity.webhooks,
        webhookKey: WEBHOOK_KEY,
        allowPrivate: true,
        logger,
        metrics,
        clock: { nowMs: now },
      }
      const running = startNotify({ ...parts, times: QUICK, nextAttemptAt: soon, ...options })
      stack.defer(() => running.stop())
      return running
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
