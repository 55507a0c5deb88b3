// The app on a port, and a stop that lets running requests end.

import { createServer, type ServerOptions } from 'node:http'
import { drain, listen } from '@orrery/service-kit'
import { type AppParts, createApp } from './app.ts'
import { CONNECTION_LIMITS, type ConnectionLimits, limitConnections } from './limit-connections.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'

export interface ServeOptions {
  /** 0 lets the system choose. */
  readonly port: number
  readonly host: string
  /** How long running requests may take after a stop was asked for. */
  readonly drainMs: number
  /** Instead of the constants below, for tests. */
  readonly limits?: { readonly timeouts?: Partial<Timeouts>; readonly connections?: ConnectionLimits }
}

type Timeouts = Pick<ServerOptions, 'requestTimeout' | 'headersTimeout' | 'connectionsCheckingInterval'>

export interface RunningApi {
  /** Base address, without a slash at the end. */
  readonly url: string
  /** Stops accepting, lets running requests end, then cuts what is left. */
  stop(): Promise<void>
}

/** Longer than the idle time of common load balancers (60 s), or they send a request into a closing connection. */
const KEEP_ALIVE_MS = 65_000

/** For a request to come in, of which at most 64 KiB are read: a client that goes on sending after its refusal is cut then. Node's default is 5 min. */
const REQUEST_MS = 30_000
/** For its headers, counted from the opening of the connection for the first request: 16 KiB take no longer on any line that is of use. */
const HEADERS_MS = 10_000
/** How often Node looks for connections whose time is over, so how much later they are closed at most. */
const LOOK_EVERY_MS = 5_000

/** Errors: `invalid`/`port_taken`. */
export async function serve(parts: AppParts, { port, host, drainMs, limits = {} }: ServeOptions): Promise<RunningApi> {
  const timeouts = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_MS,
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
  }
  const answer = createApp(parts).callback()
  // Node would refuse a request without the header `host` in its own words: `requireOneHost` does so in ours.
  const server = createServer({ ...timeouts, ...limits.timeouts, requireHostHeader: false }, answer)
  // An expectation that is not known may be ignored (RFC 9110, 10.1.1); Node would answer 417 without a body.
  server.on('checkExpectation', answer)
  refuseUnreadable(server, parts.logger)
  limitConnections(server, limits.connections ?? CONNECTION_LIMITS, parts.trustedProxies)
  const url = await listen(server, { port, host, option: '`--port` or ORRERY_PORT' })
  return { url, stop: () => drain(server, drainMs) }
}
