// Limits of connections, in total and of one address: without them one client could open all connections and lock out the others.

import type { BlockList, Server } from 'node:net'
import { countedAddress, isProxy, plainAddress } from './client-address.ts'

export interface ConnectionLimits {
  readonly inAll: number
  /** Of one address (of IPv6: its first 64 bits). Trusted proxies have no limit, because they serve many clients. */
  readonly ofAddress: number
}

/** Streams keep their connections. Databases need few file descriptors beside them, and no address needs an eighth of all connections. */
export const CONNECTION_LIMITS: ConnectionLimits = { inAll: 8_192, ofAddress: 1_024 }

/** Closes connections beyond the limits at once. */
export function limitConnections(server: Server, { inAll, ofAddress }: ConnectionLimits, trustedProxies: BlockList): void {
  server.maxConnections = inAll
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    if (isProxy(address, trustedProxies)) return
    const counted = countedAddress(address)
    const count = (open.get(counted) ?? 0) + 1
    if (count > ofAddress) {
      socket.destroy()
      return
    }
    open.set(counted, count)
    socket.once('close', () => {
      const left = (open.get(counted) ?? 1) - 1
      if (left > 0) open.set(counted, left)
      else open.delete(counted)
    })
  })
}
