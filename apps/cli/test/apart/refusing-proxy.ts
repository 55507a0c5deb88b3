// A way to a server that can be closed for a while: connections are cut and refused, as when a server is restarted or a network is down.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export class RefusingProxy implements AsyncDisposable {
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #server: Server
  #port = 0

  private constructor(target: string) {
    this.#target = new URL(target)
    this.#server = this.#listener()
  }

  static async to(url: string): Promise<RefusingProxy> {
    const proxy = new RefusingProxy(url)
    await proxy.open()
    return proxy
  }

  get url(): string {
    return `${this.#target.protocol}//127.0.0.1:${this.#port}`
  }

  /** Lets through again, at the same address. */
  async open(): Promise<void> {
    this.#server = this.#listener()
    await once(this.#server.listen(this.#port, '127.0.0.1'), 'listening')
    const address = this.#server.address()
    if (typeof address === 'object' && address !== null) this.#port = address.port
  }

  /** Cuts what goes on and refuses what comes. */
  async refuse(): Promise<void> {
    const closed = once(this.#server.close(), 'close')
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.refuse()
  }

  #listener(): Server {
    return createServer((from) => {
      const to = connect(Number(this.#target.port), this.#target.hostname)
      for (const [socket, other] of [
        [from, to],
        [to, from],
      ] as const) {
        this.#sockets.add(socket)
        socket
          .on('error', () => other.destroy())
          .on('close', () => {
            this.#sockets.delete(socket)
            other.destroy()
          })
        socket.pipe(other)
      }
    })
  }
}
