// Engines that the test files of all packages share. The test runner's own process keeps them, because an engine and the tables of its first
// database take longer to make than most files' tests, and a process of tests ends with the last file of its package.
// Each of those processes has one of them for itself while it runs (`engine-lease.ts`).

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { HOST_USERS } from '../host/credentials.ts'
import type { ClickHouseHost } from '../host/start-host.ts'
import type { LeasedEngine } from './engine-lease.ts'
import type { TestDatabase, TestEngine } from './test-engine.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** `GET /lease` lends an engine for as long as the answer stays open; `/lease/<id>/databases` has its databases. */
    readonly enginePoolUrl: string
  }
}

/** One engine while a process of tests has it. */
class Lease {
  readonly engine: TestEngine
  readonly #databases = new Map<string, TestDatabase>()

  constructor(engine: TestEngine) {
    this.engine = engine
  }

  async database(empty: boolean): Promise<string> {
    const database = await this.engine.database({ empty })
    this.#databases.set(database.name, database)
    return database.name
  }

  async release(name: string): Promise<void> {
    const database = this.#databases.get(name)
    this.#databases.delete(name)
    await database?.release()
  }

  async releaseAll(): Promise<void> {
    for (const name of [...this.#databases.keys()]) await this.release(name)
  }
}

class EnginePool {
  readonly #free: TestEngine[] = []
  readonly #leases = new Map<string, Lease>()
  readonly #all = new Set<TestEngine>()
  /** Engines whose databases are being emptied for the next process. */
  readonly #returning = new Set<Promise<void>>()
  #leased = 0

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://pool')
    const [, , id = '', , name = ''] = pathname.split('/')
    if (pathname === '/lease') return this.#lend(response)
    const lease = this.#leases.get(id)
    if (lease === undefined) throw new Error(`No process has the engine ${id}.`)
    if (request.method === 'DELETE') await lease.release(name)
    const body = request.method === 'POST' ? await lease.database(searchParams.has('empty')) : ''
    response.end(body)
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#all].map((engine) => engine.stop()))
  }

  async #lend(response: ServerResponse): Promise<void> {
    if (this.#free.length === 0) await Promise.all(this.#returning)
    const lease = new Lease(this.#free.pop() ?? (await this.#start()))
    this.#leased += 1
    const id = `${this.#leased}`
    this.#leases.set(id, lease)
    const end = (): void => {
      this.#leases.delete(id)
      this.#takeBack(lease)
    }
    // The process may have ended while its engine started.
    if (response.closed) return end()
    response.once('close', end)
    const { engine, host } = lease.engine
    const lent: LeasedEngine = { id, direct: addressesOf(engine), byPassword: addressesOf(host) }
    response.write(`${JSON.stringify(lent)}\n`)
  }

  /** A process that was killed has given no database back. If one cannot be emptied, such as during an insert, the engine is not lent again. */
  #takeBack(lease: Lease): void {
    const returning = lease
      .releaseAll()
      .then(
        () => void this.#free.push(lease.engine),
        () => undefined,
      )
      .finally(() => this.#returning.delete(returning))
    this.#returning.add(returning)
  }

  async #start(): Promise<TestEngine> {
    const { TestEngine } = await import('./test-engine.ts') // not needed by most packages
    const engine = await TestEngine.start({ queryLog: true })
    this.#all.add(engine)
    removeWithThisProcess(engine.folder)
    return engine
  }
}

function addressesOf(host: ClickHouseHost): LeasedEngine['direct'] {
  return Object.fromEntries(HOST_USERS.map((user) => [user, host.address(user)])) as LeasedEngine['direct']
}

/** By a shell, which waits for the end of its input: a runner that is killed stops nothing. */
function removeWithThisProcess(folder: string): void {
  const remover = spawn('sh', ['-c', 'cat; sleep 1; rm -rf "$0"', folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  remover.unref()
  remover.stdin.on('error', () => undefined)
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const pool = new EnginePool()
  const server = createServer((request, response) => {
    pool.answer(request, response).catch((cause: unknown) => response.writeHead(500).end(String(cause)))
  })
  // A busy process of tests might send on a connection that the server has just closed.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  project.provide('enginePoolUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    server.closeAllConnections()
    await pool.stop()
  }
}
