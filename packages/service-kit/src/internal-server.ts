// The port of the operator: /livez (the process runs), /readyz (it can do its work; 503 with the reason until then), /metrics, and in processes
// with an API /status (JSON, what /v1/health shows).
// Never public: no credentials, and reasons may name hosts.

import { createServer, type ServerOptions } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { reasonOf } from '@orrery/errors'
import { drain, listen } from './listen.ts'
import type { Metrics } from './metrics.ts'

export interface Readiness {
  readonly ok: boolean
  /** A sentence for the operator: what the process waits for. Ignored when ok. */
  readonly why: string
}

export interface InternalServerOptions {
  /** 0 lets the system choose. */
  readonly port: number
  readonly host?: string
  /** Called for each probe. An error counts as not ready, with its message, and so does a check that takes longer than two seconds. */
  readonly ready: () => Readiness | Promise<Readiness>
  /** The JSON of /status. Not given: there is no such page. An error gives 503 with its message. */
  readonly status?: () => unknown
  readonly metrics: Metrics
  /** Overrides the constants below in tests. */
  readonly limits?: Partial<Pick<ServerOptions, 'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval'>> & {
    readonly connections?: number
    readonly readyWithinMs?: number
  }
}

export interface InternalServer {
  readonly url: string
  stop(): Promise<void>
}

interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** A probe sends its request at once. Checked every five seconds, so a connection without a request is closed after at most fifteen. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 5_000 } as const
/** A database that hangs lets a check wait for minutes. Probes give up earlier, and do not show why. */
const READY_WITHIN_MS = 2_000
/** Enough for the probes and scrapers of one operator. */
const CONNECTIONS = 64
const TEXT = 'text/plain; charset=utf-8'

/** Resolves once it listens; `127.0.0.1` unless `host` is given. Errors: `invalid`/`port_taken`, `invalid`/`port_refused`. */
export async function startInternalServer(options: InternalServerOptions): Promise<InternalServer> {
  const { port, host = '127.0.0.1', ready, status, metrics, limits = {} } = options
  const { connections = CONNECTIONS, readyWithinMs = READY_WITHIN_MS, ...timeouts } = limits
  const pages: Readonly<Record<string, () => Promise<Reply>>> = {
    '/livez': async () => ({ status: 200, type: TEXT, body: 'ok\n' }),
    '/readyz': async () => {
      const { ok, why } = await readiness(ready, readyWithinMs)
      return { status: ok ? 200 : 503, type: TEXT, body: ok ? 'ok\n' : `${why}\n` }
    },
    '/metrics': async () => ({ status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() }),
    ...(status !== undefined && { '/status': () => statusPage(status) }),
  }
  const names = Object.keys(pages)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ')
  const server = createServer({ ...TIMEOUTS, ...timeouts }, async (request, response) => {
    const page = pages[request.url?.split('?')[0] ?? '']
    const reply = page === undefined ? { status: 404, type: TEXT, body: `Here are ${names}.\n` } : await page()
    const headers = { 'content-type': reply.type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
    response.writeHead(reply.status, headers).end(reply.body)
  })
  server.maxConnections = connections
  const url = await listen(server, { port, host, option: '`--internal-port` or ORRERY_INTERNAL_PORT' })
  // Open requests here need not be finished.
  return { url, stop: () => drain(server, 0) }
}

async function statusPage(status: () => unknown): Promise<Reply> {
  try {
    return { status: 200, type: 'application/json; charset=utf-8', body: `${JSON.stringify(await status(), null, 2)}\n` }
  } catch (error) {
    return { status: 503, type: TEXT, body: `${reasonOf(error)}\n` }
  }
}

async function readiness(ready: InternalServerOptions['ready'], withinMs: number): Promise<Readiness> {
  const given = new AbortController()
  const late = { ok: false, why: `what this process needs does not answer (no answer within ${withinMs / 1000} s)` }
  try {
    return await Promise.race([ready(), delay(withinMs, late, { signal: given.signal })])
  } catch (error) {
    // The probe must answer whatever is broken: operators read the reason here.
    return { ok: false, why: reasonOf(error) }
  } finally {
    given.abort()
  }
}
