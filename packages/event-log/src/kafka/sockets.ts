// The sockets of a client, so that it can be parted from them. kafkajs would stay with a connection that has swallowed an answer, or half of one.

import type { Socket } from 'node:net'
import { type Connect, kafkajsSocketFactory } from './kafkajs-internals.ts'

export class Sockets {
  readonly #open = new Set<Socket>()
  readonly #connect = kafkajsSocketFactory()
  #isClosed = false

  /** What kafkajs takes as `socketFactory`. @throws Error after `close`, which kafkajs takes for a broker that is away. */
  readonly factory: Connect = (to) => {
    if (this.#isClosed) throw new Error('the connection was left for good')
    const socket = this.#connect(to)
    this.#open.add(socket)
    return socket.once('close', () => this.#open.delete(socket))
  }

  /** Ends them all, and what is under way on them with an error that kafkajs tries again. `disconnect` would wait for the answers. */
  leave(): void {
    for (const socket of this.#open) socket.destroy(new Error('the connection was left'))
  }

  /** Ends them all, and opens no more: what kafkajs still tries again by itself, for nobody, reaches no broker. */
  close(): void {
    this.#isClosed = true
    this.leave()
  }
}
