// A running API for tests: real HTTP, real SQLite, a key; every answer is held against the OpenAPI document on the way.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Identity, memoryFailureLimiter, memoryRateLimiter, openIdentity } from '@orrery/identity'
import { type Clock, createLogger, createMetrics, type Metrics, systemClock } from '@orrery/service-kit'
import type { AppParts } from '../app.ts'
import type { SharedContext } from '../middleware/answer.ts'
import type { OpenApiDocument } from '../openapi.ts'
import type { Route } from '../route.ts'
import { serve } from '../serve.ts'
import { answerCheck } from './check-answer.ts'
import { type Asked, httpAsk } from './http-ask.ts'

export interface TestApiOptions extends Partial<Omit<AppParts, 'routes' | 'shared'>> {
  readonly routes: readonly Route[]
  /** What the routes under test use. */
  readonly shared?: Partial<SharedContext>
  readonly clock?: Clock
  readonly drainMs?: number
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body as JSON; an empty body is null. */
  readonly body: TestBody | null
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
  readonly metrics: Metrics
  readonly document: OpenApiDocument
  /** Asks with the key unless `x-service-api-key` is given ('' sends none), and checks the answer against the document. */
  ask(path: string, asked?: Asked): Promise<TestAnswer>
  stop(): Promise<void>
}

export async function startTestApi({
  routes,
  shared = {},
  clock = systemClock,
  drainMs = 1000,
  ...parts
}: TestApiOptions): Promise<TestApi> {
  const nowMs = () => clock.nowMs()
  const folder = await mkdtemp(join(tmpdir(), 'orrery-api-'))
  const identity = await openIdentity(`sqlite:${join(folder, 'identity.db')}`, nowMs)
  const { organization } = await identity.addOrganization({ slug: 'test', name: 'Test', plan: 'enterprise' })
  const { key } = await identity.addApiKey({ organizationId: organization.id, name: 'test', scopes: ['data:read'], expiresAtMs: null })
  const metrics = createMetrics()
  const app: AppParts = {
    identity,
    metrics,
    logger: createLogger({ name: 'api', level: 'silent', json: true }),
    rateLimiter: memoryRateLimiter(nowMs),
    failureLimiter: memoryFailureLimiter(nowMs),
    corsOrigins: [],
    trustProxy: false,
    deadlineMs: 10_000,
    ...parts,
    routes,
    // A route under test uses what its test gives; anything else is undefined, and using it answers 500.
    shared: { clock, cursorKey: new Uint8Array(32), protocols: [], ...shared } as SharedContext,
  }
  const running = await serve(app, { port: 0, host: '127.0.0.1', drainMs })
  const document = JSON.parse((await httpAsk(running.url, '/openapi.json')).bytes.toString('utf8')) as OpenApiDocument
  const check = answerCheck(document)

  return {
    url: running.url,
    key,
    identity,
    metrics,
    document,
    async ask(path, asked = {}) {
      const { 'x-service-api-key': given = key, ...others } = asked.headers ?? {}
      const headers = given === '' ? others : { 'x-service-api-key': given, ...others }
      const answer = await httpAsk(running.url, path, { ...asked, headers })
      check(asked.method ?? 'GET', path, answer)
      const text = answer.bytes.toString('utf8')
      return { status: answer.status, headers: answer.headers, body: text === '' ? null : (JSON.parse(text) as TestBody) }
    },
    stop: running.stop,
    async [Symbol.asyncDispose]() {
      await running.stop()
      await identity[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}
