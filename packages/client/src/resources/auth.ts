// Tokens for requests that manage an organization. They take no credential.

import type { AccessToken, TokenPair } from '../generated/openapi.ts'
import { answerOf, type Http, initOf } from '../http.ts'
import type { RequestOptions } from '../options.ts'

export class AuthResource {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** An access token and a refresh token of a user. */
  logIn(email: string, password: string, request: RequestOptions = {}): Promise<TokenPair> {
    return answerOf(this.#http.api.POST('/v1/auth/login', { body: { email, password }, ...initOf(request) }))
  }

  /** Another access token. */
  refresh(refreshToken: string, request: RequestOptions = {}): Promise<AccessToken> {
    return answerOf(this.#http.api.POST('/v1/auth/refresh', { body: { refresh_token: refreshToken }, ...initOf(request) }))
  }

  /** Ends the session of a refresh token. */
  async logOut(refreshToken: string, request: RequestOptions = {}): Promise<void> {
    await this.#http.api.POST('/v1/auth/logout', { body: { refresh_token: refreshToken }, ...initOf(request) })
  }
}
