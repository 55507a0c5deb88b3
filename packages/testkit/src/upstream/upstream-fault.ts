// Faults of a server, for a number of requests. Each fault occurs with real nodes and proxies.

import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export type UpstreamFault =
  /** Too many requests, with or without `Retry-After`. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds?: number }
  /** Any other HTTP status, without a body. */
  | { readonly kind: 'status'; readonly status: number }
  /** The right answer, late. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The connection ends in the middle of the body. */
  | { readonly kind: 'cut' }
  /** The connection is reset before an answer. */
  | { readonly kind: 'reset' }
  /** A complete body with the wrong content. */
  | { readonly kind: 'garbage' }
  /** JSON-RPC only: an internal error of the node. */
  | { readonly kind: 'error'; readonly code: number; readonly message: string }

interface Plan {
  readonly fault: UpstreamFault
  readonly about: string | null
  left: number
}

/** Planned faults that have not occurred yet, in their order. */
export class FaultPlan {
  readonly #plans: Plan[] = []

  /** @param about The method or path that fails; null: all. */
  order(fault: UpstreamFault, about: string | null, times: number): void {
    this.#plans.push({ fault, about, left: times })
  }

  clear(): void {
    this.#plans.length = 0
  }

  /** The fault of this request, or null. */
  next(about: string): UpstreamFault | null {
    const plan = this.#plans.find((one) => one.left > 0 && (one.about === null || about.includes(one.about)))
    if (!plan) return null
    plan.left--
    return plan.fault
  }
}

/** Answers with `body`, or with the fault. */
export async function answer(response: ServerResponse, body: Uint8Array, type: string, fault: UpstreamFault | null): Promise<void> {
  switch (fault?.kind) {
    case 'busy': {
      const { retryAfterSeconds } = fault
      response.writeHead(429, retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }).end()
      return
    }
    case 'status':
      response.writeHead(fault.status).end()
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'cut':
      response.writeHead(200, { 'content-type': type, 'content-length': body.length })
      response.write(body.subarray(0, body.length >> 1), () => response.destroy())
      return
    case 'garbage':
      response.writeHead(200, { 'content-type': type }).end('<html>we will be back soon</html>')
      return
    case 'slow':
      await delay(fault.ms, undefined, { ref: false })
  }
  response.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body)
}
