// A running API for tests: real HTTP, a real database of organizations, a key; every answer is held against the OpenAPI document on the way,
// and when it stops, no log line may hold a secret.

import { mkdtemp, rm } from 'node:fs/promises'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Actor, type Identity, keptTokenKeys, openIdentity, openRedis } from '@orrery/identity'
import type { ReadModel } from '@orrery/read-model'
import { type Clock, createLogger, createMetrics, type Metrics, systemClock } from '@orrery/service-kit'
import { type Access, openAccess } from '../access.ts'
import type { AppParts } from '../app.ts'
import { noKeptDays } from '../kept-days.ts'
import { noKeptFeeds } from '../kept-feeds.ts'
import { managementRoutes } from '../management/index.ts'
import type { SharedContext } from '../middleware/answer.ts'
import type { OpenApiDocument } from '../openapi.ts'
import { noResponseCache } from '../response-cache/response-cache.ts'
import type { Route } from '../route.ts'
import { type ServeOptions, serve } from '../serve.ts'
import { streamRoute } from '../stream/stream-route.ts'
import { openStreams, type StreamTimes } from '../stream/streams.ts'
import { answerCheck, isCsv } from './check-answer.ts'
import { type Asked, httpAsk } from './http-ask.ts'
import { secretWatch } from './secret-watch.ts'
import { TESTED_PROTOCOLS } from './tested-protocols.ts'

export const TEST_ADMIN_TOKEN = 'the admin token of the tests, 32 and more'
const TEST_WEBHOOKS = { key: new Uint8Array(32).fill(7), allowPrivate: false }
export const TESTER: Actor = { kind: 'operator', id: 'tester', address: 'here' }

export interface TestApiOptions extends Partial<Omit<AppParts, 'routes' | 'shared' | 'access'>> {
  readonly routes: readonly Route[]
  /** What the routes under test use. */
  readonly shared?: Partial<SharedContext>
  readonly clock?: Clock
  readonly drainMs?: number
  /** Of connections and requests. Default: those of the service. */
  readonly limits?: ServeOptions['limits']
  /** Default: an SQLite file of its own. */
  readonly identityUrl?: string
  /** Default: none, this instance is alone. */
  readonly redisUrl?: string
  /** PEM file of token keys that exists, or is made. Default: keys of its own. */
  readonly tokenKeysFile?: string
  /** How often streams do what they do by time. Default: as the service. */
  readonly streamTimes?: Partial<StreamTimes>
  /** Parts of the access that the test brings. */
  readonly access?: Partial<Access>
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body as JSON; an empty body and CSV are null. */
  readonly body: TestBody | null
  /** The same for answers without an envelope. */
  readonly json: unknown
  readonly text: string
}

/** Loose on purpose: that the shape is right has been checked against the document already. */
export interface TestBody {
  readonly data?: unknown
  readonly enrichment?: unknown
  readonly error?: { readonly code: string; readonly message: string }
  readonly meta: Readonly<Record<string, unknown>>
}

export interface TestApi extends AsyncDisposable {
  readonly url: string
  /** Of the organization `test`, plan `enterprise`. */
  readonly key: string
  readonly identity: Identity
  readonly access: Access
  readonly metrics: Metrics
  readonly document: OpenApiDocument
  /** Asks with the key unless `x-service-api-key` is given ('' sends none), and checks the answer against the document. */
  ask(path: string, asked?: Asked): Promise<TestAnswer>
  /** Log lines so far, as JSON. */
  logged(): readonly string[]
  stop(): Promise<void>
}

export async function startTestApi(options: TestApiOptions): Promise<TestApi> {
  const {
    routes,
    shared = {},
    clock = systemClock,
    drainMs = 1000,
    limits = {},
    identityUrl,
    redisUrl,
    tokenKeysFile,
    access: given,
    streamTimes,
    ...parts
  } = options
  const stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'orrery-api-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const lines: string[] = []
  const logger = createLogger({ name: 'api', level: 'trace', json: true, to: { write: (line: string) => void lines.push(line) } })
  const metrics = createMetrics()
  const identity = stack.use(await openIdentity(identityUrl ?? `sqlite:${join(folder, 'identity.db')}`, () => clock.nowMs()))
  const key = await testKey(identity)
  // A busy machine is no Redis that is away.
  const patience = { answerWithinMs: 60_000, connectWithinMs: 60_000 }
  const redis = redisUrl === undefined ? null : stack.adopt(await openRedis(redisUrl, () => undefined, patience), (r) => r.disconnect())
  const tokenKeys = await keptTokenKeys(tokenKeysFile ?? join(folder, 'token-keys.pem'))
  const opened = stack.use(
    openAccess({ identity, tokenKeys, adminToken: TEST_ADMIN_TOKEN, webhooks: TEST_WEBHOOKS, redis, clock, logger, metrics }),
  )
  const access = { ...opened, ...given }
  const streams = openStreams({
    readModel: shared.readModel as ReadModel,
    authenticator: access.authenticator,
    logger,
    metrics,
    times: streamTimes ?? {},
    now: () => clock.nowMs(),
  })
  stack.defer(() => streams.close())
  const app: AppParts = {
    managementRoutes,
    streamRoute: streamRoute(TESTED_PROTOCOLS),
    streams,
    access,
    metrics,
    logger,
    corsOrigins: [],
    trustedProxies: new BlockList(),
    deadlineMs: 600_000,
    ...parts,
    routes,
    // A route under test uses what its test gives; anything else is undefined, and using it answers 500.
    shared: {
      clock,
      readThrough: null,
      cache: noResponseCache,
      keptFeeds: noKeptFeeds,
      keptDays: noKeptDays,
      cursorKey: new Uint8Array(32),
      shipped: TESTED_PROTOCOLS,
      protocols: [],
      ...shared,
    } as SharedContext,
  }
  const running = await serve(app, { port: 0, host: '127.0.0.1', drainMs, limits })
  stack.defer(() => running.stop())
  const document = JSON.parse((await httpAsk(running.url, '/openapi.json')).bytes.toString('utf8')) as OpenApiDocument
  const check = answerCheck(document)
  const secrets = secretWatch()
  secrets.note(key, TEST_ADMIN_TOKEN)

  return {
    url: running.url,
    key,
    identity,
    access,
    metrics,
    logged: () => lines,
    document,
    async ask(path, asked = {}) {
      const { 'x-service-api-key': wanted = key, ...others } = asked.headers ?? {}
      const headers = wanted === '' ? others : { 'x-service-api-key': wanted, ...others }
      const answer = await httpAsk(running.url, path, { ...asked, headers })
      const text = answer.bytes.toString('utf8')
      secrets.noteExchange(asked, text)
      check(asked.method ?? 'GET', path, answer)
      const json: unknown = text === '' || isCsv(answer) ? null : JSON.parse(text)
      return { status: answer.status, headers: answer.headers, body: json as TestBody | null, json, text }
    },
    stop() {
      streams.close()
      return running.stop()
    },
    async [Symbol.asyncDispose]() {
      await stack.disposeAsync()
      secrets.check(lines)
    },
  }
}

/** A key of the organization `test`, which several instances on one database share. */
async function testKey(identity: Identity): Promise<string> {
  const { organization } = await identity.addOrganization({ slug: 'test', name: 'Test', plan: 'enterprise' }, TESTER)
  const given = { organizationId: organization.id, name: 'test', scopes: ['data:read'], expiresAtMs: null } as const
  return (await identity.addApiKey(given, TESTER)).key
}
