// A proxy between the shards of a test's cluster. Where a client resets a connection, the engine sees its end: an embedded engine has no handler for
// errors of the native protocol's connections, as a server has, and a reset of one ends its process. A server that asks several shards, of which one
// fails, resets its connections to the others.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface EndingProxy {
  readonly port: number
  /** Refuses new connections and ends those that are open, as the machine of a stopped server does. */
  close(): Promise<void>
}

/** @param port 0: whichever is free. */
export async function openEndingProxy(port: number, enginePort: number): Promise<EndingProxy> {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const engine = connect({ port: enginePort, host: '127.0.0.1', allowHalfOpen: true })
    for (const socket of [client, engine]) {
      open.add(socket)
      socket.setNoDelay(true).on('error', () => undefined)
      socket.on('close', () => open.delete(socket))
    }
    client.pipe(engine)
    engine.pipe(client)
    engine.on('close', () => client.destroy())
    client.on('close', () => {
      // What the engine still writes is read and dropped, so that nothing is reset.
      engine.unpipe(client).resume()
      engine.end()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
