// The app on a port, and a stop that lets running requests end.

import { createServer } from 'node:http'
import { drain, listen } from '@orrery/service-kit'
import { type AppParts, createApp } from './app.ts'

export interface ServeOptions {
  /** 0 lets the system choose. */
  readonly port: number
  readonly host: string
  /** How long running requests may take after a stop was asked for. */
  readonly drainMs: number
}

export interface RunningApi {
  /** Base address, without a slash at the end. */
  readonly url: string
  /** Stops accepting, lets running requests end, then cuts what is left. */
  stop(): Promise<void>
}

/** Longer than the idle time of common load balancers (60 s), or they send a request into a closing connection. */
const KEEP_ALIVE_MS = 65_000

/** For a request to come in, of which at most 64 KiB are read: who goes on sending after his refusal is cut then. Node would listen for 5 min. */
const REQUEST_MS = 30_000

/** Errors: `invalid`/`port_taken`. */
export async function serve(parts: AppParts, { port, host, drainMs }: ServeOptions): Promise<RunningApi> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_MS }, createApp(parts).callback())
  const url = await listen(server, { port, host, option: '`--port` or ORRERY_PORT' })
  return { url, stop: () => drain(server, drainMs) }
}
