import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, verifyWebhook } from '@orrery/client'
import { withClickHouse } from '@orrery/read-model/testing'
import { afterAll, expect, it } from 'vitest'
import { earlierBuild, hasCommit } from './earlier-build.ts'
import { internalPage, MixedBuilds, ready } from './mixed-builds.ts'
import { type Orrery, orrery } from './orrery.ts'
import { type ShortLake, shortLake, withOnly } from './short-lake.ts'

/** It has `orrery notify`, but two migrations less, and other code that sends and records deliveries. */
const EARLIER = '92c6d8b941b7f16dce55feeafd5e96aeaf968c82'

const folder = mkdtempSync(join(tmpdir(), 'orrery-upgrade-webhooks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const clickhouse = withClickHouse()
/** Both builds have it. */
const webhookKey = { ORRERY_WEBHOOK_KEY: randomBytes(32).toString('hex') }

const NAME =
  'webhooks have every event with one id and one body while `orrery notify` of an earlier build (needs the history of the repository) and of this one share them, and when the earlier one is stopped'
it.runIf(hasCommit(EARLIER))(NAME, async () => {
  const earlier = earlierBuild(EARLIER, join(folder, 'earlier'))
  const lakes = [2, 3, 4].map((files) => withOnly('fxdao', shortLake(join(folder, `lake-${files}`), files)))
  const [first, second, third] = lakes as [ShortLake, ShortLake, ShortLake]
  await using builds = new MixedBuilds(clickhouse.host, first.registry, folder)
  const startNotify = (bin?: string): Orrery =>
    builds.start(['notify'], { ...builds.as('api'), ...builds.identity, ...webhookKey, ORRERY_WEBHOOK_ALLOW_PRIVATE: 'true' }, bin)
  await using early = await startReceiver()
  await using late = await startReceiver()

  // Everything of the earlier build; its `notify` has the only webhook.
  expect(await orrery(['migrate'], builds.as('admin'), '', earlier)).toMatchObject({ code: 0 })
  const apiKey = await builds.addOrganization('acme', earlier)
  await builds.ingest(first, earlier)
  const oldAdapter = builds.start(['adapter', 'fxdao'], builds.as('writer'), earlier)
  await ready(oldAdapter)
  const earlySecret = await addWebhook(builds, early.url, earlier)
  const oldNotify = startNotify(earlier)
  await ready(oldNotify)

  // 1 and 2. Tables and API.
  const migrated = await orrery(['migrate', '--json'], builds.as('admin'))
  expect(JSON.parse(migrated.stdout[0] ?? '').applied).toContain('0047_health_factor_steps.sql')
  const newApi = builds.startApi()
  await builds.shows(newApi, first.lastLedger)
  const client = createClient({ baseUrl: await newApi.waitForStderr(/"url":"([^"]+)"/), apiKey })
  /** Ids of the stream's events, up to the end of the index. */
  const eventIds = async (end: number): Promise<string[]> => {
    const ids: string[] = []
    for await (const { id, event } of client.stream({ from_ledger: 1, events: 'activity,position,ledger' })) {
      if (event === 'ledger' && Number(id) >= end) break
      if (event !== 'ledger' && id !== null) ids.push(id)
    }
    return ids.sort()
  }
  const idsOfFirst = await eventIds(first.lastLedger)
  expect(idsOfFirst).not.toEqual([])
  await expect.poll(early.accepted).toEqual(idsOfFirst)

  // 2b. A webhook moves when its lease ends; a new one is taken at once by the instance that has none.
  const newNotify = startNotify()
  await ready(newNotify)
  const lateSecret = await addWebhook(builds, late.url)
  await expect.poll(late.accepted).toEqual(idsOfFirst)
  expect([await webhooksOf(oldNotify), await webhooksOf(newNotify)]).toEqual([1, 1])
  await builds.ingest(second, earlier)
  await builds.shows(newApi, second.lastLedger)
  const idsOfSecond = await eventIds(second.lastLedger)
  expect(idsOfSecond.length).toBeGreaterThan(idsOfFirst.length)
  await expect.poll(() => [early.accepted(), late.accepted()]).toEqual([idsOfSecond, idsOfSecond])
  expect([await webhooksOf(oldNotify), await webhooksOf(newNotify)]).toEqual([1, 1])

  // What the earlier instance could not deliver, the new one delivers alone.
  early.refuses = true
  await builds.ingest(third, earlier)
  await builds.shows(newApi, third.lastLedger)
  await expect.poll(() => early.received.filter(({ isAccepted }) => !isAccepted)).not.toEqual([])
  const refused = early.received.filter(({ isAccepted }) => !isAccepted)
  await builds.stop(oldNotify)
  await expect.poll(() => webhooksOf(newNotify)).toBe(2)
  early.refuses = false
  const idsOfThird = await eventIds(third.lastLedger)
  expect(idsOfThird.length).toBeGreaterThan(idsOfSecond.length)
  await expect.poll(() => [early.accepted(), late.accepted()]).toEqual([idsOfThird, idsOfThird])
  for (const { id } of refused) expect(early.received.some((again) => again.isAccepted && again.id === id)).toBe(true)
  for (const run of [newNotify, newApi, oldAdapter]) await builds.stop(run)

  // One id and one body for each event, signed with the secret of its webhook, whichever build sent it.
  for (const [secret, { received }] of [[earlySecret, early] as const, [lateSecret, late] as const]) {
    const bodies = new Map(received.map(({ id, body }) => [id, body]))
    expect(bodies.size).toBe(idsOfThird.length)
    for (const { id, eventId, body, headers } of received) {
      expect(body).toBe(bodies.get(id))
      const { webhook_id } = await verifyWebhook(body, headers, secret)
      // The earlier build makes ids in this way.
      expect(id).toBe(`msg_${createHash('sha256').update(`${webhook_id}\n${eventId}`).digest('hex').slice(0, 32)}`)
    }
  }
  // Until the earlier instance was stopped, each build sent the events to a receiver of its own.
  const [fromEarlier, fromNew] = [early, late].map(({ received }) =>
    Object.fromEntries(received.map(({ eventId, body }) => [eventId, { ...JSON.parse(body), webhook_id: '' }])),
  )
  expect(fromNew).toEqual(fromEarlier)
})

/** For everything, from the first ledger on. Returns its secret. */
async function addWebhook(builds: MixedBuilds, url: string, bin?: string): Promise<string> {
  const secretFile = join(folder, `secret-of-${new URL(url).port}`)
  const args = ['org', 'webhook', 'add', '--org', 'acme', '--webhook-url', url, '--webhook-allow-private', '--from-ledger', '1']
  const run = await orrery([...args, '--secret-file', secretFile], { ...builds.identity, ...webhookKey }, '', bin)
  expect(run.code, run.stderr).toBe(0)
  return readFileSync(secretFile, 'utf8').trim()
}

/** How many webhooks an instance delivers. */
async function webhooksOf(notify: Orrery): Promise<number> {
  const status = (await (await internalPage(notify, '/status')).json()) as { readonly webhooks: number }
  return status.webhooks
}

interface Request {
  /** The header `webhook-id`. */
  readonly id: string
  readonly eventId: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly isAccepted: boolean
}

interface Receiver extends AsyncDisposable {
  readonly url: string
  /** In the order in which they came. */
  readonly received: readonly Request[]
  /** Answer with 503 from now on. */
  refuses: boolean
  /** Ids of the events that were accepted, each once, sorted. */
  accepted(): string[]
}

async function startReceiver(): Promise<Receiver> {
  const received: Request[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    const isAccepted = !receiver.refuses
    received.push({
      ...{ id: String(request.headers['webhook-id']), eventId: JSON.parse(body).id, headers: request.headers, body, isAccepted },
    })
    response.writeHead(isAccepted ? 204 : 503).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    refuses: false,
    accepted: () => [...new Set(received.filter(({ isAccepted }) => isAccepted).map(({ eventId }) => eventId))].sort(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
