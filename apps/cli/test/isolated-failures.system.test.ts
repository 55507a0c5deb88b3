import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OrreryError } from '@orrery/errors'
import { type LedgerSource, lakeSource } from '@orrery/ingest'
import { loadNetwork, PROTOCOLS } from '@orrery/protocols'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { recording } from '@orrery/testkit'
import { afterAll, expect, it } from 'vitest'
import { openDataFolder } from '../src/data-folder.ts'
import { startSystem } from '../src/start-system.ts'
import { Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-isolated-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const lake = shortLake(join(folder, 'lake'), 3)
const AWAY = 1_000_100

/** Of /status: what the test looks at. */
interface Status {
  readonly status: string
  readonly adapters: readonly {
    readonly adapter_id: string
    readonly status: string
    readonly last_sync_ledger: number
    readonly error: string | null
  }[]
  readonly parts: readonly { readonly part: string; readonly state: string; readonly error: string | null; readonly failures: number }[]
}

/** `orrery up` inside this process, on a lake that the test can take away and a fold that it can break. */
async function aSystem(name: string, stack: AsyncDisposableStack) {
  const broken = { source: false, fold: false }
  const protocols = PROTOCOLS.map((protocol) =>
    protocol.id !== 'soroswap'
      ? protocol
      : {
          ...protocol,
          adapter: (...network: Parameters<typeof protocol.adapter>) => {
            const adapter = protocol.adapter(...network)
            const fold: typeof adapter.fold = (state, slice) => {
              if (broken.fold && slice.ledger >= AWAY) throw new OrreryError('corrupt', 'fold_failed', 'A broken fold of a test.')
              return adapter.fold(state, slice)
            }
            return new Proxy(adapter, { get: (target, member) => (member === 'fold' ? fold : Reflect.get(target, member)) })
          },
        },
  )
  const network = await loadNetwork(recording().registryFile)
  const own = lakeSource(lake.directory)
  const source: LedgerSource = {
    ...own,
    describe: 'a lake of a test',
    ends: own.ends,
    passphrase: () => own.passphrase(),
    range: (needed) => own.range(needed),
    async *read(from, signal) {
      for await (const ledger of own.read(from, signal)) {
        if (broken.source && ledger.sequence >= AWAY)
          throw new OrreryError('unavailable', 'source_unreachable', 'The lake of a test is away.')
        yield ledger
      }
    },
  }
  const begin = async () => {
    const system = await startSystem(
      {
        ...{ network, protocols, source, fromLedger: undefined, host: '127.0.0.1', port: 0, internalPort: 0, metrics: createMetrics() },
        folder: stack.use(openDataFolder(join(folder, name), network)),
        logger: createLogger({ name: 'test', level: 'silent', json: true }),
        isolatesFailures: true,
        stop: new AbortController().signal,
      },
      stack,
    )
    const status = async (): Promise<Status> => (await fetch(`${system.internalUrl}/status`)).json() as Promise<Status>
    const metrics = async (): Promise<string> => (await fetch(`${system.internalUrl}/metrics`)).text()
    const answers = async () =>
      (await fetch(`${system.url}/v1/protocols`, { headers: { 'x-service-api-key': system.secrets.apiKey } })).status
    const until = async (fits: (status: Status) => boolean): Promise<Status> => {
      for (;;) {
        const found = await status()
        if (fits(found)) return found
        await sleep(50)
      }
    }
    return { system, status, metrics, answers, until }
  }
  return { broken, begin }
}

it('the API and the adapters go on when the source is lost, and ingest continues when it is back', async () => {
  await using stack = new AsyncDisposableStack()
  const { broken, begin } = await aSystem('source', stack)
  broken.source = true
  const { system, until, metrics, answers } = await begin()
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

it('the other protocols and the API go on when the fold of one protocol fails, and the failed one continues when it works again', async () => {
  await using stack = new AsyncDisposableStack()
  const { broken, begin } = await aSystem('fold', stack)
  broken.fold = true
  const { system, until, metrics, answers } = await begin()
  const failed = await until(
    ({ adapters, parts }) =>
      parts.some(({ part, failures }) => part === 'soroswap' && failures >= 2) &&
      adapters.every(({ adapter_id, status, last_sync_ledger }) =>
        adapter_id === 'soroswap' ? status === 'failing' : last_sync_ledger === lake.lastLedger,
      ),
  )
  expect(failed.status).toBe('degraded')
  const soroswap = failed.adapters.find(({ adapter_id }) => adapter_id === 'soroswap')
  expect(soroswap?.last_sync_ledger).toBeLessThan(AWAY)
  expect(soroswap?.error).toContain('A broken fold of a test.')
  expect(await metrics()).toMatch(/^orrery_index_partition_status\{protocol="soroswap",partition="\d",status="failing"\} 1$/m)
  expect(await answers()).toBe(200)

  broken.fold = false
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
