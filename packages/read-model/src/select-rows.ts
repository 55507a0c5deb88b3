// Reads the rows of a small statement, and sends those of a small insert. The client of ClickHouse waits for a timer before each request and passes
// each row through streams, which takes longer than many a statement
// (docs/decisions/0066-rows-of-small-statements-are-read-without-the-driver.md).

import { randomUUID } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { ClickHouseError, type ClickHouseSettings, extractErrorAtTheEndOfChunk, parseError } from '@clickhouse/client'
import { turnOfEventLoop } from '@orrery/service-kit'
import { parameterText } from './statement-text.ts'

/** As the client of ClickHouse takes them. */
export interface Selection {
  readonly query: string
  readonly query_params?: Readonly<Record<string, unknown>>
  readonly clickhouse_settings?: ClickHouseSettings
  readonly abort_signal?: AbortSignal
  /** A row is an object, or the list of its values. */
  readonly format: 'JSONEachRow' | 'JSONCompactEachRow'
}

export interface RowReader {
  /**
   * All rows, which are held in memory as one text: for answers of bounded size.
   * @throws ClickHouseError if the server refuses the statement or fails while it runs, the signal's reason, or an error of the network with a `code`.
   */
  select<Row>(selection: Selection): Promise<Row[]>
  /**
   * Sends `rows`, in the format that the statement names, and resolves when the server has acknowledged them.
   * @param headers Those of the rows, such as their encoding.
   * @throws as `select`.
   */
  insert(query: string, rows: Buffer, headers?: Readonly<Record<string, string>>): Promise<void>
  /** Ends all sockets. A later statement opens new ones. */
  close(): void
}

export interface RowReaderOptions {
  /** Its parts mean what they mean to the client: user and password, which stand over the given ones; the database as its path; `?pathname=` of a proxy. */
  readonly url: string
  readonly user: string
  readonly password: string
  readonly database: string
  /** Instead of user and password. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Of every statement, beside its own. */
  readonly settings: ClickHouseSettings
  /** Sockets at once; further statements wait. */
  readonly connections: number
  /** The longest time without a byte of the answer. */
  readonly timeoutMs: number
}

/** Below the time after which a server of ClickHouse closes idle sockets: a request must not be written into one that is being closed. */
const IDLE_SOCKET_MS = 2_500
/** Longer parameters travel in the body: proxies refuse long URLs. */
const LONGEST_IN_URL = 4_096
const OK = 200
/** In UTF-16 units: about a millisecond. */
const READ_AT_ONCE = 128 * 1024
/** Before an error that comes after rows. A row has no line break inside. */
const ERROR_AFTER_ROWS = '\r\n__exception__\r\n'

export function openRowReader({ url, settings, connections, timeoutMs, ...given }: RowReaderOptions): RowReader {
  const { hostname, port, protocol } = new URL(url)
  const { pathname, database, headers } = partsOf(url, given)
  const { request, Agent } = protocol === 'https:' ? https : http
  // The timeout of the agent is that of its idle sockets, and of those in use unless the request has one.
  const agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: IDLE_SOCKET_MS, scheduling: 'lifo' })
  const common = Object.entries(settings).map(([name, value]): [string, string] => [name, settingText(value)])
  const server = { hostname: hostname.replace(/^\[|\]$/g, ''), port, agent, method: 'POST', timeout: timeoutMs }

  function searchOf(query: Readonly<Record<string, string>>): URLSearchParams {
    const search = new URLSearchParams(common)
    for (const [name, text] of Object.entries({ database, query_id: randomUUID(), ...query })) search.set(name, text)
    return search
  }

  function send(search: URLSearchParams, body: Body, signal: AbortSignal | undefined): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const path = `${pathname}?${search}`
    const sent = request({ ...server, path, headers: { ...headers, ...body.headers }, ...(signal === undefined ? {} : { signal }) })
    sent.once('response', (response) => void answerOf(response).then(resolve))
    sent.once('timeout', () => sent.destroy(Object.assign(new Error('Timeout error.'), { code: 'ETIMEDOUT' })))
    sent.on('error', (error) => reject(signal?.aborted ? signal.reason : error))
    sent.end(body.content)
    // Not left to the request: one that waits for a socket hears of nothing until it has one.
    const leave = () => reject(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    if (signal?.aborted) leave()
    return promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  return {
    async select<Row>({ query, query_params = {}, clickhouse_settings = {}, abort_signal, format }: Selection): Promise<Row[]> {
      abort_signal?.throwIfAborted()
      const search = searchOf({ default_format: format })
      for (const [name, value] of Object.entries(clickhouse_settings)) if (value !== undefined) search.set(name, settingText(value))
      const params = Object.entries(query_params).map(([name, value]): [string, string] => [`param_${name}`, parameterText(value)])
      const inBody = new URLSearchParams(params).toString().length > LONGEST_IN_URL
      if (!inBody) for (const [name, text] of params) search.set(name, text)
      const body = inBody ? await formOf([['query', query], ...params]) : { content: query, headers: {} }
      const answer = await send(search, body, abort_signal)
      abort_signal?.throwIfAborted()
      const failure = failureOf(answer)
      if (failure !== null) throw failure
      return rowsIn(answer.text)
    },
    async insert(query, rows, headers = {}) {
      const failure = failureOf(await send(searchOf({ query }), { content: rows, headers }, undefined))
      if (failure !== null) throw failure
    },
    close: () => agent.destroy(),
  }
}

