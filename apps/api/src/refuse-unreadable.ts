// Requests that Node's HTTP parser rejects before koa sees them: invalid syntax, headers that are too long, a request that does not end.
// They get the error envelope like all others, and the connection is closed. So does CONNECT, which Node never gives to koa.

import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from '@orrery/service-kit'
import { errorEnvelope } from './envelope.ts'
import type { ApiErrorCode } from './errors.ts'
import { newRequestId } from './request-id.ts'

interface Refusal {
  readonly status: number
  readonly code: ApiErrorCode
  readonly message: string
}

const MALFORMED: Refusal = {
  status: 400,
  code: 'invalid_parameter',
  message: 'The request cannot be read as HTTP/1.1. Send it with an HTTP client, without line breaks or control characters in its headers.',
}
const NO_PROXY: Refusal = {
  status: 405,
  code: 'method_not_allowed',
  message: 'This server is not a proxy: it does not support CONNECT. Send the request to the path of an endpoint.',
}
/** By Node's error code. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'payload_too_large',
    message: 'The request line and headers are longer than 16 KiB. Send fewer or shorter headers, and a shorter query.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'payload_too_large',
    message: 'The chunk extensions of the body are too long. Send the body without chunk extensions.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'timeout',
    message: 'The request did not arrive in time: 10 s for headers, 30 s in all.',
  },
}

/** Handles `clientError` of the server. */
export function refuseUnreadable(server: Server, logger: Logger): void {
  /** The current answer of each connection. */
  const answers = new WeakMap<Socket, ServerResponse>()
  server.on('request', ({ socket }, response) => answers.set(socket, response))

  const refuse = (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const refusal = REFUSALS[error.code ?? ''] ?? MALFORMED
    const requestId = newRequestId()
    logger.debug({ requestId, status: refusal.status, reason: error.code }, 'Refused a request that cannot be read')
    end(socket, refusal, requestId)
  }
  // Closed after the answer: later bytes cannot be distinguished from the rest of this request.
  const end = (socket: Duplex, refusal: Refusal, requestId: string): void => {
    socket.end(textOf(refusal, requestId), () => socket.destroy())
  }

  server.on('connect', (_request, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    end(socket, NO_PROXY, newRequestId())
  })

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const current = answers.get(socket)
    if (current === undefined) refuse(error, socket)
    // The rest of a request that is already answered gets no answer.
    else if (!current.req.complete && current.headersSent) socket.destroy()
    // Not before the answer to the previous request, or the client would take it for that answer.
    else if (current.req.complete && !current.writableFinished) current.once('finish', () => refuse(error, socket))
    else refuse(error, socket)
  })
}

function textOf({ status, code, message }: Refusal, requestId: string): string {
  const body = JSON.stringify(errorEnvelope(code, message, 0))
  const headers = {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    // A target that no method is for (RFC 9110, 10.2.1).
    ...(status === 405 && { allow: '' }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}
