// Started by the test runner beside the test files: the whole recording, indexed once by `orrery up` for every file of the run that needs it.
// It is indexed at the first request, and in a run of a whole tier from the start, while files of other packages run.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { groundTruthRecording, isSharded, isWholeTier } from '@orrery/testkit'
import type { TestProject } from 'vitest/node'
import { indexWholeOnShards } from './cluster/whole-on-shards.ts'
import { Orrery, orrery, type Ready, upArguments } from './orrery.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers `/` with where the whole recording can be asked, once it is indexed, and any path of `/v1` as the service first answered it. */
    readonly wholeNetworkUrl: string
  }
}

export type Whereabouts = Pick<Ready, 'url' | 'apiKey' | 'clickhouseUrl' | 'adminToken' | 'userPasswordFile'>

/** All files together make more requests in a minute than the limit of a plan. */
const REQUESTS_PER_MINUTE = 1_000_000

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using starting = new AsyncDisposableStack()
  const stack = starting.use(new AsyncDisposableStack())
  let whereabouts: Promise<Whereabouts> | null = null
  if (isWholeTier) {
    whereabouts = index(stack)
    whereabouts.catch(() => undefined) // the first request has the error
  }
  const answers = new Map<string, Promise<Kept>>()
  const server = createServer((request, response) => {
    whereabouts ??= index(stack)
    whereabouts
      .then(async (found) => {
        const path = request.url ?? '/'
        if (path === '/') return response.end(JSON.stringify(found))
        const kept = answers.get(path) ?? ask(found, path)
        answers.set(path, kept)
        const { status, body } = await kept
        if (status !== 200) answers.delete(path) // such as a time that was over: the next one may ask again
        return response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      })
      .catch((error: unknown) => response.writeHead(500).end(JSON.stringify({ error: String(error) })))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  project.provide('wholeNetworkUrl', `http://127.0.0.1:${port}`)
  const running = starting.move()
  return () => running.disposeAsync()
}

interface Kept {
  readonly status: number
  readonly body: Uint8Array
}

/** An answer as of a past ledger never changes: equal requests of test files are answered from this cache. */
async function ask({ url, apiKey }: Whereabouts, path: string): Promise<Kept> {
  const response = await fetch(`${url}${path}`, { headers: { 'x-service-api-key': apiKey } })
  return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) }
}

async function index(stack: AsyncDisposableStack): Promise<Whereabouts> {
  if (isSharded) return indexWholeOnShards(stack, REQUESTS_PER_MINUTE)
  const { registryFile, lakeDir } = groundTruthRecording()
  const folder = mkdtempSync(join(tmpdir(), 'orrery-whole-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const data = join(folder, 'data')
  // What is stored need not survive a power loss.
  const up = stack.use(new Orrery([...upArguments({ registry: registryFile, directory: lakeDir }, data), '--unsynced-clickhouse']))
  const { organization, ...at } = await up.result<Ready>()
  const limited = await orrery(['org', 'limit', '--org', organization, '--requests-per-minute', `${REQUESTS_PER_MINUTE}`, '--data', data])
  if (limited.code !== 0) throw new Error(limited.stderr)
  await up.result() // caught up
  stack.defer(async () => {
    up.signal('SIGTERM')
    await up.exited
  })
  return at
}
