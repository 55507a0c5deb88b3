// How many webhooks a second `orrery up` delivers: a receiver on real HTTP that answers at once, and webhooks that want everything that the demo has.
// Takes the time from the first request on until a number of deliveries has come, with one webhook and with several. Compared with Orrery's goal.
// `node bench/webhooks.ts [deliveries]`. Indexes a part of the demo first (some seconds).

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptWebhookKey, makeWebhookSecret, openIdentity, sealWebhookSecret, WEBHOOK_KEY_FILE } from '@orrery/identity'
import { recording, startFakeRpc } from '@orrery/testkit'
import { type Orrery, startOrrery } from './src/orrery.ts'
import { figure, printLine, printMachine } from './src/print.ts'
import { cpuSeconds } from './src/process-usage.ts'

const DELIVERIES = Number(process.argv[2] ?? 1_000)
/** Ledgers in the index. */
const LEDGERS = 1_000
const FIRST_LEDGER = 1_000_000
const WEBHOOKS = [1, 20]
const OPERATOR = { kind: 'operator', id: 'bench', address: 'local' } as const

interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: number
  /** Requests whose id came before. */
  readonly repeated: number
}

async function startReceiver(): Promise<Receiver> {
  const ids = new Set<string>()
  let received = 0
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      received++
      ids.add(String(request.headers['webhook-id']))
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    get received() {
      return received
    },
    get repeated() {
      return received - ids.size
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function measure(data: string, orrery: Orrery, count: number): Promise<void> {
  await using receiver = await startReceiver()
  await using identity = await openIdentity(`sqlite:${join(data, 'identity.sqlite')}`)
  const key = await keptWebhookKey(join(data, WEBHOOK_KEY_FILE))
  const { organization } = await identity.addOrganization({ slug: `bench-${count}`, name: 'Bench', plan: 'enterprise' }, OPERATOR)
  const filter = { addresses: [], protocols: [], contracts: [], activityTypes: [], events: null, healthFactorBelow: null }
  const seal = (id: string): string => sealWebhookSecret(key, id, makeWebhookSecret())
  const made = { organizationId: organization.id, url: receiver.url, description: null, enabled: true, fromLedger: 1, filter, seal }
  const webhooks = []
  for (let n = 0; n < count; n++) webhooks.push(await identity.webhooks.add(made, OPERATOR))

  while (receiver.received === 0) await new Promise((next) => setTimeout(next, 10))
  const startedMs = performance.now()
  const before = { received: receiver.received, cpu: [orrery.pid, orrery.enginePid].map(cpuSeconds), own: cpuSeconds(process.pid) }
  while (receiver.received - before.received < DELIVERIES) await new Promise((next) => setTimeout(next, 10))
  const seconds = (performance.now() - startedMs) / 1000
  const delivered = receiver.received - before.received
  const cpu = [orrery.pid, orrery.enginePid].map((pid, n) => (1000 * (cpuSeconds(pid) - (before.cpu[n] ?? 0))) / delivered)
  printLine(`\n${delivered} deliveries of ${count === 1 ? 'one webhook' : `${count} webhooks`}, of which everything waits at the start`)
  figure('deliveries', delivered / seconds, 'a second', 'goal 200')
  figure('CPU of Orrery', cpu[0] ?? Number.NaN, 'ms each')
  figure('CPU of the engine', cpu[1] ?? Number.NaN, 'ms each')
  figure('CPU of the receiver', (1000 * (cpuSeconds(process.pid) - before.own)) / delivered, 'ms each')
  figure('repeated', receiver.repeated, 'requests')
  for (const { id } of webhooks) await identity.webhooks.remove(organization.id, id, OPERATOR)
}

printMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-webhooks-'))
try {
  const { lakeDir, registryFile } = recording()
  await using node = await startFakeRpc({ ledgers: lakeDir, latest: FIRST_LEDGER + LEDGERS })
  await using orrery = await startOrrery(data, ['--network', registryFile, '--rpc', node.url, '--webhook-allow-private'])
  await orrery.caughtUp()
  for (const count of WEBHOOKS) await measure(data, orrery, count)
} finally {
  rmSync(data, { recursive: true })
}
