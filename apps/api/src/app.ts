// The API as a list of middleware in order. No other file knows the order.

import type { BlockList } from 'node:net'
import type { Logger, Metrics } from '@orrery/service-kit'
import Koa from 'koa'
import compress from 'koa-compress'
import type { Access } from './access.ts'
import { answerManagement } from './management/answer-management.ts'
import type { ManagementRoute } from './management/management-route.ts'
import { allowOrigins } from './middleware/allow-origins.ts'
import { answer, type SharedContext } from './middleware/answer.ts'
import { countUnrouted } from './middleware/count-unrouted.ts'
import type { Gate } from './middleware/gate.ts'
import { identifyRequest } from './middleware/identify-request.ts'
import { observe } from './middleware/observe.ts'
import { openDocumentation } from './middleware/open-documentation.ts'
import { reportErrors } from './middleware/report-errors.ts'
import type { ApiMiddleware, RequestState } from './middleware/request-state.ts'
import { requireAdminToken } from './middleware/require-admin-token.ts'
import { requireApiKey } from './middleware/require-api-key.ts'
import { requireBearer } from './middleware/require-bearer.ts'
import { requireOneHost } from './middleware/require-one-host.ts'
import { serveExplorerAsset, serveExplorerPage } from './middleware/serve-explorer.ts'
import { servePage, serveScript } from './middleware/serve-page.ts'
import { traceRequest } from './middleware/trace-request.ts'
import { openApiDocument } from './openapi.ts'
import { documentationPages, SCALAR_PATH } from './pages/documentation.ts'
import { BUILT_EXPLORER } from './pages/explorer-files.ts'
import { loadScalarScript } from './pages/scalar-script.ts'
import type { Route } from './route.ts'
import { type ApiRouter, addRoute, exactRouter, refuseUnrouted } from './router.ts'
import { type CodeOffer, EXCHANGE_PATH, exchangeCode } from './sign-in/exchange-code.ts'
import { answerStream } from './stream/answer-stream.ts'
import type { StreamConnectionLimits } from './stream/stream-connection.ts'
import type { StreamRoute } from './stream/stream-route.ts'
import type { Streams } from './stream/streams.ts'

export interface AppParts {
  readonly routes: readonly Route[]
  readonly managementRoutes: readonly ManagementRoute[]
  readonly streamRoute: StreamRoute
  readonly streams: Streams
  /** Default: that of the service. */
  readonly streamConnection?: StreamConnectionLimits | undefined
  readonly shared: SharedContext
  readonly access: Access
  readonly logger: Logger
  readonly metrics: Metrics
  /** Empty: CORS is off. */
  readonly corsOrigins: readonly string[]
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: BlockList
  readonly deadlineMs: number
  /** What the explorer exchanges a one-time code for. Default: nothing, and no code is taken. */
  readonly codeOffer?: CodeOffer | undefined
  /** Folder with the built explorer. Default: the one of this installation. */
  readonly explorerFolder?: string
}

const COMPRESS_FROM_BYTES = 1024

export function createApp(parts: AppParts): Koa<RequestState> {
  const { logger, metrics, corsOrigins } = parts
  const app = new Koa<RequestState>()

  // First, so that every later log line has the request id.
  app.use(identifyRequest(parts.trustedProxies))
  // Around all that makes spans.
  app.use(traceRequest)
  // Before everything that can fail, so that every request is logged and counted.
  app.use(observe(logger, metrics))
  // Before any refusal: a browser hides a response without these headers from its page.
  if (corsOrigins.length > 0) app.use(allowOrigins(corsOrigins))
  // Before the error handler, so that errors are compressed like answers. Clients support brotli and gzip.
  app.use(compress({ threshold: COMPRESS_FROM_BYTES, zstd: false, deflate: false }))
  // The only place that converts a thrown error to a response.
  app.use(reportErrors(logger))
  app.use(requireOneHost)
  // The order of checks is documented and must not change: route, method, credential, rate limit, content type, size,
  // parameters and body, existence.
  app.use(routerOf(parts).routes())
  app.use(countUnrouted(parts))
  app.use(refuseUnrouted)

  // Koa reports sockets that broke while the answer was being written.
  app.on('error', (error) => logger.debug({ err: error }, 'Lost a connection while answering'))
  return app
}

function routerOf(parts: AppParts): ApiRouter {
  const {
    routes,
    managementRoutes,
    streamRoute,
    streams,
    streamConnection,
    shared,
    deadlineMs,
    explorerFolder = BUILT_EXPLORER,
    codeOffer,
    ...gate
  } = parts
  const document = openApiDocument(routes, managementRoutes, streamRoute)
  const router = exactRouter()
  router.get('/', openDocumentation)
  for (const page of documentationPages(document)) router.get(page.path, servePage(page))
  router.get(SCALAR_PATH, serveScript(loadScalarScript))
  if (codeOffer !== undefined) {
    router.post(EXCHANGE_PATH, exchangeCode({ offer: codeOffer, access: parts.access, clock: shared.clock, deadlineMs }))
  }
  // Its files first: every other path below is a page that the explorer itself finds.
  router.get('/explore/static/:name', serveExplorerAsset(explorerFolder))
  router.get('/explore{/*page}', serveExplorerPage(explorerFolder))
  const checks = credentialChecks(gate)
  for (const route of routes) addRoute(router, route, [...checks[route.credential], answer(route, shared, gate, deadlineMs)])
  const management = { gate, clock: shared.clock, deadlineMs }
  for (const route of managementRoutes) addRoute(router, route, [...checks[route.credential], answerManagement(route, management)])
  router.get(
    streamRoute.path,
    ...checks['api-key'],
    answerStream(streamRoute, { shared, gate, streams, deadlineMs, connectionLimits: streamConnection }),
  )
  return router
}

/** Middleware before a handler, by the credential of its route. */
function credentialChecks(gate: Gate): Readonly<Record<(Route | ManagementRoute)['credential'], readonly ApiMiddleware[]>> {
  return {
    'api-key': [requireApiKey(gate, 'data:read')],
    bearer: [requireBearer(gate)],
    'admin-token': [requireAdminToken(gate)],
    none: [],
  }
}
