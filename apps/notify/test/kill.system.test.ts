// The real process `orrery notify`, killed at moments that a seed chooses, several times, with another one beside it in half of the runs.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { withDatabases } from '@orrery/read-model/testing'
import { seededRandom } from '@orrery/testkit'
import { type PostgresServer, startPostgres } from '@orrery/testkit/servers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDelivery, WEBHOOK_KEY } from './delivery.ts'
import { ACCOUNTS, indexedLedgers } from './indexed-ledgers.ts'
import { outOfOrder, startReceiver } from './receiver.ts'

const BIN = fileURLToPath(new URL('../../cli/bin/orrery.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'orrery-notify-kill-'))
const databases = withDatabases()
let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await postgres[Symbol.asyncDispose]()
})

class Notify implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  log = ''

  constructor(env: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, [BIN, 'notify'], {
      env: { PATH: '', HOME: '/nowhere', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#exited = once(this.#child, 'close')
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.log += text
      })
    }
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM')
    await this.#exited
    return this.#child.exitCode
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill()
  }
}

const LEDGERS = 30

it.each([
  ['SQLite', 1, 1],
  ['PostgreSQL', 2, 2],
])(
  '`orrery notify` on %s delivers every event at least once and in order for each account, killed again and again (seed %i, instances: %i)',
  async (engine, seed, instances) => {
    const random = seededRandom(seed)
    await using stack = new AsyncDisposableStack()
    const database = await databases.database()
    const index = stack.use(await indexedLedgers(database))
    const identityUrl = engine === 'SQLite' ? `sqlite:${join(folder, 'identity.sqlite')}` : await postgres.database()
    const delivery = stack.use(await openDelivery(identityUrl, index.readModel))
    const receivers = [stack.use(await startReceiver()), stack.use(await startReceiver())] as const
    for (const receiver of receivers) {
      receiver.behave = () => (random() < 0.1 ? 'cut' : { status: 200, afterMs: Math.floor(random() * 30) })
      await delivery.addWebhook(receiver.url)
    }
    const { url, user, password, database: name } = database.address('api')
    const env = {
      ...{ ORRERY_NETWORK: 'demo', ORRERY_CLICKHOUSE_URL: url, ORRERY_CLICKHOUSE_USER: user, ORRERY_CLICKHOUSE_PASSWORD: password },
      ...{ ORRERY_CLICKHOUSE_DATABASE: name ?? 'orrery', ORRERY_IDENTITY: identityUrl, ORRERY_WEBHOOK_KEY: WEBHOOK_KEY.toString('hex') },
      ...{ ORRERY_WEBHOOK_ALLOW_PRIVATE: 'true', ORRERY_INTERNAL_PORT: '0' },
    }
    const running = Array.from({ length: instances }, () => stack.use(new Notify(env)))
    const acceptedOf = (n: 0 | 1) => new Set(receivers[n].received.filter(({ isAccepted }) => isAccepted).map(({ event }) => event.id)).size
    const writing = (async () => {
      for (let n = 0; n < LEDGERS; n++) {
        await index.write(ACCOUNTS)
        await delay(random() * 300)
      }
    })()
    for (let kills = 0; kills < 5; kills++) {
      await delay(2_000 + random() * 3_000)
      const n = kills % instances
      await running[n]?.kill()
      // Its leases end after their time; a test does not wait for that.
      await delivery.identity.webhooks.release(leaseOwner(running[n]?.log ?? ''))
      running[n] = stack.use(new Notify(env))
    }
    await writing
    await expect.poll(() => [acceptedOf(0), acceptedOf(1)], { interval: 200 }).toEqual([LEDGERS * 5, LEDGERS * 5])
    for (const { received } of receivers) {
      expect(outOfOrder(received)).toEqual([])
      const ids = new Map(received.map(({ event, id, body }) => [event.id, `${id} ${body}`]))
      expect(received.every(({ event, id, body }) => ids.get(event.id) === `${id} ${body}`)).toBe(true)
    }
    expect(receivers.some(({ received }) => received.length > LEDGERS * 5)).toBe(true)
    for (const one of running) expect(await one.stop(), one.log).toBe(0)
  },
)

/** The log of an instance has its id. */
function leaseOwner(log: string): string {
  return /"instance":"([^"]+)"/.exec(log)?.[1] ?? ''
}
