// An API over the fixtures: one database, one read model and one running API for a test file.

import { randomUUID } from 'node:crypto'
import { aquarius } from '@orrery/aquarius'
import { blend } from '@orrery/blend'
import { fxdao } from '@orrery/fxdao'
import type { Protocol, ProtocolId, Rows } from '@orrery/protocol-kit'
import { type ClickHouseConnection, openReadModel, openStore, type ReadModel, type Store, storeVerification } from '@orrery/read-model'
import { withDatabases } from '@orrery/read-model/testing'
import { soroswap } from '@orrery/soroswap'
import { afterAll, beforeAll } from 'vitest'
import { type KeptDays, noKeptDays } from '../../kept-days.ts'
import { type KeptFeeds, noKeptFeeds } from '../../kept-feeds.ts'
import { routes } from '../../testing/all-routes.ts'
import { startTestApi, type TestApi, type TestApiOptions } from '../../testing/start-test-api.ts'
import { TESTED_PROTOCOLS } from '../../testing/tested-protocols.ts'
import { openViews } from '../../views.ts'
import { AQUARIUS_ROWS } from './fixtures/aquarius.ts'
import { BLEND_ROWS } from './fixtures/blend.ts'
import { FXDAO_ROWS } from './fixtures/fxdao.ts'
import { closeTime, FIRST, hashOf, LAST, NETWORK } from './fixtures/network.ts'
import { SOROSWAP_ROWS } from './fixtures/rows.ts'

export const VERSION = 1

