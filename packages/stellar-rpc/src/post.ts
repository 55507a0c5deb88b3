// One JSON-RPC request over HTTP, once. Whatever can go wrong on the way comes back as a failure that says whose it is.

import { reasonOf } from '@orrery/errors'
import { z } from 'zod'
import { type Failure, failure, type Outcome } from './outcome.ts'
import { retryAfterMs } from './retry-after.ts'

export interface Request<T> {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly method: string
  readonly params: object | undefined
  readonly result: z.ZodType<T>
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly nowMs: () => number
}

const Envelope = z.union([
  z.object({ result: z.unknown().refine((result) => result !== undefined && result !== null) }),
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
])

/** Statuses of requests that would be refused again, by this endpoint: address, key or payment. */
const REFUSING_STATUSES: readonly number[] = [400, 401, 402, 403, 404, 405, 410, 413, 414, 415, 422]

/** Invalid request, unknown method, invalid parameters. Every other code is trouble inside of the node, also those it made up. */
const REFUSING_CODES: readonly number[] = [-32600, -32601, -32602]

/** Throws only what `signal` aborts with. */
export async function post<T>(request: Request<T>): Promise<Outcome<T>> {
  const { url, headers, method, params, timeoutMs, signal, nowMs } = request
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) }),
      redirect: 'manual', // followed, a POST would become a GET
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    if (!response.ok) {
      await response.body?.cancel()
      return refusedByStatus(response, nowMs())
    }
    return readAnswer(await response.text(), request.result)
  } catch (error) {
    signal?.throwIfAborted()
    if (timeout.aborted) return failure('transient', `gave no answer within ${timeoutMs / 1000} s`)
    return failure('transient', networkProblem(error))
  }
}

function refusedByStatus({ status, headers }: Response, nowMs: number): Failure {
  const isMoved = status >= 300 && status < 400
  const fault = isMoved || REFUSING_STATUSES.includes(status) ? 'endpoint' : 'transient'
  return failure(fault, `answered with HTTP status ${status}`, { status, retryAfterMs: retryAfterMs(headers.get('retry-after'), nowMs) })
}

function readAnswer<T>(text: string, result: z.ZodType<T>): Outcome<T> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return failure('transient', 'answered with something that is not JSON, or was cut off')
  }
  const envelope = Envelope.safeParse(json)
  if (!envelope.success) return failure('transient', 'answered with JSON that is no JSON-RPC answer')
  if ('error' in envelope.data) {
    const { code, message } = envelope.data.error
    return failure(REFUSING_CODES.includes(code) ? 'request' : 'transient', `answered "${message}"`, { status: code })
  }
  const read = result.safeParse(envelope.data.result)
  if (read.success) return { ok: true, value: read.data }
  const problems = read.error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${message}`)
  return failure('transient', `answered with a result of another shape (${problems.join('; ')})`)
}

/** `fetch` says "fetch failed" and keeps the reason to itself. */
function networkProblem(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return `could not be reached (${[code, reasonOf(cause)].filter((text) => text !== '').join(': ')})`
}
