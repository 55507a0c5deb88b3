// The ClickHouse address for people and their tools: a proxy in Orrery's process that exchanges an account's password for the
// secret of its user. The engine itself answers only requests with such a secret, and a handler of the engine fixes the user, so nothing
// in a request can choose another one.

import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { SECRET_HEADER } from './credentials.ts'
import { accountOf, type GateAccount, type Refusal } from './gate-credentials.ts'

export interface GateOptions {
  /** The engine: `http://host:port`. */
  readonly engineUrl: string
  readonly accounts: readonly GateAccount[]
  /** 0 (default): whichever port is free. */
  readonly port?: number
  /** Instead of the constants below, for tests. */
  readonly timeouts?: Partial<Pick<ServerOptions, 'headersTimeout' | 'connectionsCheckingInterval'>>
}

export interface Gate extends AsyncDisposable {
  /** `http://127.0.0.1:port`. */
  readonly url: string
  /** Ends the listener and every connection; statements that run through it are cancelled. */
  stop(): Promise<void>
}

/** Sockets from clients at once. Further ones are closed at once; the engine never sees them. */
const MAX_CLIENTS = 128
/** Sockets to the engine at once. Statements wait here, in this process, rather than as threads of the engine. */
const MAX_ENGINE_SOCKETS = 32
const HEADERS_WITHIN_MS = 10_000
/** How often Node checks sockets for timeouts: they are closed at most this much later. */
const LOOK_EVERY_MS = 5_000
const TIMEOUTS = { headersTimeout: HEADERS_WITHIN_MS, connectionsCheckingInterval: LOOK_EVERY_MS } as const

/** Headers of one connection, headers that name a user, and headers that could hold a secret. None is passed on, in either direction. */
const NOT_PASSED_ON = new Set([
  ...[
    'connection',
    'keep-alive',
    'proxy-authenticate',
    'proxy-authorization',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'expect',
    'host',
  ],
  ...['authorization', 'x-clickhouse-user', 'x-clickhouse-key', 'x-clickhouse-quota', 'x-clickhouse-ssl-certificate-auth', SECRET_HEADER],
])
/** Browsers never treat an answer as a page or a script, whatever a statement puts into it. */
const NO_SNIFFING = { 'x-content-type-options': 'nosniff' } as const
const PATHS = ['/', '/ping']
const CREDENTIAL_PARAMETERS = ['user', 'password', 'quota_key']

/** Listens on loopback. @throws the listener's error, such as EADDRINUSE. */
export async function openGate({ engineUrl, accounts, port = 0, timeouts = {} }: GateOptions): Promise<Gate> {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_ENGINE_SOCKETS, timeout: 0 })
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // A client that disconnects is no failure of the proxy.
    incoming.on('error', () => undefined)
    outgoing.on('error', () => undefined)
    answer(incoming, outgoing, { engine: new URL(engineUrl), agent, accounts })
  }
  const server = createServer({ ...TIMEOUTS, ...timeouts, requestTimeout: 0 }, handle)
  // A client that expects 100-continue before a long body gets it only after its credentials are accepted.
  server.on('checkContinue', handle)
  // An expectation that is not known may be ignored (RFC 9110, 10.1.1); Node would answer 417 without a body.
  server.on('checkExpectation', handle)
  server.maxConnections = MAX_CLIENTS
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  // It must not keep the process running.
  server.unref()
  const stop = (): Promise<void> => close(server, agent)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop, [Symbol.asyncDispose]: stop }
}

/** Where an admitted request goes. */
interface Way {
  readonly engine: URL
  readonly agent: Agent
  readonly accounts: readonly GateAccount[]
}

