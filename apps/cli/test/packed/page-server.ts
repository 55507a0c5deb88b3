// An origin as a wallet has it: a page, modules, and a proxy of `/v1` that adds the API key.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Whereabouts } from '../global-setup.ts'

export interface PageServer extends AsyncDisposable {
  readonly url: string
}

export async function startPageServer(parts: {
  readonly api: Pick<Whereabouts, 'url' | 'apiKey'>
  /** Text of modules by path. */
  readonly modules: Readonly<Record<string, Uint8Array>>
}): Promise<PageServer> {
  const { api, modules } = parts
  const server = createServer(async ({ url = '/' }, response) => {
    if (url.startsWith('/v1/')) {
      const answer = await fetch(`${api.url}${url}`, { headers: { 'x-service-api-key': api.apiKey } })
      const headers = [...answer.headers].filter(([name]) => name === 'content-type' || name.startsWith('ratelimit-'))
      response.writeHead(answer.status, Object.fromEntries(headers)).end(new Uint8Array(await answer.arrayBuffer()))
    } else if (url in modules) response.writeHead(200, { 'content-type': 'text/javascript' }).end(modules[url])
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Wallet</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}
