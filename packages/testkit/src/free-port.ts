// Addresses for servers that go away and come back: the port must be theirs meanwhile.

import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the range from which systems take the ports that they choose themselves, on Linux from 32,768 on, on macOS from 49,152 on. */
const [LEAST, BEYOND] = [20_000, 32_000]

/** A TCP port of 127.0.0.1 that nobody has, and that the system gives to nobody who lets it choose. */
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
    () => false, // somebody has it
  )
  server.listen(port, '127.0.0.1')
  if (!(await listening)) return false
  await once(server.close(), 'close')
  return true
}
