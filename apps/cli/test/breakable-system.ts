// `orrery up` inside the process of a test, on a lake that the test can take away and with folds that it can break.

import { setTimeout as sleep } from 'node:timers/promises'
import { OrreryError } from '@orrery/errors'
import { type LedgerSource, lakeSource } from '@orrery/ingest'
import type { Slice } from '@orrery/protocol-kit'
import { loadNetwork, PROTOCOLS } from '@orrery/protocols'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { recording } from '@orrery/testkit'
import { openDataFolder } from '../src/data-folder.ts'
import { keepRunning } from '../src/running-file.ts'
import { startSystem } from '../src/start-system.ts'

/** First ledger that cannot be read or folded. */
export const AWAY = 1_000_100

/** Of /status: what tests look at. */
export interface Status {
  readonly status: string
  readonly adapters: readonly {
    readonly adapter_id: string
    readonly status: string
    readonly last_sync_ledger: number
    readonly error: string | null
  }[]
  readonly parts: readonly { readonly part: string; readonly state: string; readonly error: string | null; readonly failures: number }[]
}

interface Broken {
  source: boolean
  /** Whether the fold of a protocol fails for a slice from `AWAY` on. */
  fold: (protocol: string, slice: Slice) => boolean
}

/** A system that is not broken yet. `begin` starts it, again after a stop. @param lake Folder of the ledgers. @param data Its data folder. */
export async function aBreakableSystem(lake: string, data: string) {
  const broken: Broken = { source: false, fold: () => false }
  const protocols = PROTOCOLS.map((protocol) => ({
    ...protocol,
    adapter: (...network: Parameters<typeof protocol.adapter>) => {
      const adapter = protocol.adapter(...network)
      const fold: typeof adapter.fold = (state, slice) => {
        if (slice.ledger >= AWAY && broken.fold(protocol.id, slice))
          throw new OrreryError('corrupt', 'fold_failed', 'A broken fold of a test.')
        return adapter.fold(state, slice)
      }
      return new Proxy(adapter, { get: (target, member) => (member === 'fold' ? fold : Reflect.get(target, member)) })
    },
  }))
  const network = await loadNetwork(recording().registryFile)
  const own = lakeSource(lake)
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
  const begin = async (stack: AsyncDisposableStack) => {
    const system = await startSystem(
      {
        ...{ network, protocols, source, fromLedger: undefined, host: '127.0.0.1', port: 0, internalPort: 0, metrics: createMetrics() },
        folder: stack.use(openDataFolder(data, network)),
        logger: createLogger({ name: 'test', level: 'silent', json: true }),
        isolatesFailures: true,
        stop: new AbortController().signal,
      },
      stack,
    )
    // As `orrery up` leaves it for the other commands.
    const addressOf = (user: 'status' | 'admin') => ({ headers: {}, ...system.clickhouse.address(user) })
    const { url, internalUrl } = system
    stack.use(keepRunning(data, { url, internalUrl, analystsUrl: null, status: addressOf('status'), admin: addressOf('admin') }))
    const status = async (): Promise<Status> => (await fetch(`${system.internalUrl}/status`)).json() as Promise<Status>
    const metrics = async (): Promise<string> => (await fetch(`${system.internalUrl}/metrics`)).text()
    const ask = (path: string) =>
      fetch(`${system.url}${path}`, { headers: { 'x-service-api-key': system.secrets.apiKey, connection: 'close' } })
    const answers = async () => (await ask('/v1/protocols')).status
    const until = async (fits: (status: Status) => boolean): Promise<Status> => {
      for (;;) {
        const found = await status()
        if (fits(found)) return found
        await sleep(50)
      }
    }
    return { system, status, metrics, answers, ask, until }
  }
  return { broken, begin }
}
