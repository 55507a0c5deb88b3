// The browser script of Scalar from its npm package: no CDN, no build. Its plugin for Fastify is the one package of Scalar that has the script
// and few dependencies; it gives the script to the route that it registers.

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { assert } from '@orrery/errors'

/** A file with its encodings, made once: compressing 4 MB for every request would cost a tenth of a second each. */
export interface EncodedAsset {
  readonly identity: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
}

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
/** Of 0 to 11: 9 takes three times as long for 5 % less. */
const BROTLI_QUALITY = 6

/** Takes a third of a second: called at the first request. */
export async function loadScalarScript(): Promise<EncodedAsset> {
  const identity = Buffer.from(await scriptOfPlugin())
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    promisify(gzip)(identity),
  ])
  return { identity, br, gzip: zipped }
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
