// Processes of two builds beside each other: one log in LMDB, one ClickHouse, and one SQLite database of organizations.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseHost } from '@orrery/read-model'
import { expect } from 'vitest'
import { Orrery, orrery } from './orrery.ts'
import type { ShortLake } from './short-lake.ts'

type Env = Readonly<Record<string, string>>

/** Wherever a start file `bin` can be given, the process is of that build, and of this checkout when it is not given. */
export class MixedBuilds implements AsyncDisposable {
  /** The database of organizations. */
  readonly identity: Env
  readonly #host: ClickHouseHost
  readonly #common: Env
  readonly #stack = new AsyncDisposableStack()
  #key = ''

  constructor(host: ClickHouseHost, registry: string, folder: string) {
    this.#host = host
    this.#common = { ORRERY_NETWORK: registry, ORRERY_LOG: `lmdb:${join(folder, 'log')}`, ORRERY_INTERNAL_PORT: '0' }
    this.identity = { ORRERY_IDENTITY: `sqlite:${join(folder, 'identity.sqlite')}` }
  }

  /** What a process of this user of ClickHouse needs. */
  as(user: 'admin' | 'writer' | 'api'): Env {
    const { url, password } = this.#host.address(user)
    return { ...this.#common, ORRERY_CLICKHOUSE_URL: url, ORRERY_CLICKHOUSE_USER: user, ORRERY_CLICKHOUSE_PASSWORD: password }
  }

  /** Makes an organization with a key, which requests have from then on. Returns the key. */
  async addOrganization(slug: string, bin?: string): Promise<string> {
    expect(await orrery(['org', 'create', '--org', slug, '--name', slug], this.identity, '', bin)).toMatchObject({ code: 0 })
    const { stdout } = await orrery(['org', 'key', 'create', '--org', slug, '--name', 'test'], this.identity, '', bin)
    this.#key = stdout[0] ?? ''
    return this.#key
  }

  async ingest(lake: ShortLake, bin?: string): Promise<void> {
    const run = await orrery(['ingest', '--lake', lake.directory], this.#common, '', bin)
    expect(run.code, run.stderr).toBe(0)
  }

  start(args: readonly string[], env: Env, bin?: string): Orrery {
    return this.#stack.use(new Orrery(args, env, '', bin))
  }

  startApi(bin?: string): Orrery {
    return this.start(['api'], { ...this.as('api'), ...this.identity, ORRERY_PORT: '0', ORRERY_CURSOR_KEY: 'ab'.repeat(32) }, bin)
  }

  async stop(run: Orrery): Promise<void> {
    run.signal('SIGTERM')
    expect(await run.exited, run.stderr).toBe(0)
  }

  /** Data and last ledger of an answer. */
  async answerOf(api: Orrery, path = '/v1/protocols/fxdao/reserves'): Promise<{ readonly data: unknown; readonly ledger: number }> {
    const url = await api.waitForStderr(/"url":"([^"]+)"/)
    const headers = { connection: 'close', 'x-service-api-key': this.#key }
    const response = await fetch(`${url}${path}`, { headers })
    const body = (await response.json()) as { readonly meta: { readonly last_indexed_ledger: number | null } }
    expect(response.status, `${JSON.stringify(body)}\n${api.stderr}`).toBe(200)
    const { meta, ...data } = body
    return { data, ledger: meta.last_indexed_ledger ?? 0 }
  }

  /** Resolves when answers are as of this ledger. */
  async shows(api: Orrery, ledger: number): Promise<void> {
    while ((await this.answerOf(api)).ledger !== ledger) await sleep(50)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync()
  }
}

/** A page of the internal server of a process. */
export async function internalPage(run: Orrery, path: '/readyz' | '/status'): Promise<Response> {
  const url = await run.waitForStderr(/"internalUrl":"([^"]+)"/)
  return await fetch(`${url}${path}`, { headers: { connection: 'close' } })
}

export async function ready(run: Orrery): Promise<void> {
  while ((await internalPage(run, '/readyz')).status !== 200) await sleep(50)
}
