// One request to a receiver. The name of its host is resolved once, each address is checked, and the connection goes to a checked address: no
// second look-up could return another one. Redirects are not followed, and the body of an answer is thrown away.

import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import { isPublicAddress, webhookUrlProblem } from '@orrery/identity'

export interface Receivers {
  /** Never rejects. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<Outcome>
  close(): Promise<void>
}

export interface OutgoingMessage {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Outcome =
  | { readonly is: 'answered'; readonly status: number; readonly retryAfterMs: number | null }
  /** No answer came. `error` is shown to the organization: it names no address of this network. */
  | { readonly is: 'failed'; readonly error: string }
  /** The signal ended the request: it may have arrived. */
  | { readonly is: 'aborted' }

export interface ReceiversOptions {
  /** Also http, other ports and addresses that are not public. */
  readonly allowPrivate: boolean
  /** Resolves a name. Default: that of the system. */
  readonly lookup?: Lookup
  readonly times?: Partial<SendTimes>
}

type Lookup = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Milliseconds. */
export interface SendTimes {
  readonly connect: number
  /** From the start of a request to the headers of its answer. */
  readonly answer: number
}

export const SEND_TIMES: SendTimes = { connect: 5_000, answer: 15_000 }
/** Of an answer, that are read and thrown away so that the connection can be used again; one with more is closed. */
const READ_BYTES = 64 * 1024
/** An answer that is not at its end by then is closed. */
const READ_MS = 2_000
/** Most connections to one receiver. */
const CONNECTIONS = 16
const NOT_PUBLIC = 'ERR_ORRERY_NOT_PUBLIC'

export function openReceivers({ allowPrivate, lookup = systemLookup, times: given }: ReceiversOptions): Receivers {
  const times = { ...SEND_TIMES, ...given }
  /** Loaded with the first request: most processes never send one. */
  const open = async () => {
    const { Agent, request } = await import('undici')
    const agent = new Agent({
      connections: CONNECTIONS,
      pipelining: 1,
      keepAliveTimeout: 10_000,
      maxHeaderSize: 16 * 1024,
      connect: { timeout: times.connect, lookup: checkedLookup(lookup, allowPrivate) },
    })
    return { agent, request }
  }
  let opened: ReturnType<typeof open> | undefined
  return {
    async send({ url, headers, body }, signal) {
      // Also an address that is written as such, which is not looked up, and a webhook that was created when more was allowed.
      if (webhookUrlProblem(url, allowPrivate) !== null) return { is: 'failed', error: ERRORS[NOT_PUBLIC] }
      opened ??= open()
      const { agent, request } = await opened
      const timeout = AbortSignal.timeout(times.answer)
      try {
        const answer = await request(url, {
          ...{ dispatcher: agent, method: 'POST', headers, body },
          ...{ headersTimeout: times.answer, bodyTimeout: READ_MS, signal: AbortSignal.any([signal, timeout]) },
        })
        await answer.body.dump({ limit: READ_BYTES, signal: AbortSignal.timeout(READ_MS) }).catch(() => undefined)
        return { is: 'answered', status: answer.statusCode, retryAfterMs: retryAfterOf(answer.headers['retry-after']) }
      } catch (error) {
        if (signal.aborted) return { is: 'aborted' }
        return { is: 'failed', error: timeout.aborted ? slow(times.answer) : errorOf(error, times.answer) }
      }
    },
    close: async () => (await opened)?.agent.destroy(),
  }
}

/** A look-up as sockets use it, which fails when one of the addresses is not public. */
function checkedLookup(lookup: Lookup, allowPrivate: boolean) {
  return (
    hostname: string,
    options: LookupOptions,
    callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const isGood = allowPrivate || addresses.every(({ address }) => isPublicAddress(address))
      if (!isGood || addresses.length === 0) return callback(Object.assign(new Error('not public'), { code: NOT_PUBLIC }), [])
      if (options.all === true) return callback(null, addresses)
      const [first] = addresses
      callback(null, first?.address ?? '', first?.family)
    })
  }
}

const slow = (ms: number): string => `no answer came within ${ms / 1000} seconds`

const ERRORS: Readonly<Record<string, string>> & { readonly [NOT_PUBLIC]: string } = {
  [NOT_PUBLIC]: 'the address is not allowed: the host must have public addresses only',
  ENOTFOUND: 'the host has no address',
  EAI_AGAIN: 'the name of the host could not be resolved',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer came',
  EPIPE: 'the connection was closed before an answer came',
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  ETIMEDOUT: 'the host could not be connected to in time',
  UND_ERR_CONNECT_TIMEOUT: 'the host could not be connected to in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
}
/** OpenSSL's names, such as CERT_HAS_EXPIRED. */
const CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

function errorOf(error: unknown, answerMs: number): string {
  const code = codeOf(error)
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return slow(answerMs)
  if (CERTIFICATE.test(code)) return `the certificate of the host is not valid (${code})`
  return ERRORS[code] ?? `the request failed${code === '' ? '' : ` (${code})`}`
}

/** The code of an error or of its cause; of several addresses, that of the first. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? '' : codeOf(error.cause)
}

/** Milliseconds of `Retry-After` in seconds. A date is ignored, because the clock of the receiver may be wrong. */
function retryAfterOf(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : null
}
