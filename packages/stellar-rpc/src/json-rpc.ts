// JSON-RPC 2.0 as Stellar RPC uses it: makes requests, reads answers.

import { z } from 'zod'
import type { SendOptions } from './http-attempt.ts'
import { failure, type Outcome } from './outcome.ts'

const Envelope = z.union([
  z.object({ result: z.unknown().refine((result) => result !== undefined && result !== null) }),
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
])

/** Invalid request, unknown method, invalid parameters. Every other code, also a non-standard one, is an error of the node. */
const REFUSING_CODES: readonly number[] = [-32600, -32601, -32602]

export function requestOf(method: string, params: object | undefined, { headers, signal }: SendOptions): RequestInit {
  return {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) }),
    redirect: 'manual', // followed, a POST would become a GET
  }
}

export function readAnswer<T>(text: string, result: z.ZodType<T>): Outcome<T> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return failure('transient', 'answered with invalid or truncated JSON')
  }
  const envelope = Envelope.safeParse(json)
  if (!envelope.success) return failure('transient', 'answered with JSON that is not a JSON-RPC answer')
  if ('error' in envelope.data) {
    const { code, message } = envelope.data.error
    return failure(REFUSING_CODES.includes(code) ? 'request' : 'transient', `answered "${message}"`, { status: code })
  }
  const read = result.safeParse(envelope.data.result)
  if (read.success) return { ok: true, value: read.data }
  const problems = read.error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${message}`)
  return failure('transient', `answered with a result of another shape (${problems.join('; ')})`)
}
