import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROTOCOLS } from '@orrery/protocols'
import { afterAll, expect, it } from 'vitest'
import { AWAY, aBreakableSystem, type Status } from './breakable-system.ts'
import { Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-isolated-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const lake = shortLake(join(folder, 'lake'), 3)

it('the API and the adapters go on when the source is lost, and ingest continues when it is back', async () => {
  await using stack = new AsyncDisposableStack()
  const { broken, begin } = await aBreakableSystem(lake.directory, join(folder, 'source'))
  broken.source = true
  const { system, until, metrics, answers } = await begin(stack)
  const lost = await until(({ parts }) => parts.some(({ part, failures }) => part === 'ingest' && failures >= 2))
  expect(lost.parts.filter(({ part }) => part !== 'ingest').map(({ state, failures }) => [state, failures])).toEqual(
    PROTOCOLS.map(() => ['running', 0]),
  )
  expect(lost.parts[0]).toMatchObject({ part: 'ingest', error: expect.stringContaining('The lake of a test is away.') })
  expect(await metrics()).toMatch(/^orrery_part_failures_total\{part="ingest"\} [2-9]$/m)
  await until(({ adapters }) => adapters.every(({ last_sync_ledger }) => last_sync_ledger === AWAY - 1))
  expect(await answers()).toBe(200)

  broken.source = false
  expect(await system.caughtUp).toBe(lake.lastLedger)
  expect(await until(({ status }) => status === 'ok')).toMatchObject({
    parts: expect.arrayContaining([{ part: 'ingest', state: 'running', error: null, failures: expect.any(Number) }]),
  })
  expect(await metrics()).toContain('\norrery_part_running_status{part="ingest"} 1\n')
})

it('the other protocols and the API go on when every fold of one protocol fails, and it continues when they work again', async () => {
  await using stack = new AsyncDisposableStack()
  const { broken, begin } = await aBreakableSystem(lake.directory, join(folder, 'fold'))
  broken.fold = (protocol) => protocol === 'soroswap'
  const { system, until, metrics, answers, ask } = await begin(stack)
  const failed = await until(({ adapters }) =>
    adapters.every(({ adapter_id, status, last_sync_ledger }) =>
      adapter_id === 'soroswap' ? status === 'failing' && last_sync_ledger === AWAY - 1 : last_sync_ledger === lake.lastLedger,
    ),
  )
  expect(failed.status).toBe('degraded')
  const soroswap = failed.adapters.find(({ adapter_id }) => adapter_id === 'soroswap')
  expect(soroswap?.error).toContain(`Quarantined after ledger ${AWAY - 1}: A broken fold of a test.`)
  expect(failed.parts.map(({ state, failures }) => [state, failures])).toEqual(failed.parts.map(() => ['running', 0]))
  expect(await metrics()).toMatch(/^orrery_index_partition_status\{protocol="soroswap",partition="\d",status="failing"\} 1$/m)
  expect(await answers()).toBe(200)
  // An answer about this protocol alone is complete up to the ledger before.
  expect(await (await ask('/v1/protocols/soroswap/reserves')).json()).toMatchObject({
    meta: { last_indexed_ledger: AWAY - 1, partial_result: true },
  })

  broken.fold = () => false
  expect(await system.caughtUp).toBe(lake.lastLedger)
  await until(({ status }) => status === 'ok')
})

it('orrery up serves a folder that holds the network while its source is away, and refuses a new folder with 75', async () => {
  const data = join(folder, 'away')
  expect(await orrery([...upArguments(lake, data), '--exit-when-caught-up'])).toMatchObject({ code: 0 })
  const away = (dir: string) => [
    ...upArguments(lake, dir).filter((word) => word !== '--lake' && word !== lake.directory),
    '--rpc',
    'http://127.0.0.1:9',
  ]
  {
    await using run = new Orrery(away(data))
    const ready = await run.result<Ready>()
    const health = await fetch(`${ready.url}/v1/health`, { headers: { connection: 'close', 'x-service-api-key': ready.apiKey } })
    expect(await health.json()).toMatchObject({ meta: { last_indexed_ledger: lake.lastLedger } })
    expect((await fetch(`${ready.internalUrl}/readyz`, { headers: { connection: 'close' } })).status).toBe(200)
    const status = (await (await fetch(`${ready.internalUrl}/status`, { headers: { connection: 'close' } })).json()) as Status
    expect(status.parts.find(({ part }) => part === 'ingest')?.state).not.toBe('running')
    expect(run.stderr).toContain('The source cannot be reached')
    run.signal('SIGTERM')
    expect(await run.exited, run.stderr).toBe(0)
  }
  expect(await orrery(away(join(folder, 'new')))).toMatchObject({ code: 75, stdout: [] })
})
