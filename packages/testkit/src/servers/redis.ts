// A real Redis for a test file, in memory only: `apt-get install redis-server`. It can be killed and restarted at the same address, empty.

import { freePort } from '../free-port.ts'
import { type ServerProcess, startServer } from './server-process.ts'

export interface RedisServer extends AsyncDisposable {
  /** `redis://127.0.0.1:<port>` */
  readonly url: string
  /** Kills it. Does nothing when it is down. */
  kill(): Promise<void>
  /** After `kill`: restarts it at the same address, empty. */
  restart(): Promise<void>
}

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  const start = (): Promise<ServerProcess> =>
    startServer({
      name: 'Redis',
      program: 'redis-server',
      args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      ready: /Ready to accept connections/,
      install: '`apt-get install redis-server`, or any redis-server on the PATH',
    })
  let running = await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => running.end('SIGKILL'),
    async restart() {
      await running.end('SIGKILL')
      running = await start()
    },
    [Symbol.asyncDispose]: () => running.end('SIGKILL'),
  }
}
