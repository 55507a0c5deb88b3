// An organization, its API keys and its billing record. These requests take the access token; creating a key takes the admin token.

import type { ApiKey, Billing, CreatedApiKey, Organization } from '../generated/openapi.ts'
import { answerOf, type Http, initOf } from '../http.ts'
import type { RequestOptions } from '../options.ts'
import type { BodyOf } from '../types.ts'

export class OrganizationResource {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** The organization with its plan and usage. */
  get(request: RequestOptions = {}): Promise<Organization> {
    return answerOf(this.#http.api.GET('/v1/org', initOf(request)))
  }

  /** Changes the given members of the billing record; null clears one. */
  changeBilling(changes: BodyOf<'changeBilling'>, request: RequestOptions = {}): Promise<Billing> {
    return answerOf(this.#http.api.PATCH('/v1/org/billing', { body: changes, ...initOf(request) }))
  }

  /** The API keys, without their secrets. */
  apiKeys(request: RequestOptions = {}): Promise<ApiKey[]> {
    return answerOf(this.#http.api.GET('/v1/org/api-keys', initOf(request)))
  }

  /** Creates a key, and the organization if there is none of that slug. The answer is the only one that has the whole key. */
  createApiKey(body: BodyOf<'createApiKey'>, request: RequestOptions = {}): Promise<CreatedApiKey> {
    return answerOf(this.#http.api.POST('/v1/org/api-keys', { body, ...initOf(request) }))
  }

  /** Requests with the key are refused from now on. */
  async revokeApiKey(id: string, request: RequestOptions = {}): Promise<void> {
    await this.#http.api.DELETE('/v1/org/api-keys/{id}', { params: { path: { id } }, ...initOf(request) })
  }
}
