// Sends the due deliveries of one webhook: several accounts at once, one delivery of an account at a time.

import type { AttemptResult, DueDelivery, LeasedWebhook, WebhookStore } from '@orrery/identity'
import type { Clock, Logger, Metrics } from '@orrery/service-kit'
import { type SpanOptions, traced } from '@orrery/tracing'
import type { RequestSlots } from './request-slots.ts'
import type { FailedAttempt } from './retry-schedule.ts'
import type { Outcome, Receivers } from './send-request.ts'
import { signatureOf } from './signature.ts'

export interface SenderParts {
  readonly instance: string
  readonly webhooks: Pick<WebhookStore, 'due' | 'finish'>
  readonly receivers: Receivers
  /** Of the process. */
  readonly slots: RequestSlots
  /** The secrets of a webhook that are valid. @throws when they cannot be decrypted. */
  readonly secretsOf: (webhook: LeasedWebhook) => readonly string[]
  /** Unix milliseconds of the next attempt; null when there is none. */
  readonly nextAttemptAt: (failed: FailedAttempt) => number | null
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

export interface SenderLease {
  readonly webhook: LeasedWebhook
  /** Unix milliseconds after which an answer must not be waited for: another instance may have the lease by then. */
  readonly startBeforeMs: number
}

/** Requests to one webhook at the same time. */
const AT_ONCE = 8
const GONE = 410

export class WebhookSender {
  readonly #parts: SenderParts
  #lease: SenderLease
  readonly #inFlight = new Map<string, Promise<void>>()
  readonly #aborting = new AbortController()
  #isStopped = false
  /** Another instance has the lease: nothing is sent until it is renewed. */
  #isLost = false
  #hasFailed = false
  #isPumping = false
  #isWanted = false

  constructor(lease: SenderLease, parts: SenderParts) {
    this.#lease = lease
    this.#parts = parts
  }

  /** The lease was renewed, or the webhook has changed. */
  renew(lease: SenderLease): void {
    this.#lease = lease
    this.#isLost = false
  }

  /** The same function each time, so that a webhook waits once for a slot. */
  readonly #takeTurn = (): void => {
    this.#hasTurn = true
    this.wake()
  }
  /** A slot became free for this webhook: if it has no use for it, the next one gets its turn. */
  #hasTurn = false

