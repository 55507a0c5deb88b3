// Serves the app on a port; a stop lets running requests end.

import { createServer, type ServerOptions } from 'node:http'
import { drain, listen } from '@orrery/service-kit'
import { type AppParts, createApp } from './app.ts'
import { CONNECTION_LIMITS, type ConnectionLimits, limitConnections } from './limit-connections.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'

export interface ServeOptions {
  /** 0 lets the system choose. */
  readonly port: number
  readonly host: string
  /** How long running requests may take after a stop was requested. */
  readonly drainMs: number
  /** Instead of the constants below, for tests. */
  readonly limits?: { readonly timeouts?: Partial<Timeouts>; readonly connections?: ConnectionLimits }
}

type Timeouts = Pick<ServerOptions, 'requestTimeout' | 'headersTimeout' | 'connectionsCheckingInterval'>

export interface RunningApi {
  /** Base URL, without a slash at the end. */
  readonly url: string
  /** Stops accepting connections, lets running requests end, then closes the rest. */
  stop(): Promise<void>
}

/** Longer than the idle timeout of common load balancers (60 s); otherwise they send requests on connections that are being closed. */
const KEEP_ALIVE_MS = 65_000

/** For a whole request, of which at most 64 KiB are read: a client that keeps sending after a refusal is disconnected then. Node's default is 5 min. */
const REQUEST_MS = 30_000
/** For the headers, counted for the first request from the opening of the connection: enough for 16 KiB on a slow connection. */
const HEADERS_MS = 10_000
/** How often Node checks for connections whose time is over, so the longest delay before they are closed. */
const CHECK_EVERY_MS = 5_000

/** Errors: `invalid`/`port_taken`. */
export async function serve(parts: AppParts, { port, host, drainMs, limits = {} }: ServeOptions): Promise<RunningApi> {
  const timeouts = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_MS,
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
  }
  const answer = createApp(parts).callback()
  // Node would refuse a request without the header `host` without our error envelope; `requireOneHost` refuses it instead.
  const server = createServer({ ...timeouts, ...limits.timeouts, requireHostHeader: false }, answer)
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would answer 417 without a body.
  server.on('checkExpectation', answer)
  refuseUnreadable(server, parts.logger)
  limitConnections(server, limits.connections ?? CONNECTION_LIMITS, parts.trustedProxies)
  const url = await listen(server, { port, host, option: '`--port` or ORRERY_PORT' })
  return { url, stop: () => drain(server, drainMs) }
}
