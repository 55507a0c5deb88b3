// Delivers the webhooks of all organizations, together with the other instances on the same database: each webhook is leased by one of them.

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { openLiveStream, openStreamReader } from '@orrery/api/stream'
import { type LeasedWebhook, openWebhookSecret, type WebhookStore } from '@orrery/identity'
import type { ReadModel } from '@orrery/read-model'
import { type Clock, type Logger, type Metrics, type Readiness, systemClock } from '@orrery/service-kit'
import { openRequestSlots } from './request-slots.ts'
import { nextAttemptAt } from './retry-schedule.ts'
import { openReceivers, SEND_TIMES, type SendTimes } from './send-request.ts'
import { PENDING_LIMITS, type PendingLimits, readWebhook } from './webhook-reader.ts'
import { WebhookSender } from './webhook-sender.ts'

export interface NotifyOptions {
  readonly readModel: Pick<ReadModel, 'query' | 'tip' | 'watermark' | 'closeTimeOf' | 'ledgerAtOrBefore'>
  readonly webhooks: WebhookStore
  /** 32 bytes that decrypt the secrets. */
  readonly webhookKey: Uint8Array
  /** Send also to http, other ports and addresses that are not public. */
  readonly allowPrivate: boolean
  /** Most requests to receivers at the same time. Default: 256. */
  readonly requestsAtOnce?: number
  readonly logger: Logger
  readonly metrics: Metrics
  readonly clock?: Clock
  readonly times?: Partial<NotifyTimes>
  readonly sendTimes?: Partial<SendTimes>
  /** When a failed delivery is attempted again. Default: for 24 hours. */
  readonly nextAttemptAt?: typeof nextAttemptAt
  /** Deliveries of a webhook that wait. */
  readonly pendingLimits?: PendingLimits
}

/** Milliseconds. */
export interface NotifyTimes {
  /** How often leases are renewed, and new webhooks and changes are seen. */
  readonly leaseEvery: number
  /** How long a lease counts: what an instance had that was killed is taken over after it. Longer than a request may take. */
  readonly leaseFor: number
  /** How often due attempts are looked for. */
  readonly dueEvery: number
  /** How often the end of the index is read. */
  readonly followEvery: number
  /** How long a stop waits for requests in progress. */
  readonly drain: number
}

export interface RunningNotify {
  /** Whether the leases could be renewed. */
  readiness(): Readiness
  status(): { readonly instance: string; readonly webhooks: number }
  /** Ends the requests in progress and the leases. The read model and the store stay open. */
  stop(): Promise<void>
}

const TIMES: NotifyTimes = { leaseEvery: 2_000, leaseFor: 45_000, dueEvery: 1_000, followEvery: 250, drain: 10_000 }
const REQUESTS_AT_ONCE = 256
const TRIM_EVERY_MS = 3_600_000

interface Worker {
  readonly sender: WebhookSender
  revision: number
  /** Null while the webhook is disabled. */
  reading: { readonly stop: AbortController; readonly ended: Promise<void>; isOver: boolean } | null
}

