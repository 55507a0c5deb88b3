// The browser script of Scalar from its npm package: no CDN, no build. Its plugin for Fastify is the one package of Scalar that has the script
// and few dependencies; it gives the script to the route that it registers.

import { assert } from '@orrery/errors'
import { type EncodedAsset, encodedAsset } from './encoded-asset.ts'

/** The members of Fastify's route and reply that the plugin uses. */
interface ScriptRoute {
  readonly url: string
  handler(request: unknown, reply: Reply): unknown
}

interface Reply {
  header(name: string, value: string): Reply
  send(body: string): unknown
}

const PATH_OF_SCRIPT = '/js/scalar.js'

/** Takes a third of a second: called at the first request. */
export async function loadScalarScript(): Promise<EncodedAsset> {
  return encodedAsset(Buffer.from(await scriptOfPlugin()))
}

async function scriptOfPlugin(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const routes: ScriptRoute[] = []
  const fastify = { initialConfig: {}, hasPlugin: () => false, route: (route: ScriptRoute) => routes.push(route) }
  plugin(fastify, { routePrefix: '', configuration: { url: '/openapi.json' } }, () => undefined)
  const script = routes.find(({ url }) => url.endsWith(PATH_OF_SCRIPT))
  assert(script !== undefined, 'The plugin of Scalar registers no route with its script.')
  const { promise, resolve } = Promise.withResolvers<string>()
  const reply: Reply = { header: () => reply, send: resolve }
  script.handler(null, reply)
  return promise
}
