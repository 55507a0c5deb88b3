import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { openKafka } from './kafka-client.ts'
import { kafkaAddress } from './kafka-options.ts'
import { Sender } from './sender.ts'

it('an abandoned sender sends nothing more, though kafkajs retries its requests', async () => {
  const arrived = new Set<Socket>()
  const server = createServer((socket) => {
    arrived.add(socket.resume().on('error', () => undefined)) // and never answers
    socket.once('close', () => arrived.delete(socket))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const open = openKafka(kafkaAddress(`127.0.0.1:${port}`, { retryForMs: 1_000 }))
  const sender = new Sender(open, 100)
  await expect(sender.send('topic', [{ value: 'late' }])).rejects.toThrow('no answer within 0.1 s')
  await sender.abandon(new Error('why it was abandoned'))
  await expect(sender.send('topic', [{ value: 'later' }])).rejects.toThrow('why it was abandoned')
  expect(() => open.sockets.factory({ host: '127.0.0.1', port })).toThrow('closed for good')
  for (const socket of arrived) await once(socket, 'close')
  await once(server.close(), 'close')
})
