// The typed requests that all resources make: paths, parameters and answers by the OpenAPI document.

import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from './generated/openapi.ts'
import type { ClientOptions, RequestOptions } from './options.ts'
import { RetryingFetch } from './retrying-fetch.ts'

/** Requests of one client. */
export interface Http {
  readonly api: Client<paths>
  readonly sender: RetryingFetch
}

export function openHttp(options: ClientOptions): Http {
  const sender = new RetryingFetch(options)
  return { api: createFetchClient<paths>({ baseUrl: options.baseUrl, fetch: (request) => sender.send(request) }), sender }
}

/** The body of an answer. A refusal has been thrown before. */
export async function answerOf<Answer>(result: Promise<{ readonly data?: Answer }>): Promise<Answer> {
  const { data } = await result
  return data as Answer
}

/** The options of one request as `fetch` has them. */
export function initOf({ signal, headers }: RequestOptions): { signal?: AbortSignal; headers?: Record<string, string> } {
  return { ...(signal !== undefined && { signal }), ...(headers !== undefined && { headers: { ...headers } }) }
}
