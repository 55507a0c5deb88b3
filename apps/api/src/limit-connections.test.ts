import { EventEmitter } from 'node:events'
import { BlockList, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { limitConnections } from './limit-connections.ts'

/** A connection as a server announces it: tests cannot connect from addresses that the machine does not have. */
class Connection extends EventEmitter {
  isClosed = false
  readonly remoteAddress: string
  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }
  destroy(): void {
    this.isClosed = true
  }
}

it('counts the addresses of one IPv6 customer together, and those of IPv4 apart', () => {
  const server = createServer()
  limitConnections(server, { inAll: 100, ofAddress: 2 }, new BlockList())
  const opened = (address: string): Connection => {
    const connection = new Connection(address)
    server.emit('connection', connection as unknown as Socket)
    return connection
  }
  const first = opened('2001:db8:1:2::1')
  const sameCustomer = ['2001:db8:1:2::2', '2001:db8:1:2:ffff::3'].map(opened)
  expect([first, ...sameCustomer].map(({ isClosed }) => isClosed)).toEqual([false, false, true])
  const others = ['2001:db8:1:3::1', '192.0.2.1', '192.0.2.2', '::ffff:192.0.2.1', '::ffff:192.0.2.1'].map(opened)
  expect(others.map(({ isClosed }) => isClosed)).toEqual([false, false, false, false, true])
  first.emit('close')
  expect(opened('2001:db8:1:2::4').isClosed).toBe(false)
})
