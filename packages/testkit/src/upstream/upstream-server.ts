// An HTTP server on a loopback port that can be stopped and restarted at the same address.

import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { freePort } from '../free-port.ts'

export class UpstreamServer {
  readonly #listener: RequestListener
  #server: Server | null = null
  #port = 0

  constructor(listener: RequestListener) {
    this.#listener = listener
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Listens on its former port, or on a free one. */
  async open(): Promise<void> {
    const server = createServer({ keepAliveTimeout: 60_000 }, this.#listener)
    if (this.#port === 0) this.#port = await freePort()
    server.listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    this.#server = server
  }

  /** Closes open connections and refuses new ones. */
  async close(): Promise<void> {
    const server = this.#server
    if (server === null) return
    this.#server = null
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}