export function startNotify(options: NotifyOptions): RunningNotify {
  const { readModel, webhooks, webhookKey, allowPrivate, logger, metrics, clock = systemClock } = options
  const times = { ...TIMES, ...options.times }
  const answerMs = options.sendTimes?.answer ?? SEND_TIMES.answer
  const instance = randomUUID()
  const stopping = new AbortController()
  const { signal } = stopping
  const workers = new Map<string, Worker>()
  /** Webhooks that were given away, whose requests in progress have not ended. */
  const ending = new Map<string, Promise<void>>()
  const reader = openStreamReader(readModel)
  const live = openLiveStream({ readModel, reader, logger, everyMs: times.followEvery })
  const receivers = openReceivers({ allowPrivate, ...(options.sendTimes !== undefined && { times: options.sendTimes }) })
  let problem: string | null = 'no lease was asked for yet'

  const secretsOf = (webhook: LeasedWebhook): string[] =>
    [webhook.sealedSecret, webhook.sealedPreviousSecret].flatMap((sealed) =>
      sealed === null ? [] : [openWebhookSecret(webhookKey, webhook.id, sealed)],
    )
  const senderParts = {
    instance,
    webhooks,
    receivers,
    slots: openRequestSlots(options.requestsAtOnce ?? REQUESTS_AT_ONCE),
    secretsOf,
    nextAttemptAt: options.nextAttemptAt ?? nextAttemptAt,
    clock,
    logger,
    metrics,
  }

  const startReading = (webhook: LeasedWebhook, sender: WebhookSender): Worker['reading'] => {
    const stop = new AbortController()
    const limits = options.pendingLimits ?? PENDING_LIMITS
    const parts = { instance, webhooks, readModel, reader, live, logger, metrics, limits, onStored: () => sender.wake() }
    const ended = readWebhook(webhook, parts, stop.signal).then(() => {
      reading.isOver = true
    })
    const reading = { stop, ended, isOver: false }
    return reading
  }

  const stopReading = async (worker: Worker): Promise<void> => {
    worker.reading?.stop.abort()
    await worker.reading?.ended
    worker.reading = null
  }

  /** Starts, renews and stops workers, so that they are those of the leases. */
  const take = async (leased: readonly LeasedWebhook[], untilMs: number): Promise<void> => {
    const held = new Set(leased.map(({ id }) => id))
    for (const [id, worker] of workers) {
      if (held.has(id)) continue
      workers.delete(id)
      // It must not delay the renewal of the other leases.
      const ended = Promise.all([stopReading(worker), worker.sender.stop(answerMs)]).then(() => {
        ending.delete(id)
      })
      ending.set(id, ended)
    }
    for (const webhook of leased) {
      // Given away and leased again: its requests in progress end first, so that no delivery is sent twice at the same time.
      if (ending.has(webhook.id)) continue
      const lease = { webhook, startBeforeMs: untilMs - answerMs }
      const worker = workers.get(webhook.id) ?? { sender: new WebhookSender(lease, senderParts), revision: webhook.revision, reading: null }
      workers.set(webhook.id, worker)
      worker.sender.renew(lease)
      const isOld = worker.revision !== webhook.revision || !webhook.enabled || worker.reading?.isOver === true
      if (isOld) await stopReading(worker)
      worker.revision = webhook.revision
      // What was read of it above may be older than what its last reader has stored: the store refuses it then, and the next look is newer.
      if (webhook.enabled && worker.reading === null) worker.reading = startReading(webhook, worker.sender)
    }
    metrics.webhookLeases.set(workers.size)
  }

  const repeat = async (everyMs: number, what: string, work: () => Promise<void>): Promise<void> => {
    let hasFailed = false
    while (!signal.aborted) {
      try {
        await work()
        hasFailed = false
      } catch (err) {
        if (!hasFailed) logger.warn({ err }, `Could not ${what}: trying again`)
        hasFailed = true
      }
      await delay(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }

  const lease = async (): Promise<void> => {
    const untilMs = clock.nowMs() + times.leaseFor
    try {
      await take(await webhooks.lease(instance, times.leaseFor), untilMs)
      problem = null
    } catch (error) {
      problem = 'the database of organizations could not be used'
      throw error
    }
  }
  const wakeDue = async (): Promise<void> => {
    if (workers.size === 0) return
    for (const id of await webhooks.dueWebhooks(instance)) workers.get(id)?.sender.wake()
  }
  const trim = async (): Promise<void> => {
    const count = await webhooks.trim()
    if (count > 0) logger.debug({ count }, 'Deleted old deliveries of webhooks')
  }
  const loops = [
    repeat(times.leaseEvery, 'renew the leases of webhooks', lease),
    repeat(times.dueEvery, 'look for due deliveries of webhooks', wakeDue),
    repeat(TRIM_EVERY_MS, 'delete old deliveries of webhooks', trim),
  ]
  // A counter that is absent until the first request would hide that none is made.
  for (const outcome of ['delivered', 'failed', 'dead']) metrics.webhookAttempts.inc({ outcome }, 0)
  const forgetPending = metrics.onScrape(async () => {
    const pending = await webhooks.pendingOf(instance).catch(() => null)
    if (pending === null) {
      for (const gauge of [metrics.webhookPending, metrics.webhookOldestSeconds]) gauge.remove()
      return
    }
    const { count, oldestAtMs } = pending
    metrics.webhookPending.set(count)
    metrics.webhookOldestSeconds.set(oldestAtMs === null ? 0 : Math.max(0, (clock.nowMs() - oldestAtMs) / 1000))
  })

  return {
    readiness: () => (problem === null ? { ok: true, why: '' } : { ok: false, why: `Webhooks wait: ${problem}.` }),
    status: () => ({ instance, webhooks: workers.size }),
    async stop() {
      stopping.abort()
      forgetPending()
      await Promise.all(loops)
      await Promise.all([...workers.values()].flatMap((worker) => [stopReading(worker), worker.sender.stop(times.drain)]))
      await Promise.all(ending.values())
      live.close()
      await receivers.close()
      await webhooks.release(instance).catch((err: unknown) => {
        logger.warn({ err }, 'Could not end the leases of webhooks: other instances take them over when they expire')
      })
    },
  }
}
