// The world on paper, standing: one real engine, one read model and one running API for a test file.

import { randomUUID } from 'node:crypto'
import { aquarius } from '@orrery/aquarius'
import { blend } from '@orrery/blend'
import { fxdao } from '@orrery/fxdao'
import type { Protocol, ProtocolId, Rows } from '@orrery/protocol-kit'
import { type ClickHouseConnection, openReadModel, openStore, type ReadModel, type Store } from '@orrery/read-model'
import { withClickHouse } from '@orrery/read-model/testing'
import { soroswap } from '@orrery/soroswap'
import { afterAll, beforeAll } from 'vitest'
import { routes } from '../../testing/all-routes.ts'
import { startTestApi, type TestApi } from '../../testing/start-test-api.ts'
import { TESTED_PROTOCOLS } from '../../testing/tested-protocols.ts'
import { openViews } from '../../views.ts'
import { closeTime, FIRST, hashOf, LAST, NETWORK } from './paper.ts'
import { AQUARIUS_WORLD } from './paper-aquarius.ts'
import { BLEND_WORLD } from './paper-blend.ts'
import { FXDAO_WORLD } from './paper-fxdao.ts'
import { WORLD } from './paper-rows.ts'

export const VERSION = 1

export interface World {
  readonly api: TestApi
  readonly store: Store
  readonly readModel: ReadModel
  /** Asks for data; the answer must be a success. */
  data(path: string): Promise<Answered>
  /** Names of the statements that the engine ran for a path, sorted. Their ends may be logged after the answer, their beginnings never. */
  statements(path: string): Promise<string[]>
  /** Asks for a refusal. */
  refusal(path: string): Promise<{ readonly status: number; readonly code: string; readonly message: string }>
}

export interface Answered {
  readonly data: Readonly<Record<string, unknown>>
  readonly enrichment: { readonly assets: Readonly<Record<string, unknown>>; readonly contracts: Readonly<Record<string, unknown>> }
  readonly meta: Readonly<Record<string, unknown>>
}

/** What each protocol wrote of the world. */
const WORLDS: Readonly<Record<ProtocolId, readonly [Protocol<unknown>, Rows]>> = {
  blend: [blend, BLEND_WORLD],
  aquarius: [aquarius, AQUARIUS_WORLD],
  soroswap: [soroswap, WORLD],
  fxdao: [fxdao, FXDAO_WORLD],
}

/**
 * Call it at the top of a test file: the world stands before its first test and is gone after its last. A build with adapters of
 * `protocols`: of the others nothing is known.
 */
export function withWorld(protocols: readonly ProtocolId[] = ['soroswap']): World {
  const clickhouse = withClickHouse({ queryLog: true })
  const stack = new AsyncDisposableStack()
  let made: { api: TestApi; store: Store; readModel: ReadModel; admin: ClickHouseConnection } | undefined
  const world = () => {
    if (made === undefined) throw new Error('The world stands while tests run: ask for it inside of a test or a hook.')
    return made
  }

  beforeAll(async () => {
    const database = await clickhouse.database()
    const store = openStore(database.connect('writer'))
    const built = protocols.flatMap((id) => {
      const made = WORLDS[id]
      return made === undefined ? [] : [made]
    })
    await writeWorld(
      store,
      built.map(([, written]) => written),
      protocols,
    )
    // A tip is read anew for each question: tests write and ask at once.
    const readModel = openReadModel(database.connect('api'), { tipForMs: 0 })
    const api = stack.use(
      await startTestApi({
        routes,
        shared: {
          readModel,
          network: NETWORK,
          protocols: built.map(([protocol]) => protocol),
          views: openViews(NETWORK, TESTED_PROTOCOLS),
        },
      }),
    )
    made = { api, store, readModel, admin: database.connect('admin') }
  })
  afterAll(() => stack.disposeAsync())

  return {
    get api() {
      return world().api
    },
    get store() {
      return world().store
    },
    get readModel() {
      return world().readModel
    },
    async data(path) {
      const { status, body } = await world().api.ask(path)
      if (status !== 200) throw new Error(`${path} -> ${status}: ${JSON.stringify(body)}`)
      return body as unknown as Answered
    },
    async statements(path) {
      const { api, admin } = world()
      const requestId = randomUUID()
      await api.ask(path, { headers: { 'x-request-id': requestId } })
      await admin.client.command({ query: 'SYSTEM FLUSH LOGS' })
      const query = `SELECT JSONExtractString(log_comment, 'query') AS name FROM system.query_log
        WHERE type = 'QueryStart' AND JSONExtractString(log_comment, 'request_id') = {requestId:String} ORDER BY name`
      const rows = await admin.client.query({ query, query_params: { requestId }, format: 'JSONEachRow' })
      return (await rows.json<{ name: string }>()).map(({ name }) => name)
    },
    async refusal(path) {
      const { status, body } = await world().api.ask(path)
      return { status, code: body?.error?.code ?? '', message: body?.error?.message ?? '' }
    },
  }
}

async function writeWorld(store: Store, written: readonly Rows[], protocols: readonly ProtocolId[]): Promise<void> {
  const ledgers = Array.from({ length: LAST - FIRST + 1 }, (_, n) => FIRST + n)
  await store.writeLedgers(
    ledgers.map((ledger) => ({ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) })),
    1n,
  )
  for (const protocol of protocols) await store.activateIfNone(protocol, VERSION, 1)
  // Written twice: at least once is what the log promises, and no answer may show it.
  await store.write(written, VERSION)
  await store.write(written, VERSION)
  for (const protocol of protocols) await setCheckpoint(store, LAST, LAST, protocol)
}

/** Everything up to `ledger` is whole, and the source has nothing newer; `seen` names a newer ledger that waits in the log. */
export async function setCheckpoint(
  store: Store,
  ledger: number,
  seen = ledger,
  protocol: ProtocolId = 'soroswap',
  state: 'running' | 'failing' = 'running',
): Promise<void> {
  const at = { protocol, partition: 0 }
  const closeTimeSeconds = closeTime(ledger)
  await store.moveCheckpoint(at, VERSION, { ledger, closeTimeSeconds, offset: 1n, rollingHash: '0'.repeat(16) })
  await store.reportHealth({
    ...at,
    adapterVersion: VERSION,
    reportedAtMs: closeTimeSeconds * 1000,
    state,
    checkpointLedger: ledger,
    checkpointCloseTimeSeconds: closeTimeSeconds,
    seenLedger: seen,
    seenCloseTimeSeconds: closeTime(seen),
    sourceEnded: true,
    sourceHeardAtMs: 0,
    progressedAtMs: closeTimeSeconds * 1000,
    gap: null,
    error: '',
    errorsLastHour: 0,
    contractsTracked: 3,
  })
}
