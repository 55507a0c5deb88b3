// Koa without middleware, in a separate process: answers every request with the bytes from stdin. Prints its address to stdout.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Koa from 'koa'

const body = await text(process.stdin)
const app = new Koa()
app.use((ctx) => {
  ctx.type = 'json'
  ctx.body = body
})
const server = createServer(app.callback()).listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
