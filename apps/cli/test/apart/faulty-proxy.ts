// A proxy to a server that can be closed for a while: connections are cut and refused, as when a server is restarted or a network is down.
// Or requests are delayed, as in a queue of the network, and arrive late.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '@orrery/testkit'

/** As in the URL of the request. */
const INSERT_OF_STATE = 'INSERT+INTO+state_v1'
/** The end of a body that is sent in chunks, as large inserts are. */
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n')
const END_OF_HEADERS = '\r\n\r\n'

/** Whether the last of the bytes complete the request that has the insert: in chunks, or with a length. */
function hasWholeInsert(bytes: Buffer): boolean {
  const insert = bytes.indexOf(INSERT_OF_STATE)
  const end = insert === -1 ? -1 : bytes.indexOf(END_OF_HEADERS, insert)
  if (end === -1) return false
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', insert, end))?.[1]
  if (length === undefined) return bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
  return bytes.length >= end + END_OF_HEADERS.length + Number(length)
}

export class FaultyProxy implements AsyncDisposable {
  readonly #target: URL
  readonly #port: number
  readonly #sockets = new Set<Socket>()
  #server: Server
  /** What is held up, by where it goes. Null: everything goes through. */
  #held: Map<Socket, Buffer> | null = null
  #isAboutToHold = false
  #hasInsert = Promise.withResolvers<void>()
  #slowMs = 0

  private constructor(target: string, port: number) {
    this.#target = new URL(target)
    this.#port = port
    this.#server = this.#listener()
  }

  static async to(url: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(url, await freePort())
    await proxy.open()
    return proxy
  }

  get url(): string {
    return `${this.#target.protocol}//127.0.0.1:${this.#port}`
  }

  /** Accepts connections again, at the same address. */
  async open(): Promise<void> {
    this.#server = this.#listener()
    await once(this.#server.listen(this.#port, '127.0.0.1'), 'listening')
  }

  /** Cuts open connections and refuses new ones. */
  async refuse(): Promise<void> {
    const closed = once(this.#server.close(), 'close')
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** Delays the next insert of state and everything after it. Resolves when that insert has been sent completely. */
  async hold(): Promise<void> {
    this.#isAboutToHold = true
    this.#hasInsert = Promise.withResolvers()
    await this.#hasInsert.promise
  }

  /** Delays each part of a request by this time. 0: no more. */
  slow(ms: number): void {
    this.#slowMs = ms
  }

  /** Lets it arrive. */
  release(): void {
    const held = this.#held ?? []
    this.#held = null
    for (const [to, bytes] of held) to.write(bytes)
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
      }
      from.on('data', (bytes) => {
        if (this.#slowMs === 0) return this.#pass(bytes, to)
        from.pause() // what comes later stays behind it
        setTimeout(() => {
          this.#pass(bytes, to)
          from.resume()
        }, this.#slowMs)
      })
      to.on('data', (bytes) => from.write(bytes))
    })
  }

  #pass(bytes: Buffer, to: Socket): void {
    if (this.#isAboutToHold && bytes.includes(INSERT_OF_STATE)) {
      this.#isAboutToHold = false
      this.#held = new Map()
    }
    if (this.#held === null) return void to.write(bytes)
    const held = Buffer.concat([this.#held.get(to) ?? Buffer.alloc(0), bytes])
    this.#held.set(to, held)
    if (hasWholeInsert(held)) this.#hasInsert.resolve()
  }
}