function answer(incoming: IncomingMessage, outgoing: ServerResponse, way: Way): void {
  const url = URL.parse(incoming.url ?? '/', way.engine.href)
  if (url === null || !PATHS.includes(url.pathname)) say(outgoing, 404, 'There is no handler for this path. Send statements to /.\n')
  // A preflight, or a request that a page of another origin makes: it could not read the answer, so the engine is not asked.
  else if (incoming.method === 'OPTIONS' || !isOfHere(incoming)) say(outgoing, 403, 'Cross-origin requests are refused.\n')
  else if (url.pathname === '/ping') say(outgoing, 200, 'Ok.\n')
  else {
    const account = accountOf(way.accounts, incoming.headers, url.searchParams)
    if ('status' in account) refuse(outgoing, account)
    else forward(incoming, outgoing, way, url, account.secret)
  }
}

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]']

/**
 * False for a request that a page of another origin makes, and for one that names another host: a page whose name was bound to 127.0.0.1
 * after it was loaded. The port may be another one: a tunnel may forward a local port. Browsers send `sec-fetch-site` with the origin of the request, also
 * where they send no `origin`; `none` is the address bar.
 */
function isOfHere({ headers }: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (host === undefined || !OWN_NAMES.includes(URL.parse(`http://${host}`)?.hostname ?? '')) return false
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || URL.parse(origin)?.host === host.toLowerCase()
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, { engine, agent }: Way, url: URL, secret: string): void {
  if (incoming.headers.expect?.toLowerCase() === '100-continue') outgoing.writeContinue()
  // A body that came in chunks leaves in chunks, for every method: unframed it would be read as the next request.
  const framing = incoming.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }
  const upstream = request({
    ...{ agent, host: engine.hostname, port: engine.port, method: incoming.method ?? 'GET' },
    path: `${url.pathname}${withoutCredentials(url.search)}`,
    headers: { ...passedOn(incoming), ...framing, [SECRET_HEADER]: secret },
  })
  // The client disconnected before it has its answer: closing the engine's socket cancels the statement.
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) upstream.destroy()
  })
  upstream.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy()
    else
      say(outgoing, 503, 'Code: 210. DB::Exception: The ClickHouse engine cannot be reached. (NETWORK_ERROR)\n', {
        'x-clickhouse-exception-code': '210',
      })
  })
  upstream.on('response', (response) => {
    outgoing.writeHead(response.statusCode ?? 502, { ...passedOn(response), ...NO_SNIFFING })
    outgoing.flushHeaders()
    // An answer that breaks off upstream breaks off here as well: the client must not take it for a complete one.
    pipeline(response, outgoing, (error) => {
      if (error != null) outgoing.destroy()
    })
  })
  incoming.pipe(upstream)
}

/** The other parameters stay as they were written, byte for byte. */
function withoutCredentials(search: string): string {
  const isCredential = (pair: string): boolean => [...new URLSearchParams(pair).keys()].some((name) => CREDENTIAL_PARAMETERS.includes(name))
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !isCredential(pair))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

/** Headers with several values keep them. CORS headers never pass. */
function passedOn(message: IncomingMessage): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(message.headersDistinct)
      .filter(([name]) => !NOT_PASSED_ON.has(name) && !name.startsWith('access-control-'))
      .map(([name, values]) => [name, values?.length === 1 ? values[0] : values]),
  )
}

function refuse(outgoing: ServerResponse, { status, code, name, message }: Refusal): void {
  const challenge = status === 401 ? { 'www-authenticate': 'Basic realm="ClickHouse server HTTP API"' } : {}
  say(outgoing, status, `Code: ${code}. DB::Exception: ${message}. (${name})\n`, {
    'x-clickhouse-exception-code': String(code),
    ...challenge,
  })
}

/** Answers from here and ends the connection, so that an unread body is not waited for. */
function say(outgoing: ServerResponse, status: number, body: string, headers: OutgoingHttpHeaders = {}): void {
  outgoing.writeHead(status, { 'content-type': 'text/plain; charset=UTF-8', connection: 'close', ...NO_SNIFFING, ...headers })
  outgoing.end(body)
}

async function close(server: Server, agent: Agent): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  agent.destroy()
  await closed
}
