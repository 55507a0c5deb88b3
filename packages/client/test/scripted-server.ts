// An HTTP server of a test: it gives the responses of a list, one after the other, and keeps what it was asked.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ScriptedResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a text as it is. */
  readonly body?: unknown
  /** Closes the connection without a response. */
  readonly isLost?: boolean
  /** Never responds. */
  readonly isSilent?: boolean
}

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export class ScriptedServer implements AsyncDisposable {
  readonly asked: Asked[] = []
  readonly #server: Server
  readonly #responses: ScriptedResponse[]

  private constructor(responses: readonly ScriptedResponse[]) {
    this.#responses = [...responses]
    this.#server = createServer(async (request, response) => {
      this.asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: await text(request) })
      const next = this.#responses.shift() ?? { status: 500, body: 'no response left' }
      if (next.isLost === true) return request.socket.destroy()
      if (next.isSilent === true) return
      const { status = 200, headers = {}, body = '' } = next
      const isText = typeof body === 'string'
      response.writeHead(status, { ...(!isText && { 'content-type': 'application/json' }), ...headers })
      response.end(isText ? body : JSON.stringify(body))
    })
  }

  static async of(...responses: readonly ScriptedResponse[]): Promise<ScriptedServer> {
    const scripted = new ScriptedServer(responses)
    scripted.#server.listen(0, '127.0.0.1')
    await once(scripted.#server, 'listening')
    return scripted
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