  /** Sends what is due. Called again while it works, it looks once more afterwards. */
  wake(): void {
    this.#isWanted = true
    if (this.#isPumping) return
    this.#isPumping = true
    this.#pump()
      .catch((err: unknown) => {
        this.#parts.logger.warn({ err, webhookId: this.#lease.webhook.id }, 'Could not read the due deliveries of a webhook')
      })
      .finally(() => {
        this.#isPumping = false
        // Asked for after the loop had looked the last time.
        if (this.#isWanted) this.wake()
      })
  }

  /** Starts no more requests, and waits for those in progress at most `forMs`: they are aborted then, and attempted again by the next instance. */
  async stop(forMs: number): Promise<void> {
    this.#isStopped = true
    this.#parts.slots.forget(this.#takeTurn)
    const timer = setTimeout(() => this.#aborting.abort(), forMs)
    await Promise.all(this.#inFlight.values())
    clearTimeout(timer)
  }

  async #pump(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false
      const hadTurn = this.#hasTurn
      this.#hasTurn = false
      let started = 0
      try {
        started = await this.#startDue()
      } finally {
        if (hadTurn && started === 0) this.#parts.slots.pass()
      }
    }
  }

  /** How many requests it started. */
  async #startDue(): Promise<number> {
    const { webhooks, clock, slots } = this.#parts
    const free = AT_ONCE - this.#inFlight.size
    if (free <= 0 || this.#isStopped || this.#isLost || clock.nowMs() >= this.#lease.startBeforeMs) return 0
    // What is in flight is pending in the store, and holds back the rest of its account there. An attempt may also be recorded after the store
    // has read and before its answer is here: sending that delivery again would repeat it beside the next one of its account.
    const before = new Set(this.#inFlight.keys())
    const due = await webhooks.due(this.#lease.webhook.id, AT_ONCE)
    if (this.#isStopped) return 0
    let started = 0
    for (const delivery of due.filter(({ id }) => !before.has(id)).slice(0, free)) {
      if (!slots.take(this.#takeTurn)) break
      this.#start(delivery)
      started++
    }
    return started
  }

  #start(delivery: DueDelivery): void {
    const attempt = this.#attempt(delivery)
      .finally(() => this.#parts.slots.release())
      .then(
        () => {
          this.#hasFailed = false
          this.#inFlight.delete(delivery.id)
          this.wake()
        },
        (err: unknown) => {
          this.#inFlight.delete(delivery.id)
          // Not recorded: the same delivery is attempted again when due deliveries are looked for the next time.
          const fields = { err, webhookId: this.#lease.webhook.id, deliveryId: delivery.id }
          if (!this.#hasFailed)
            this.#parts.logger.error(fields, 'Could not make or record an attempt of a delivery: trying again each second')
          this.#hasFailed = true
        },
      )
    this.#inFlight.set(delivery.id, attempt)
  }

  async #attempt(delivery: DueDelivery): Promise<void> {
    const { webhook } = this.#lease
    const { instance, webhooks, receivers, secretsOf, nextAttemptAt, clock, metrics } = this.#parts
    const startedAtMs = clock.nowMs()
    const timestamp = Math.floor(startedAtMs / 1000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Orrery-Webhooks/1',
      'webhook-id': delivery.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(delivery.id, timestamp, delivery.payload, secretsOf(webhook)),
    }
    const startedMs = performance.now()
    const message = { url: webhook.url, headers, body: delivery.payload }
    const outcome = await traced(spanOf(webhook, delivery), () => receivers.send(message, this.#aborting.signal))
    if (outcome.is === 'aborted') return
    const result = resultOf(delivery, outcome, (failed) => nextAttemptAt({ ...failed, nowMs: clock.nowMs() }), startedAtMs)
    const name = result.is === 'delivered' ? 'delivered' : result.retryAtMs === null ? 'dead' : 'failed'
    metrics.webhookAttempts.inc({ outcome: name })
    metrics.webhookAttemptSeconds.observe({ outcome: name }, (performance.now() - startedMs) / 1000)
    const recorded = await webhooks.finish({ instance, webhookId: webhook.id }, delivery.id, result)
    if (recorded === null) this.#isLost = true
    this.#report(delivery, result, recorded?.disabled ?? null)
  }

  /** Addresses may hold a secret in their path: only the host is logged. */
  #report(delivery: DueDelivery, result: AttemptResult, disabled: 'gone' | 'failing' | null): void {
    const { logger, metrics } = this.#parts
    const { webhook } = this.#lease
    const fields = { webhookId: webhook.id, organizationId: webhook.organizationId, host: new URL(webhook.url).host }
    if (result.is === 'failed') {
      const { status, error, retryAtMs } = result
      const attempt = { ...fields, deliveryId: delivery.id, attempts: delivery.attempts + 1, status, error }
      if (retryAtMs === null) logger.warn(attempt, 'Gave up a delivery of a webhook: its organization can send it again')
      else logger.debug({ ...attempt, retryAtMs }, 'An attempt of a delivery failed')
    }
    if (disabled === null) return
    metrics.webhookDisabled.inc({ reason: disabled })
    const why = disabled === 'gone' ? 'its receiver answered 410' : 'no attempt has succeeded for 24 hours'
    logger.warn({ ...fields, reason: disabled }, `Disabled a webhook because ${why}: what is pending is kept`)
  }
}

/** The span of a request to a receiver. The address may hold a secret in its path: only the host is reported. */
function spanOf(webhook: LeasedWebhook, delivery: DueDelivery): SpanOptions<Outcome> {
  return {
    name: 'deliver_webhook',
    kind: 'client',
    attributes: () => ({
      'http.request.method': 'POST',
      'server.address': new URL(webhook.url).host,
      'orrery.webhook_id': webhook.id,
      'orrery.delivery_id': delivery.id,
      'orrery.attempt': delivery.attempts + 1,
    }),
    failure: (outcome) => {
      if (outcome.is !== 'answered') return outcome.is === 'aborted' ? 'aborted' : 'no_answer'
      return isDelivered(outcome.status) ? null : String(outcome.status)
    },
  }
}

const isDelivered = (status: number): boolean => status >= 200 && status < 300

function resultOf(
  { kind, attempts, firstAttemptAtMs }: DueDelivery,
  outcome: Exclude<Outcome, { is: 'aborted' }>,
  nextAttempt: (failed: Omit<FailedAttempt, 'nowMs'>) => number | null,
  startedAtMs: number,
): AttemptResult {
  if (outcome.is === 'answered' && isDelivered(outcome.status)) return { is: 'delivered', status: outcome.status }
  const retryAfterMs = outcome.is === 'answered' ? outcome.retryAfterMs : null
  return {
    is: 'failed',
    status: outcome.is === 'answered' ? outcome.status : null,
    error: outcome.is === 'answered' ? answerText(outcome.status) : outcome.error,
    retryAtMs: kind === 'test' ? null : nextAttempt({ attempts, firstAttemptAtMs: firstAttemptAtMs ?? startedAtMs, retryAfterMs }),
  }
}

function answerText(status: number): string {
  if (status >= 300 && status < 400) return `the receiver answered ${status}: redirects are not followed`
  return status === GONE ? 'the receiver answered 410: it wants no more events' : `the receiver answered ${status}`
}
