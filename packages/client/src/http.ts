// The typed requests that all resources make: paths, parameters and answers by the OpenAPI document.

import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from './generated/openapi.ts'
import type { ClientOptions, RequestOptions } from './options.ts'
import { RetryingFetch } from './retrying-fetch.ts'

/** The parts of an OpenAPI 3.1 document by which programs find operations and types. Everything else is in it too. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  /** Operations by path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
}

/** What the API serves beside the operations of its document. */
interface Documents {
  readonly '/openapi.json': {
    readonly get: { readonly responses: { readonly 200: { readonly content: { readonly 'application/json': OpenApiDocument } } } }
  }
}

/** Requests of one client. */
export interface Http {
  readonly api: Client<paths>
  readonly documents: Client<Documents>
  readonly sender: RetryingFetch
}

export function openHttp(options: ClientOptions): Http {
  const sender = new RetryingFetch(options)
  const sending = { baseUrl: options.baseUrl, fetch: (request: Request) => sender.send(request) }
  return { api: createFetchClient<paths>(sending), documents: createFetchClient<Documents>(sending), sender }
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
