// The OpenAPI document of the build: what `/openapi.json` serves when every shipped protocol has its routes.

import { PROTOCOLS } from '@orrery/protocols'
import { managementRoutes } from './management/index.ts'
import { type OpenApiDocument, openApiDocument } from './openapi.ts'
import { routesOf } from './routes/index.ts'
import { streamRoute } from './stream/stream-route.ts'

/** Without a server: for generators of types and for comparisons of documents. */
export function documentOfBuild(): OpenApiDocument {
  return openApiDocument(routesOf(PROTOCOLS), managementRoutes, streamRoute(PROTOCOLS))
}
