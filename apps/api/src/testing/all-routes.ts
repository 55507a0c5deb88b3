// The routes of a build with all protocols.

import { managementRoutes } from '../management/index.ts'
import { openApiDocument } from '../openapi.ts'
import { routesOf } from '../routes/index.ts'
import { streamRoute } from '../stream/stream-route.ts'
import { TESTED_PROTOCOLS } from './tested-protocols.ts'

export const routes = routesOf(TESTED_PROTOCOLS)

/** The document with everything that the server serves. */
export const wholeDocument = () => openApiDocument(routes, managementRoutes, streamRoute(TESTED_PROTOCOLS))
