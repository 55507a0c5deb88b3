// Addresses for servers that are stopped and restarted: no other process may take the port in between.

import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the range of ports that systems assign themselves: on Linux from 32,768 on, on macOS from 49,152 on. */
const [LEAST, BEYOND] = [20_000, 32_000]

/** A free TCP port of 127.0.0.1 that the system does not assign itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LEAST + Math.floor(Math.random() * (BEYOND - LEAST))
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const listening = once(server, 'listening').then(
    () => true,
    () => false, // it is in use
  )
  server.listen(port, '127.0.0.1')
  if (!(await listening)) return false
  await once(server.close(), 'close')
  return true
}
