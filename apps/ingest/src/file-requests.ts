// Requests for files of a lake. `fetch` takes half a millisecond of CPU time for each, most of it for the streams that a body passes through: as much as
// extracting the ledger in it.

import { type Agent, globalAgent } from 'node:http'
import type { HttpAnswer, SendOptions } from '@orrery/stellar-rpc'
import type { Dispatcher } from 'undici'

export interface FileAnswer extends HttpAnswer {
  readonly body: { cancel(): Promise<void> }
  /** The body in memory of its own. Null for one of more than `mostBytes`, whatever its headers state: reading stops there. */
  bytes(mostBytes: number): Promise<Uint8Array | null>
}

/** Rejects where no answer comes. */
export type SendFileRequest = (method: 'GET' | 'HEAD', url: string, options: SendOptions) => Promise<FileAnswer>

/** As many as `fetch` follows. */
const MOST_REDIRECTS = 20
/** Memory for the whole of a larger body is not taken on the word of a header. */
const MOST_AT_ONCE = 16 * 1024 ** 2

/** @param connections Most sockets to one server. */
export function fileRequests(connections: number): SendFileRequest {
  if (usesProxies()) return fetchFile
  let opened: Promise<Sender> | undefined
  return async (method, url, options) => {
    opened ??= openSender(connections)
    const { send, agent } = await opened
    const headers = { 'user-agent': 'orrery', ...options.headers } // some servers refuse a request without one
    const answer = await send(url, { method, dispatcher: agent, headers, signal: options.signal })
    if (method === 'HEAD' || answer.headers['content-encoding'] === undefined) return new SentAnswer(answer)
    await answer.body.dump()
    return await fetchFile(method, url, options)
  }
}

/** Whether Node uses the proxies that its environment names (`NODE_USE_ENV_PROXY`); `fetch` then does, too. */
function usesProxies(): boolean {
  // Its options are documented, and missing in the types.
  const { options } = globalAgent as Agent & { readonly options: { readonly proxyEnv?: unknown } }
  return options.proxyEnv !== undefined
}

interface Sender {
  readonly agent: Dispatcher
  readonly send: typeof import('undici').request
}

/** Loaded with the first request: most processes read no lake behind HTTP. */
async function openSender(connections: number): Promise<Sender> {
  const { Agent, interceptors, request } = await import('undici')
  // Time limits are those of the attempt.
  const agent = new Agent({ connections, headersTimeout: 0, bodyTimeout: 0 })
  return { agent: agent.compose(interceptors.redirect({ maxRedirections: MOST_REDIRECTS })), send: request }
}

class SentAnswer implements FileAnswer {
  readonly status: number
  readonly #answer: Dispatcher.ResponseData

  constructor(answer: Dispatcher.ResponseData) {
    this.status = answer.statusCode
    this.#answer = answer
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get headers() {
    const { headers } = this.#answer
    return {
      get: (name: string): string | null => {
        const value = headers[name]
        return value === undefined ? null : `${value}`
      },
    }
  }

  get body() {
    // What is left of a short body is read, so that its socket can be used again.
    return { cancel: async () => void (await this.#answer.body.dump().catch(() => undefined)) }
  }

  bytes(mostBytes: number): Promise<Uint8Array | null> {
    const stated = Number(this.headers.get('content-length') ?? Number.NaN)
    if (stated <= Math.min(mostBytes, MOST_AT_ONCE)) return filled(this.#answer.body, stated)
    return stated > mostBytes ? this.body.cancel().then(() => null) : joined(this.#answer.body, mostBytes)
  }
}

/** A body of `length` bytes. */
async function filled(body: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  let at = 0
  for await (const chunk of body) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Null for more than `mostBytes`. */
async function joined(body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop ends the rest of the body.
  for await (const chunk of body) {
    length += chunk.length
    if (length > mostBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

async function fetchFile(method: 'GET' | 'HEAD', url: string, options: SendOptions): Promise<FileAnswer> {
  const response = await fetch(url, { method, ...options })
  const { status, ok, headers, body } = response
  return {
    status,
    ok,
    headers,
    body: { cancel: async () => await body?.cancel() },
    bytes: async (mostBytes) => (body === null ? new Uint8Array() : await joined(body, mostBytes)),
  }
}
