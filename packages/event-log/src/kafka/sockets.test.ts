import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { Sockets } from './sockets.ts'

it('`leave` closes all sockets, and new ones can be opened until `close`', async () => {
  const server = createServer().on('connection', (socket) => socket.resume())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const sockets = new Sockets()
  const { port } = server.address() as AddressInfo
  const open = () => sockets.factory({ host: '127.0.0.1', port, onConnect: () => undefined }).on('error', () => undefined)
  const first = [open(), open()]
  sockets.leave()
  expect(first.map(({ destroyed }) => destroyed)).toEqual([true, true])
  const second = open()
  expect(second.destroyed).toBe(false)
  sockets.close()
  expect(second.destroyed).toBe(true)
  expect(open).toThrow('closed for good')
  await once(server.close(), 'close')
})
