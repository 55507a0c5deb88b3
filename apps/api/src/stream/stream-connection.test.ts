import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openConnection, type StreamConnection, type StreamConnectionLimits } from './stream-connection.ts'
import type { StreamEvent } from './stream-event.ts'

/** A stream whose client reads only when the test lets it. */
async function unread(limits: StreamConnectionLimits): Promise<{ readonly connection: StreamConnection; readonly socket: Socket }> {
  const opened = Promise.withResolvers<ServerResponse>()
  const server = createServer((_, response) => opened.resolve(response)).listen(0, '127.0.0.1')
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nhost: test\r\n\r\n')
  return { connection: openConnection(await opened.promise, limits), socket }
}

/** More than the buffers of a socket on loopback. */
const LARGE = 'x'.repeat(16 * 1024 * 1024)
const event = (ledger: number, text = ''): StreamEvent => ({
  place: { ledger, part: 'ledger', key: '' },
  account: '',
  timestamp: '2026-10-15T20:00:00Z',
  data: text,
  text: `id: ${ledger}\ndata: ${text}\n\n`,
})

it('a client that does not read is behind, gets the reason at its end, and is closed when it does not read that either', async () => {
  const { connection, socket } = await unread({ waitingBytes: 1024 * 1024, patienceMs: 300 })
  connection.write([event(1)])
  expect(connection.isBehind).toBe(false)
  connection.write([event(2, LARGE)])
  expect(connection.isBehind).toBe(true)
  connection.end('slow_client')
  connection.write([event(3)])
  expect([connection.reason, connection.ended.aborted]).toEqual(['slow_client', true])
  await new Promise((resolve) => setTimeout(resolve, 600))
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume()
  await once(socket, 'close')
  expect(Buffer.concat(chunks).length).toBeLessThan(LARGE.length)
})

it('a client that does not read is closed soon after its key has become invalid, whatever its patience', async () => {
  const { connection, socket } = await unread({ waitingBytes: 1024 * 1024, patienceMs: 60_000 })
  connection.write([event(1, LARGE)])
  connection.end('key_invalid')
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  socket.resume()
  await once(socket, 'close')
  expect(bytes).toBeLessThan(LARGE.length)
})

it('a client that reads late has everything, and the place where it ends', async () => {
  const { connection, socket } = await unread({ waitingBytes: 1024, patienceMs: 60_000 })
  connection.write([event(1, LARGE), event(2)])
  connection.end('server_stopping')
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text = `${text}${chunk.toString('latin1')}`.slice(-500)
  })
  socket.resume()
  await once(socket, 'end')
  expect(text).toContain('event: end\ndata: {"last_event_id":"2","reason":"server_stopping"}\n\n')
})

it('waiting for a client ends when it has read, and ends the stream when it does not', async () => {
  const patient = await unread({ waitingBytes: 1024, patienceMs: 60_000 })
  patient.connection.write([event(1, LARGE)])
  const drained = patient.connection.drained()
  patient.socket.resume()
  await drained
  expect(patient.connection.reason).toBeNull()

  const impatient = await unread({ waitingBytes: 1024, patienceMs: 100 })
  impatient.connection.write([event(1, LARGE)])
  await impatient.connection.drained()
  expect(impatient.connection.reason).toBe('slow_client')
})

it('a client that leaves ends the stream', async () => {
  const { connection, socket } = await unread({ waitingBytes: 1024, patienceMs: 1_000 })
  socket.destroy()
  await once(connection.ended, 'abort')
  expect(connection.reason).toBe('client_gone')
  await connection.drained()
  connection.heartbeat()
})
