// Answers that are put together in memory which is used again: each client gets its own, also one that reads late, and whatever others do.

import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { joinedFor } from './send-buffers.ts'

const LENGTHS = [100, 9_000, 60_000, 120_000, 131_072, 200_000]
const lengthOf = (n: number): number => LENGTHS[n % LENGTHS.length] ?? 0
const bytesOf = (n: number): Buffer => Buffer.alloc(lengthOf(n), String.fromCharCode(65 + (n % 26)) + n)

it('an answer has its own bytes, while others are read late or given up', async () => {
  const server = createServer((request, response) => {
    const bytes = bytesOf(Number(request.url?.slice(1)))
    const middle = Math.floor(bytes.length / 3)
    response.end(joinedFor(response, [bytes.subarray(0, middle), bytes.subarray(middle)]))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const ask = (n: number) =>
    new Promise<IncomingMessage>((answered, failed) => get({ port, host: '127.0.0.1', path: `/${n}` }, answered).on('error', failed))
  const read = async (n: number): Promise<boolean> => {
    const answer = await ask(n)
    // The rest of a long answer waits in the server until it is read.
    if (n % 3 === 0) await delay(20)
    if (n % 7 === 0) {
      answer.destroy()
      return true
    }
    return Buffer.concat(await answer.toArray()).equals(bytesOf(n))
  }
  for (let round = 0; round < 5; round++) {
    const own = await Promise.all(Array.from({ length: 60 }, (_, n) => read(round * 60 + n)))
    expect(own).toEqual(own.map(() => true))
  }
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
})
