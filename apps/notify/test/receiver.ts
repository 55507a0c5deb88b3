// A receiver of webhooks on real HTTP that misbehaves as a test asks.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface Received {
  /** The header `webhook-id`. */
  readonly id: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly event: {
    readonly type: string
    readonly id: string
    readonly timestamp: string
    readonly webhook_id: string
    readonly data: Readonly<Record<string, unknown>>
  }
  /** Account of the event; '' for a test. */
  readonly account: string
  /** Whether it was answered with 2xx. */
  isAccepted: boolean
}

/** What the receiver does with a request. */
export type Behaviour =
  | number
  | 'cut'
  | 'silent'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly afterMs?: number; readonly body?: string }

export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** In the order in which they came. */
  readonly received: readonly Received[]
  behave: (request: Received) => Behaviour
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  const receiver = { behave: (_: Received): Behaviour => 204 }
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    const event = JSON.parse(body) as Received['event']
    const { data, type } = event
    const one: Received = {
      ...{ id: String(request.headers['webhook-id']), headers: request.headers, body, event, isAccepted: false },
      account: type === 'test' ? '' : String(data.address),
    }
    received.push(one)
    const behaviour = receiver.behave(one)
    if (behaviour === 'silent') return
    if (behaviour === 'cut') return void response.destroy()
    const { status, headers = {}, afterMs = 0, body: text = '' } = typeof behaviour === 'number' ? { status: behaviour } : behaviour
    if (afterMs > 0) await delay(afterMs)
    one.isAccepted = status >= 200 && status < 300
    response.writeHead(status, headers).end(text)
  }
  server.listen(port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

/**
 * The promises about order, of what a receiver has seen: no event of an account comes before an earlier one of it was accepted, and after an event
 * was accepted none that is earlier comes. Returns what breaks them.
 */
export function outOfOrder(received: readonly Received[]): string[] {
  const problems: string[] = []
  for (const [account, requests] of Map.groupBy(received, (one) => one.account)) {
    const open = new Set<string>()
    let last: readonly [number, string] = [0, '']
    for (const { event, isAccepted } of requests) {
      const place = placeOf(event.id)
      if (comparePlaces(place, last) < 0) problems.push(`${account}: ${event.id} came after ${last[1]}`)
      const waiting = [...open].filter((id) => id !== event.id)
      if (waiting.length > 0) problems.push(`${account}: ${event.id} came while ${waiting.join(', ')} had not been accepted`)
      if (isAccepted) open.delete(event.id)
      else open.add(event.id)
      last = place
    }
  }
  return problems
}

const PARTS = ['activity', 'position', 'health_factor']

/** Ledger and part as one number, then the rest: the order of the stream. */
function placeOf(id: string): readonly [number, string] {
  const [ledger, part = ''] = id.split('/')
  return [Number(ledger) * PARTS.length + PARTS.indexOf(part), id]
}

function comparePlaces([a, aText]: readonly [number, string], [b, bText]: readonly [number, string]): number {
  return a === b ? (aText < bText ? -1 : aText > bText ? 1 : 0) : a - b
}