/** Rows with a line each. Other work runs between pieces of a long text: no request waits until another one's thousands of rows are read. */
async function rowsIn<Row>(text: string): Promise<Row[]> {
  if (text.length <= READ_AT_ONCE) return parsed(text)
  const rows: Row[] = []
  for (let at = 0; at < text.length; ) {
    if (at > 0) await turnOfEventLoop()
    const lineEnd = text.indexOf('\n', at + READ_AT_ONCE)
    const next = lineEnd === -1 ? text.length : lineEnd + 1
    for (const row of parsed<Row>(text.slice(at, next))) rows.push(row)
    at = next
  }
  return rows
}

const parsed = <Row>(lines: string): Row[] => JSON.parse(`[${lines.trimEnd().replaceAll('\n', ',')}]`)

interface Body {
  readonly content: string | Buffer
  readonly headers: Readonly<Record<string, string>>
}

interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
  /** Why the text ended early: after an error the server closes the connection behind its text. */
  readonly broken: Error | null
}

function answerOf(response: http.IncomingMessage): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const { statusCode: status = 0, headers } = response
  let text = ''
  response.setEncoding('utf8')
  response.on('data', (part: string) => {
    text += part
  })
  response.once('end', () => resolve({ status, headers, text, broken: null }))
  response.once('error', (broken) => resolve({ status, headers, text, broken }))
  return promise
}

/** The error of the server in place of rows or after them, or why the answer broke off: half of a refusal says less than that. */
function failureOf(answer: Answer): Error | null {
  const refusal = refusalIn(answer)
  return answer.broken === null || refusal instanceof ClickHouseError ? refusal : answer.broken
}

function refusalIn({ status, headers, text }: Answer): Error | null {
  if (status !== OK || headers['x-clickhouse-exception-code'] !== undefined) return parseError(text)
  if (!text.includes(ERROR_AFTER_ROWS)) return null
  return extractErrorAtTheEndOfChunk(Buffer.from(text), `${headers['x-clickhouse-exception-tag'] ?? ''}`)
}

function partsOf(url: string, given: Pick<RowReaderOptions, 'user' | 'password' | 'database' | 'headers'>) {
  const { username, password, pathname, searchParams } = new URL(url)
  const [user, secret] = [decodeURIComponent(username) || given.user, decodeURIComponent(password) || given.password]
  const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
  return {
    pathname: searchParams.get('pathname') ?? '/',
    database: decodeURIComponent(pathname.slice(1)) || given.database,
    headers: { ...(given.headers ?? { authorization }), 'user-agent': 'orrery' },
  }
}

/** Settings that are switches are numbers for the server. */
const settingText = (value: unknown): string => `${typeof value === 'boolean' ? Number(value) : value}`

async function formOf(parts: readonly (readonly [string, string])[]): Promise<Body> {
  const form = new FormData()
  for (const [name, text] of parts) form.set(name, text)
  const encoded = new Response(form)
  return { content: Buffer.from(await encoded.arrayBuffer()), headers: { 'content-type': encoded.headers.get('content-type') ?? '' } }
}
