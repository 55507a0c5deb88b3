// Opens and closes an HTTP server in the same way in every process: a taken port is reported with a way out, and a stop drains.

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OrreryError } from '@orrery/errors'

export interface ListenOptions {
  /** 0 lets the system choose. */
  readonly port: number
  readonly host: string
  /** How the operator names the port: `--port or ORRERY_PORT`. */
  readonly option: string
}

/** Resolves with the base address once the server accepts. Errors: `invalid`/`port_taken`, `invalid`/`port_refused`. */
export async function listen(server: Server, { port, host, option }: ListenOptions): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const failed = (cause: NodeJS.ErrnoException) => reject(listenError(cause, { port, host, option }))
    server.once('error', failed)
    server.listen({ port, host }, () => {
      server.off('error', failed)
      resolve()
    })
  })
  const address = server.address() as AddressInfo
  return `http://${reachable(address)}:${address.port}`
}

/** "Every interface" is no address to open: loopback is shown instead. */
function reachable({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1'
  return family === 'IPv6' ? `[${address}]` : address
}

function listenError(cause: NodeJS.ErrnoException, { port, host, option }: ListenOptions): OrreryError {
  const context = { port, host }
  if (cause.code === 'EADDRINUSE') {
    const message = `Port ${port} of ${host} is used by another program. Nothing was lost or changed.\nStop that program, or choose another port with ${option} (0 takes any free one).`
    return new OrreryError('invalid', 'port_taken', message, { cause, context })
  }
  const message = `The system does not allow listening on port ${port} of ${host} (${cause.code ?? cause.message}). Nothing was lost or changed.\nChoose another port with ${option}, or an address that this machine has.`
  return new OrreryError('invalid', 'port_refused', message, { cause, context })
}

const SWEEP_MS = 20

/** Stops accepting, waits up to `drainMs` for running requests, then closes all connections. */
export async function drain(server: Server, drainMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), drainMs)
  // A connection that is busy now and kept open by its client becomes idle later; Node would wait for its keep-alive timeout.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  try {
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeIdleConnections()
    })
  } finally {
    clearTimeout(cut)
    clearInterval(sweep)
  }
}
