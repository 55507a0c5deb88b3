// The sockets of a client, so that they can be replaced. kafkajs would keep a connection that has lost an answer or a part of one.

import type { Socket } from 'node:net'
import { type Connect, kafkajsSocketFactory } from './kafkajs-internals.ts'

export class Sockets {
  readonly #open = new Set<Socket>()
  readonly #connect = kafkajsSocketFactory()
  #isClosed = false

  /** The option `socketFactory` of kafkajs. @throws Error after `close`, which kafkajs treats as a broker that is down. */
  readonly factory: Connect = (to) => {
    if (this.#isClosed) throw new Error('the connection was closed for good')
    const socket = this.#connect(to)
    this.#open.add(socket)
    return socket.once('close', () => this.#open.delete(socket))
  }

  /** Closes all sockets; their requests fail with an error that kafkajs retries. `disconnect` would wait for the answers. */
  leave(): void {
    for (const socket of this.#open) socket.destroy(new Error('the connection was replaced'))
  }

  /** Closes all sockets and opens no more, so that abandoned requests that kafkajs retries reach no broker. */
  close(): void {
    this.#isClosed = true
    this.leave()
  }
}
