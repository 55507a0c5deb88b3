// Webhooks of an organization. These requests take the access token.

import type { CreatedWebhook, RotatedWebhookSecret, Webhook, WebhookDeliveries, WebhookDelivery } from '../generated/openapi.ts'
import { answerOf, type Http, initOf } from '../http.ts'
import type { RequestOptions } from '../options.ts'
import { wireQuery } from '../query.ts'
import type { BodyOf, QueryOf } from '../types.ts'

export class WebhooksResource {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Creates a webhook. The answer is the only one that has its secret. */
  create(body: BodyOf<'createWebhook'>, request: RequestOptions = {}): Promise<CreatedWebhook> {
    return answerOf(this.#http.api.POST('/v1/org/webhooks', { body, ...initOf(request) }))
  }

  /** All webhooks, without their secrets. */
  list(request: RequestOptions = {}): Promise<Webhook[]> {
    return answerOf(this.#http.api.GET('/v1/org/webhooks', initOf(request)))
  }

  get(id: string, request: RequestOptions = {}): Promise<Webhook> {
    return answerOf(this.#http.api.GET('/v1/org/webhooks/{webhook_id}', { params: { path: { webhook_id: id } }, ...initOf(request) }))
  }

  /** Changes the given members. */
  change(id: string, changes: BodyOf<'changeWebhook'>, request: RequestOptions = {}): Promise<Webhook> {
    const path = { webhook_id: id }
    return answerOf(this.#http.api.PATCH('/v1/org/webhooks/{webhook_id}', { params: { path }, body: changes, ...initOf(request) }))
  }

  /** Deletes a webhook with its deliveries. */
  async delete(id: string, request: RequestOptions = {}): Promise<void> {
    await this.#http.api.DELETE('/v1/org/webhooks/{webhook_id}', { params: { path: { webhook_id: id } }, ...initOf(request) })
  }

  /** Another secret. The one before signs for another 24 hours. */
  rotateSecret(id: string, request: RequestOptions = {}): Promise<RotatedWebhookSecret> {
    const path = { webhook_id: id }
    return answerOf(this.#http.api.POST('/v1/org/webhooks/{webhook_id}/rotate-secret', { params: { path }, ...initOf(request) }))
  }

  /** Sends a test event, once. `deliveries` shows its outcome. */
  test(id: string, request: RequestOptions = {}): Promise<WebhookDelivery> {
    const path = { webhook_id: id }
    return answerOf(this.#http.api.POST('/v1/org/webhooks/{webhook_id}/test', { params: { path }, ...initOf(request) }))
  }

  /** A page of deliveries, newest first. */
  deliveries(id: string, query: QueryOf<'listWebhookDeliveries'> = {}, request: RequestOptions = {}): Promise<WebhookDeliveries> {
    const params = { path: { webhook_id: id }, query: wireQuery(query) }
    return answerOf(this.#http.api.GET('/v1/org/webhooks/{webhook_id}/deliveries', { params, ...initOf(request) }))
  }

  /** Sends a delivery again. */
  redeliver(id: string, deliveryId: string, request: RequestOptions = {}): Promise<WebhookDelivery> {
    const path = { webhook_id: id, delivery_id: deliveryId }
    const target = '/v1/org/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver'
    return answerOf(this.#http.api.POST(target, { params: { path }, ...initOf(request) }))
  }
}
