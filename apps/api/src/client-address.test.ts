import { describe, expect, it } from 'vitest'
import { clientAddress, countedAddress, proxyList } from './client-address.ts'

const proxies = (...ranges: string[]) => {
  const list = proxyList(ranges)
  if (list === null) throw new Error('These are addresses.')
  return list
}

describe('the address of a client', () => {
  const trusted = proxies('10.0.0.0/8', '192.0.2.7', 'fd00::/8')

  it.each([
    ['203.0.113.5', '', '203.0.113.5', 'is the socket’s'],
    ['203.0.113.5', '198.51.100.1', '203.0.113.5', 'is the socket’s when an untrusted client sends another one'],
    ['10.1.2.3', '198.51.100.1', '198.51.100.1', 'is what a proxy of ours wrote'],
    ['10.1.2.3', 'made up, 198.51.100.1, 192.0.2.7', '198.51.100.1', 'is the last one before our proxies, whatever stands further left'],
    ['10.1.2.3', '10.9.9.9, 10.8.8.8', '10.9.9.9', 'is the first proxy when there is nothing else'],
    ['10.1.2.3', '', '10.1.2.3', 'is the proxy when it says nothing'],
    ['10.1.2.3', '198.51.100.1, unknown', '10.1.2.3', 'is not looked for behind what is no address'],
    ['10.1.2.3', '198.51.100.1:1234', '198.51.100.1', 'is what a proxy wrote with a port'],
    ['10.1.2.3', '[2001:db8::1]:44', '2001:db8::1', 'is IPv6 that a proxy wrote with a port'],
    ['10.1.2.3', '[2001:db8::1]', '2001:db8::1', 'is IPv6 in brackets'],
    ['10.1.2.3', '198.51.100.1, 10.0.0.2:80', '198.51.100.1', 'is before a proxy of ours with a port'],
    ['10.1.2.3', '198.51.100.1:port', '10.1.2.3', 'is not what only looks like a port'],
    ['10.1.2.3', '198.51.100.1:123456', '10.1.2.3', 'is not what has too many digits for a port'],
    ['10.1.2.3', '::ffff:c633:6401', '198.51.100.1', 'is IPv4 also where a proxy writes it in hexadecimal'],
    ['10.1.2.3', '0:0:0:0:0:FFFF:0102:0304', '1.2.3.4', 'is IPv4 also where a proxy writes it in full'],
    ['10.1.2.3', '::ffff:0:1', '0.0.0.1', 'is IPv4 also where its groups are short'],
    ['10.1.2.3', '64:ff9b::102:304', '64:ff9b::102:304', 'is IPv6 where IPv4 is not mapped but translated'],
    ['::ffff:10.1.2.3', '::ffff:198.51.100.1', '198.51.100.1', 'is IPv4 also where the socket speaks IPv6'],
    ['fd00::1', '2001:db8::5', '2001:db8::5', 'may be IPv6'],
    ['', '198.51.100.1', '', 'is nothing when the socket is gone'],
  ])('%s with "%s" is %s: it %s', (socket, forwarded, expected) => {
    expect(clientAddress(socket, forwarded, trusted)).toBe(expected)
  })

  it('the client address is that of the socket if no proxy is trusted', () => {
    expect(clientAddress('127.0.0.1', '198.51.100.1', proxies())).toBe('127.0.0.1')
  })
})

describe('what failures are counted by', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1:2:3:4', 'fe80:0:0:0::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['', ''],
  ])('of %s is %s', (address, counted) => {
    expect(countedAddress(address)).toBe(counted)
  })
})

it.each(['true', '*', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', 'fd00::/129', '', '10.0.0.1 '])('%j is refused as a proxy', (range) => {
  expect(proxyList([range])).toBeNull()
})
