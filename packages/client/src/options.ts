// What a client and a single request may be configured with.

/** A value, or a function that returns it when a request needs it: a token that is renewed, a key that is entered later. */
export type Secret = string | (() => string | Promise<string>)

export interface ClientOptions {
  /** Where the API is served, without `/v1`: `https://api.example.org`. '' is the origin of the page, in a browser. */
  readonly baseUrl: string
  /** Sent as `x-service-api-key` with requests for data. Not needed where a proxy adds it. */
  readonly apiKey?: Secret
  /** Sent as `authorization: Bearer` with requests that manage the organization; `auth.logIn` returns one. */
  readonly accessToken?: Secret
  /** Sent as `x-service-admin-token` with `organization.createApiKey`. */
  readonly adminToken?: Secret
  /** Default: the `fetch` of the platform. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** How often a request is repeated at most. Default: 3. */
  readonly maxRetries?: number
  /**
   * Longest wait before one repetition, in milliseconds. Where the API asks for a longer one, its error is thrown at once. Default: 65,000, so
   * that a request may wait for the next minute of the rate limit.
   */
  readonly maxRetryDelayMs?: number
  /** Longest wait for one response, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number
  /** Is called after every response, also after those that are followed by a repetition. */
  readonly onResponse?: (response: Response, request: Request) => void
}

export interface RequestOptions {
  /** Aborts the request, and any wait before a repetition. */
  readonly signal?: AbortSignal
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>
}
