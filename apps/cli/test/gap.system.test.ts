import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '@orrery/event-log'
import { loadNetwork } from '@orrery/protocols'
import { withClickHouse } from '@orrery/read-model/testing'
import { METRICS_OF, type MetricsOwner } from '@orrery/service-kit'
import { startFakeRpc } from '@orrery/testkit'
import { afterAll, expect, it } from 'vitest'
import { openDataFolder } from '../src/data-folder.ts'
import { exportedMetrics } from './exported-metrics.ts'
import { appendAllButOneSlice } from './lossy-log.ts'
import { contentsAfter, Orrery, orrery, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-gap-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const clickhouse = withClickHouse()

it('ingest resends a slice that the log lost, and the tables are the same', async () => {
  const lake = shortLake(join(folder, 'lake'), 6)
  const args = (data: string) => [...upArguments(lake, join(folder, data)), '--log-level', 'silent']
  const whole = await contentsAfter(args('whole'))
  {
    const network = await loadNetwork(lake.registry)
    await using opened = openDataFolder(join(folder, 'lossy'), network)
    await using log = await openLog(opened.logUrl)
    await appendAllButOneSlice(log, network, lake.directory)
  }
  expect(await contentsAfter(args('lossy'))).toEqual(whole)
})

interface ObservedHealth {
  readonly data: { readonly adapters?: readonly { readonly adapter_id: string; readonly status: string }[] }
  readonly meta: { readonly partial_result: boolean }
}

it('a separate ingest reads from ClickHouse the gap of an adapter, which /v1 shows, and resends it from an RPC', async () => {
  const lake = shortLake(join(folder, 'apart'), 5)
  const registry = join(folder, 'registry.json')
  const { protocols, ...rest } = JSON.parse(readFileSync(lake.registry, 'utf8'))
  writeFileSync(registry, JSON.stringify({ ...rest, protocols: { soroswap: protocols.soroswap } }))
  const whole = await contentsAfter(upArguments({ ...lake, registry }, join(folder, 'whole-apart')))

  const logUrl = `lmdb:${join(folder, 'log')}`
  {
    await using log = await openLog(logUrl)
    await appendAllButOneSlice(log, await loadNetwork(registry), lake.directory)
  }
  const as = (user: 'admin' | 'writer' | 'api') => {
    const { url, password } = clickhouse.host.address(user)
    const database = { ORRERY_CLICKHOUSE_URL: url, ORRERY_CLICKHOUSE_USER: user, ORRERY_CLICKHOUSE_PASSWORD: password }
    return { ORRERY_NETWORK: registry, ORRERY_LOG: logUrl, ORRERY_INTERNAL_PORT: '0', ...database }
  }
  await orrery(['migrate'], as('admin'))
  await using adapter = new Orrery(['adapter', 'soroswap'], as('writer'))
  expect(await adapter.waitForStderr(/"code":"log_gap".*(Ledgers are missing in the log)/)).toBe('Ledgers are missing in the log')

  const identity = { ORRERY_IDENTITY: `sqlite:${join(folder, 'identity.sqlite')}` }
  await orrery(['org', 'create', '--org', 'acme', '--name', 'Acme'], identity)
  const [key = ''] = (await orrery(['org', 'key', 'create', '--org', 'acme', '--name', 'test'], identity)).stdout
  await orrery(['org', 'limit', '--org', 'acme', '--requests-per-minute', '1000000'], identity)
  await using api = new Orrery(['api'], { ...as('api'), ...identity, ORRERY_PORT: '0', ORRERY_CURSOR_KEY: 'ab'.repeat(32) })
  const apiUrl = await api.waitForStderr(/"url":"([^"]+)"/)
  const ask = async (path: string): Promise<ObservedHealth> => {
    const response = await fetch(`${apiUrl}${path}`, { headers: { connection: 'close', 'x-service-api-key': key } })
    return (await response.json()) as ObservedHealth
  }
  const soroswap = async () => (await ask('/v1/health')).data.adapters?.find(({ adapter_id }) => adapter_id === 'soroswap')
  const isPartial = async () => (await ask('/v1/protocols/soroswap/reserves')).meta.partial_result
  while ((await soroswap())?.status !== 'failing') await sleep(50)
  const [, partition, after, before] = /"partition":"?(\d)"?,"after":(\d+),"before":(\d+)/.exec(adapter.stderr) ?? []
  const missing = `Partition ${partition} waits for ledgers ${Number(after) + 1} to ${before}: they are missing in the log.`
  expect(await soroswap()).toMatchObject({ error: missing })
  expect(await isPartial()).toBe(true)

  await using node = await startFakeRpc({ ledgers: lake.directory })
  await using ingest = new Orrery(['ingest', '--rpc', node.url], as('api'))
  await ingest.waitForStderr(/(Resending a range of ledgers)/)
  await adapter.waitForStderr(/(The gap is closed)/)
  const probes = await adapter.waitForStderr(/"internalUrl":"([^"]+)"/)
  while ((await fetch(`${probes}/readyz`, { headers: { connection: 'close' } })).status !== 200) await sleep(50)
  while ((await soroswap())?.status !== 'healthy') await sleep(50)
  expect(await soroswap()).toMatchObject({ error: null, last_sync_ledger: lake.lastLedger })
  expect(await isPartial()).toBe(false)
  const declared = (of: MetricsOwner) =>
    Object.values(METRICS_OF[of])
      .map(({ name }) => name)
      .sort()
  expect(await exportedMetrics(ingest)).toEqual(declared('ingest'))
  expect(await exportedMetrics(adapter)).toEqual(declared('adapter'))
  expect(await exportedMetrics(api)).toEqual(declared('api'))
  const { url, user, password } = clickhouse.host.address('analyst')
  expect(await viewContents(url.replace('//', `//${user}:${password}@`))).toEqual(whole)
  for (const run of [ingest, adapter, api]) {
    run.signal('SIGTERM')
    expect(await run.exited, run.stderr).toBe(0)
  }
})
