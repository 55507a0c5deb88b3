// A TCP connection to the broker with faults that loopback never has, but a network between two machines may.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Half of the length that every answer begins with. */
const PART_OF_ANSWER_BYTES = 2

type Fault = 'silent' | 'cut'

export class FaultyLine implements AsyncDisposable {
  readonly port: number
  readonly #server: Server
  /** Both ends of the open connections. */
  readonly #open = new Map<Socket, Socket>()
  readonly #faults = new WeakMap<Socket, Fault>()

  private constructor(server: Server, brokerPort: () => number) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (client) => this.#join(client, connect(brokerPort(), '127.0.0.1')))
  }

  /** `brokerPort` is called for each connection. */
  static async open(brokerPort: () => number): Promise<FaultyLine> {
    const server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return new FaultyLine(server, brokerPort)
  }

  /** Open connections carry no more answers, and stay open. */
  silence(): void {
    for (const client of this.#open.keys()) this.#faults.set(client, 'silent')
  }

  /** Open connections carry the first bytes of one more answer, and are closed. */
  cutInAnswers(): void {
    for (const client of this.#open.keys()) this.#faults.set(client, 'cut')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server.close(), 'close')
    for (const [client, broker] of this.#open) {
      client.destroy()
      broker.destroy()
    }
    await closed
  }

  #join(client: Socket, broker: Socket): void {
    this.#open.set(client, broker)
    client.on('data', (request) => broker.write(request))
    broker.on('data', (answer) => {
      const fault = this.#faults.get(client)
      if (fault === undefined) client.write(answer)
      else if (fault === 'cut') {
        this.#faults.set(client, 'silent')
        client.end(answer.subarray(0, PART_OF_ANSWER_BYTES))
      }
    })
    for (const end of [client, broker]) {
      end.on('error', () => undefined) // it closes
      end.once('close', () => {
        this.#open.delete(client)
        client.destroy()
        broker.destroy()
      })
    }
  }
}
