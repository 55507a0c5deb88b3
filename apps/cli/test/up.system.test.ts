import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROTOCOLS } from '@orrery/protocols'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentsAfter, Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { type ShortLake, shortLake } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-up-'))
const PARTITIONS = PROTOCOLS.reduce((sum, { defaultPartitions }) => sum + defaultPartitions, 0)
let lake: ShortLake
let args: (data: string) => string[]

beforeAll(() => {
  lake = shortLake(join(folder, 'lake'), 6)
  args = (data) => upArguments(lake, join(folder, data))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function get(url: string, headers: Record<string, string> = {}): Promise<{ status: number; body: string }> {
  const response = await fetch(url, { headers: { connection: 'close', ...headers } })
  return { status: response.status, body: await response.text() }
}

describe('orrery up', () => {
  it('orrery up prints its addresses before it has indexed, serves what it indexed, stops at SIGTERM with 0, and continues at the next start', async () => {
    let contents: Record<string, string>
    {
      await using run = new Orrery(args('whole'))
      const ready = await run.result<Ready>()
      expect(ready).toMatchObject({
        event: 'ready',
        organization: 'demo',
        apiKey: expect.stringMatching(/^ory_/),
        userEmail: expect.stringContaining('@'),
      })
      expect((await get(`${ready.internalUrl}/livez`)).status).toBe(200)
      expect((await get(`${ready.url}/v1/protocols`)).status).toBe(401)
      expect(statSync(ready.userPasswordFile).mode & 0o077).toBe(0)

      expect(await run.result()).toMatchObject({ event: 'caught_up', ledger: lake.lastLedger, firstLedger: 1_000_000 })
      expect((await get(`${ready.internalUrl}/readyz`)).status).toBe(200)
      expect((await get(`${ready.internalUrl}/metrics`)).body).toMatch(/orrery_adapter_lag_ledgers\{protocol="soroswap",partition="0"\} 0/)
      const health = await get(`${ready.url}/v1/health`, { 'x-service-api-key': ready.apiKey })
      expect(JSON.parse(health.body)).toMatchObject({ meta: { last_indexed_ledger: lake.lastLedger } })
      contents = await viewContents(ready.clickhouseUrl)
      expect(contents.state).not.toBe('')
      run.signal('SIGTERM')
      expect(await run.exited).toBe(0)
      expect(run.stderr).toContain('Stopping')
    }
    await using again = new Orrery(args('whole'))
    const ready = await again.result<Ready>()
    expect(await again.result()).toMatchObject({ event: 'caught_up', ledger: lake.lastLedger, rows: 0 })
    expect(await viewContents(ready.clickhouseUrl)).toEqual(contents)

    const second = await orrery(args('whole'))
    expect(second).toMatchObject({ code: 2, stdout: [] })
    expect(second.stderr).toMatch(/data folder .* is in use by another process/)

    const status = await orrery(['status', '--json', '--data', join(folder, 'whole')])
    expect(JSON.parse(status.stdout[0] ?? '')).toMatchObject({
      event: 'status',
      watermark: lake.lastLedger,
      partitions: { length: PARTITIONS },
    })
    again.signal('SIGINT')
    expect(await again.exited).toBe(0)
  })

  it('orrery up ends with 0 when everything is indexed and --exit-when-caught-up is given', async () => {
    const run = await orrery([...args('once'), '--exit-when-caught-up'])
    expect(run.code).toBe(0)
    expect(run.stdout.map((line) => JSON.parse(line).event)).toEqual(['ready', 'caught_up'])
  })

  it('orrery up has --partitions in a new data folder, which keeps them, and they change no row', async () => {
    const partitionsOf = async (data: string): Promise<number> => {
      const status = await orrery(['status', '--json', '--data', join(folder, data)])
      return JSON.parse(status.stdout[0] ?? '').partitions.length
    }
    // State rows name the partition that folds them; these views are about the partitions themselves.
    const rowsAfter = async (options: readonly string[]): Promise<Record<string, string>> => {
      const contents = await contentsAfter(options, { without: ['scope', 'partition', 'partitions'] })
      const about = ['active_versions', 'index_versions', 'checkpoints']
      return Object.fromEntries(Object.entries(contents).filter(([view]) => !about.includes(view)))
    }
    const one = args('one')
    const rows = await rowsAfter([...one, '--partitions', '1'])
    expect(rows.state).not.toBe('')
    expect(await rowsAfter(args('default'))).toEqual(rows)

    const refused = await orrery([...one, '--partitions', '2'])
    expect(refused).toMatchObject({ code: 2, stdout: [] })
    expect(refused.stderr).toMatch(/has one partition in this data folder, and --partitions is 2\. Nothing was changed\. Omit --partitions/)
    {
      await using again = new Orrery(one)
      await again.result<Ready>()
      expect(await again.result()).toMatchObject({ event: 'caught_up', rows: 0 })
      expect(await partitionsOf('one')).toBe(PROTOCOLS.length)
    }
    await using three = new Orrery([...args('three'), '--partitions', '3'])
    await three.result<Ready>()
    await three.result()
    expect(await partitionsOf('three')).toBe(PROTOCOLS.reduce((sum, { maxPartitions }) => sum + Math.min(3, maxPartitions), 0))
  })

  it('orrery up gives the demo one partition for each protocol', async () => {
    const data = join(folder, 'demo')
    await using run = new Orrery(['up', '--json', '--port', '0', '--internal-port', '0', '--data', data])
    const { internalUrl } = await run.result<Ready>()
    const { body } = await get(`${internalUrl}/metrics`)
    const owned = [...body.matchAll(/^orrery_adapter_owned_partitions\{protocol="(\w+)"\} (\d+)$/gm)]
    expect(owned.map(([, protocol, partitions]) => [protocol, partitions]).sort()).toEqual(PROTOCOLS.map(({ id }) => [id, '1']).sort())
  })

  it('orrery up begins at the ledger of --from-ledger', async () => {
    const run = await orrery([...args('later'), '--exit-when-caught-up', '--from-ledger', '1000100'])
    expect(run.stdout.map((line) => JSON.parse(line))).toMatchObject([{}, { ledger: lake.lastLedger, firstLedger: 1_000_100 }])
    const moved = await orrery([...args('later'), '--from-ledger', '1000050'])
    expect(moved).toMatchObject({ code: 2, stdout: [] })
    expect(moved.stderr).toMatch(/begins at ledger 1000100/)
  })

  it('orrery up names a taken port and what to do', async () => {
    const server = createServer()
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    for (const option of ['--port', '--internal-port']) {
      const run = await orrery([...args('port'), option, String(port)])
      expect(run).toMatchObject({ code: 2, stdout: [] })
      expect(run.stderr).toMatch(new RegExp(`Port ${port} .* used by another program(.|\n)*${option}`))
    }
    server.close()
  })

  it('orrery up keeps one network a data folder, and one registry', async () => {
    const registry = JSON.parse(readFileSync(lake.registry, 'utf8'))
    const change = (name: string, changed: object): string => {
      const file = join(folder, name)
      writeFileSync(file, JSON.stringify({ ...registry, ...changed }))
      return file
    }
    await orrery([...args('one'), '--exit-when-caught-up'])
    const otherNetwork = await orrery([...args('one'), '--network', change('other.json', { network: 'other' })])
    expect(otherNetwork).toMatchObject({ code: 2, stdout: [] })
    expect(otherNetwork.stderr).toMatch(/holds the network forge-a[\s\S]*--data/)
    const otherRegistry = await orrery([...args('one'), '--network', change('changed.json', { price_pools: [] })])
    expect(otherRegistry).toMatchObject({ code: 2, stdout: [] })
    expect(otherRegistry.stderr).toMatch(/price_pools\[C\w{55}\]: removed \(was {.*}\)[\s\S]*Nothing was changed[\s\S]*--data/)
    const otherLake = await orrery([...args('new'), '--network', change('passphrase.json', { passphrase: 'Somewhere else' })])
    expect(otherLake).toMatchObject({ code: 2, stdout: [] })
    expect(otherLake.stderr).toMatch(/is of the network "Orrery Forge Network/)
    // What was refused before anything was read leaves the folder free for the right registry.
    expect(await orrery([...args('new'), '--exit-when-caught-up'])).toMatchObject({ code: 0 })
  })

  it('orrery up works on a network without a known protocol', async () => {
    const registry = JSON.parse(readFileSync(lake.registry, 'utf8'))
    const file = join(folder, 'nothing.json')
    writeFileSync(file, JSON.stringify({ ...registry, protocols: { soroswap: { deployments: [] } } }))
    const run = await orrery([...args('nothing'), '--network', file, '--exit-when-caught-up'])
    expect(run.stdout.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'ready' },
      { event: 'caught_up', ledger: lake.lastLedger, rows: 0 },
    ])
  })

  it('orrery up refuses a broken registry, an absent lake, and one with a gap', async () => {
    const file = join(folder, 'broken.json')
    writeFileSync(file, '{"network": 7}')
    const broken = await orrery([...args('refused'), '--network', file])
    expect(broken).toMatchObject({ code: 2, stdout: [] })
    expect(broken.stderr).toMatch(/has \d+ problems/)

    const absent = await orrery([...args('refused'), '--lake', join(folder, 'nowhere')])
    expect(absent).toMatchObject({ code: 2, stdout: [] })
    expect(absent.stderr).toMatch(/There is no lake in/)

    const holed = shortLake(join(folder, 'holed'), 4)
    rmSync(join(holed.directory, holed.fileOf(2)))
    const run = await orrery([...args('holed'), '--lake', holed.directory])
    expect(run.code).toBe(1)
    expect(run.stdout.map((line) => JSON.parse(line).event)).toEqual(['ready'])
    expect(run.stderr).toMatch(/ledgers? .*missing/)
  })
})
