// An API of a test: the OpenAPI document of the last release, and under /v1 what the test answers.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OpenApiDocument } from '@orrery/client'

export const RELEASED: OpenApiDocument = JSON.parse(readFileSync(new URL('../../../docs/openapi/released.json', import.meta.url), 'utf8'))

/** An answer with the members of the envelope. */
export const ANSWER = { data: { value_usd: '1.50' }, enrichment: {}, meta: {} }

export class FakeApi implements AsyncDisposable {
  readonly asked: IncomingMessage[] = []
  readonly #server: Server
  /** Of `/openapi.json`. */
  serveDocument: RequestListener = (_, response) => sendJson(response, 200, RELEASED)
  /** Of every other path. */
  serve: RequestListener = (_, response) => sendJson(response, 200, ANSWER)

  private constructor() {
    this.#server = createServer((request, response) => {
      if (request.url === '/openapi.json') return this.serveDocument(request, response)
      this.asked.push(request)
      this.serve(request, response)
    })
  }

  static async start(): Promise<FakeApi> {
    const api = new FakeApi()
    api.#server.listen(0, '127.0.0.1')
    await once(api.#server, 'listening')
    return api
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Refuses as the API does. */
export function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  sendJson(response, status, { error: { code, message, docs: `/docs/errors/${code}` }, meta: {} }, { 'x-request-id': 'r-1' })
}
