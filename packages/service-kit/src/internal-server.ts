// The port of the operator: /livez (the process runs), /readyz (it can do its work; 503 with the reason until then), /metrics.
// Never public: no credentials, and reasons may name hosts.

import { createServer } from 'node:http'
import { reasonOf } from '@orrery/errors'
import { drain, listen } from './listen.ts'
import type { Metrics } from './metrics.ts'

export interface Readiness {
  readonly ok: boolean
  /** A sentence for the operator: what is awaited. Anything when ok. */
  readonly why: string
}

export interface InternalServerOptions {
  /** 0 lets the system choose. */
  readonly port: number
  readonly host?: string
  /** Asked for each probe. A throw counts as not ready, with its message. */
  readonly ready: () => Readiness | Promise<Readiness>
  readonly metrics: Metrics
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

const TEXT = 'text/plain; charset=utf-8'

/** Resolves once it listens; `127.0.0.1` unless told otherwise. Errors: `invalid`/`port_taken`, `invalid`/`port_refused`. */
export async function startInternalServer({ port, host = '127.0.0.1', ready, metrics }: InternalServerOptions): Promise<InternalServer> {
  const pages: Readonly<Record<string, () => Promise<Reply>>> = {
    '/livez': async () => ({ status: 200, type: TEXT, body: 'ok\n' }),
    '/readyz': async () => {
      const { ok, why } = await readiness(ready)
      return { status: ok ? 200 : 503, type: TEXT, body: ok ? 'ok\n' : `${why}\n` }
    },
    '/metrics': async () => ({ status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() }),
  }
  const server = createServer(async (request, response) => {
    const page = pages[request.url?.split('?')[0] ?? '']
    const reply = page === undefined ? { status: 404, type: TEXT, body: 'Here are /livez, /readyz and /metrics.\n' } : await page()
    response.writeHead(reply.status, { 'content-type': reply.type, 'cache-control': 'no-store' }).end(reply.body)
  })
  const url = await listen(server, { port, host, option: '`--internal-port` or ORRERY_INTERNAL_PORT' })
  // Nothing here is worth waiting for.
  return { url, stop: () => drain(server, 0) }
}

async function readiness(ready: InternalServerOptions['ready']): Promise<Readiness> {
  try {
    return await ready()
  } catch (error) {
    // The probe must answer whatever is broken: this is the place where the operator reads why.
    return { ok: false, why: reasonOf(error) }
  }
}
