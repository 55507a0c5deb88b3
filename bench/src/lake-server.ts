// A lake's folder over HTTP, each answer after a delay, as of a server that is far away. A process of its own, so that its CPU time is not ours.
// Arguments: the folder, milliseconds. Prints its port.

import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'

const [folder = '', delayMs = '0'] = process.argv.slice(2)

const server = createServer((request, response) => {
  const file = join(folder, normalize(new URL(request.url ?? '/', 'http://lake').pathname))
  setTimeout(() => {
    const size = statSync(file, { throwIfNoEntry: false })?.size
    if (size === undefined) return response.writeHead(404).end()
    response.writeHead(200, { 'content-length': size })
    return request.method === 'HEAD' ? response.end() : createReadStream(file, { highWaterMark: 1024 * 1024 }).pipe(response)
  }, Number(delayMs))
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