export interface FixtureApi {
  readonly api: TestApi
  readonly store: Store
  readonly readModel: ReadModel
  /** The answer to a request, which must succeed. */
  data(path: string): Promise<Answered>
  /** Names of the statements that the engine ran for a path, sorted. Read from their starts, which are logged before the answer. */
  statements(path: string, key?: string): Promise<string[]>
  /** Rows of a statement that the analyst sends, with parameters as text. */
  analystRows(sql: string, parameters: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>[]>
  /** Stores a verdict, as `orrery verify` does. */
  storeVerification(row: Parameters<typeof storeVerification>[1]): Promise<void>
  /** The error of a request. */
  refusal(path: string): Promise<{ readonly status: number; readonly code: string; readonly message: string }>
}

export interface Answered {
  readonly data: Readonly<Record<string, unknown>>
  readonly enrichment: { readonly assets: Readonly<Record<string, unknown>>; readonly contracts: Readonly<Record<string, unknown>> }
  readonly meta: Readonly<Record<string, unknown>>
}

/** The rows of each protocol. */
const ROWS_BY_PROTOCOL: Readonly<Record<ProtocolId, readonly [Protocol<unknown>, Rows]>> = {
  blend: [blend, BLEND_ROWS],
  aquarius: [aquarius, AQUARIUS_ROWS],
  soroswap: [soroswap, SOROSWAP_ROWS],
  fxdao: [fxdao, FXDAO_ROWS],
}

type FixtureParts = Pick<TestApiOptions, 'streamTimes' | 'streamConnection'> & {
  readonly keptFeeds?: KeptFeeds
  readonly keptDays?: KeptDays
}

/**
 * To be called at the top of a test file: the API starts before its first test and stops after its last. It has the rows and adapters of
 * `protocols` only.
 */
export function withFixtureApi(
  protocols: readonly ProtocolId[] = ['soroswap'],
  { keptFeeds = noKeptFeeds, keptDays = noKeptDays, ...parts }: FixtureParts = {},
): FixtureApi {
  const databases = withDatabases()
  const stack = new AsyncDisposableStack()
  let made: { api: TestApi; store: Store; readModel: ReadModel; admin: ClickHouseConnection; analyst: ClickHouseConnection } | undefined
  const fixture = () => {
    if (made === undefined) throw new Error('The fixture API runs only while tests run: use it inside a test or a hook.')
    return made
  }

  beforeAll(async () => {
    const database = await databases.database()
    // What was read of the tip before a write counts no more, because tests write and read at once.
    const readModel = openReadModel(database.connect('api'), { tipForMs: Number.POSITIVE_INFINITY })
    const store = watched(openStore(database.connect('writer')), () => readModel.forgetTip())
    const built = protocols.flatMap((id) => {
      const made = ROWS_BY_PROTOCOL[id]
      return made === undefined ? [] : [made]
    })
    await writeFixtures(
      store,
      built.map(([, written]) => written),
      protocols,
    )
    const api = stack.use(
      await startTestApi({
        ...parts,
        routes,
        shared: {
          readModel,
          keptFeeds,
          keptDays,
          network: NETWORK,
          protocols: built.map(([protocol]) => protocol),
          views: openViews(NETWORK, TESTED_PROTOCOLS),
        },
      }),
    )
    made = { api, store, readModel, admin: database.connect('admin'), analyst: database.connect('analyst') }
  })
  afterAll(() => stack.disposeAsync())

  return {
    get api() {
      return fixture().api
    },
    get store() {
      return fixture().store
    },
    get readModel() {
      return fixture().readModel
    },
    async data(path) {
      const { status, body } = await fixture().api.ask(path)
      if (status !== 200) throw new Error(`${path} -> ${status}: ${JSON.stringify(body)}`)
      return body as unknown as Answered
    },
    async statements(path, key = fixture().api.key) {
      const { api, admin } = fixture()
      const requestId = randomUUID()
      await api.ask(path, { headers: { 'x-request-id': requestId, 'x-service-api-key': key } })
      await admin.client.command({ query: 'SYSTEM FLUSH LOGS' })
      const query = `SELECT JSONExtractString(log_comment, 'query') AS name FROM system.query_log
        WHERE type = 'QueryStart' AND JSONExtractString(log_comment, 'request_id') = {requestId:String} ORDER BY name`
      const rows = await admin.client.query({ query, query_params: { requestId }, format: 'JSONEachRow' })
      return (await rows.json<{ name: string }>()).map(({ name }) => name)
    },
    async analystRows(query, parameters) {
      // As text of the address: the client would write them anew.
      const settings = Object.fromEntries(Object.entries(parameters).map(([name, text]) => [`param_${name}`, text]))
      const result = await fixture().analyst.client.query({ query, clickhouse_settings: settings, format: 'JSONEachRow' })
      return result.json()
    },
    storeVerification: (row) => storeVerification(fixture().admin, row),
    async refusal(path) {
      const { status, body } = await fixture().api.ask(path)
      return { status, code: body?.error?.code ?? '', message: body?.error?.message ?? '' }
    },
  }
}

/** The store, with a call of `onWrite` before each of its calls and after it. */
function watched<S extends Store>(store: S, onWrite: () => void): S {
  return new Proxy(store, {
    get(target, member) {
      const method: unknown = Reflect.get(target, member, target)
      if (typeof method !== 'function') return method
      return (...args: unknown[]): unknown => {
        onWrite()
        const result: unknown = method.apply(target, args)
        return result instanceof Promise ? result.finally(onWrite) : result
      }
    },
  })
}

async function writeFixtures(store: Store, written: readonly Rows[], protocols: readonly ProtocolId[]): Promise<void> {
  const ledgers = Array.from({ length: LAST - FIRST + 1 }, (_, n) => FIRST + n)
  await store.writeLedgers(
    ledgers.map((ledger) => ({ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) })),
    1n,
  )
  for (const protocol of protocols) await store.activateIfNone(protocol, VERSION, 1)
  // Written twice, because the log delivers at least once; no answer may show a row twice.
  await store.write(written, VERSION)
  await store.write(written, VERSION)
  for (const protocol of protocols) await setCheckpoint(store, LAST, LAST, protocol)
}

/** Everything up to `ledger` is complete, and the source has nothing newer; `seen` is a newer ledger that waits in the log. */
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
  await store.reportHealth([
    {
      ...at,
      indexVersion: VERSION,
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
    },
  ])
}
