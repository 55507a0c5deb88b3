// The API as a list of steps, in order. Each is a function of what it needs; nothing else knows the order.

import type { FailureLimiter, Identity, RateLimiter } from '@orrery/identity'
import type { Logger, Metrics } from '@orrery/service-kit'
import Koa from 'koa'
import compress from 'koa-compress'
import { docsPage } from './docs-page.ts'
import { allowOrigins } from './middleware/allow-origins.ts'
import { answer, type SharedContext } from './middleware/answer.ts'
import { identifyRequest } from './middleware/identify-request.ts'
import { observe } from './middleware/observe.ts'
import { reportErrors } from './middleware/report-errors.ts'
import type { RequestState } from './middleware/request-state.ts'
import { requireApiKey } from './middleware/require-api-key.ts'
import { servePage } from './middleware/serve-page.ts'
import { openApiDocument } from './openapi.ts'
import type { Route } from './route.ts'
import { type ApiRouter, addRoute, exactRouter, refuseUnrouted } from './router.ts'

export interface AppParts {
  readonly routes: readonly Route[]
  readonly shared: SharedContext
  readonly identity: Identity
  readonly rateLimiter: RateLimiter
  readonly failureLimiter: FailureLimiter
  readonly logger: Logger
  readonly metrics: Metrics
  /** Empty: CORS is off. */
  readonly corsOrigins: readonly string[]
  /** Believe the last address in `X-Forwarded-For`: only behind a proxy that writes it. */
  readonly trustProxy: boolean
  readonly deadlineMs: number
}

const COMPRESS_FROM_BYTES = 1024

export function createApp(parts: AppParts): Koa<RequestState> {
  const { logger, metrics, corsOrigins } = parts
  const app = new Koa<RequestState>({ proxy: parts.trustProxy, maxIpsCount: 1 })

  // First, so that everything that follows can be told apart in the log.
  app.use(identifyRequest())
  // Around all that can fail: what is not observed did not happen.
  app.use(observe(logger, metrics))
  // Before anything can be refused: a browser hides a refusal without these headers from its page.
  if (corsOrigins.length > 0) app.use(allowOrigins(corsOrigins))
  // Outside of the envelope, so that errors are compressed like answers. Brotli and gzip are what clients have.
  app.use(compress({ threshold: COMPRESS_FROM_BYTES, zstd: false, deflate: false }))
  // One place turns what is thrown into what is told.
  app.use(reportErrors(logger))
  // From here on the order of checks is a promise: route, method, credential, rate limit, parameters, existence.
  app.use(routerOf(parts).routes())
  app.use(refuseUnrouted)

  // What koa itself reports: sockets that broke while the answer was being written.
  app.on('error', (error) => logger.debug({ err: error }, 'Lost a connection while answering'))
  return app
}

function routerOf({ routes, shared, deadlineMs, ...gate }: AppParts): ApiRouter {
  const document = openApiDocument(routes)
  const router = exactRouter()
  router.get('/openapi.json', servePage({ type: 'json', body: JSON.stringify(document) }))
  router.get('/docs', servePage({ type: 'html', body: docsPage(document) }))
  const withKey = requireApiKey(gate)
  for (const route of routes) {
    const checks = route.credential === 'none' ? [] : [withKey]
    addRoute(router, route, [...checks, answer(route, shared, deadlineMs)])
  }
  return router
}
