// The address of the client. Any client can send `X-Forwarded-For`, so it is read from its end, and only the part that trusted proxies wrote.

import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** The proxies in front of the API, as addresses or ranges: `10.0.0.0/8`, `192.0.2.7`, `fd00::/8`. Null when one is neither. */
export function proxyList(ranges: readonly string[]): BlockList | null {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = familyOf(address)
    if (family === null) return null
    const most = family === 'ipv4' ? 32 : 128
    if (bits === undefined) list.addAddress(address, family)
    else if (/^\d{1,3}$/.test(bits) && Number(bits) <= most) list.addSubnet(address, Number(bits), family)
    else return null
  }
  return list
}

/**
 * The nearest address that is not a trusted proxy: that of the socket; if that is a proxy, the last one in `X-Forwarded-For`, and so on.
 * Text that is not an address ends the search: nothing before it can be trusted.
 */
export function clientAddress(socketAddress: string, forwardedFor: string, proxies: BlockList): string {
  let address = plainAddress(socketAddress)
  const hops = forwardedFor.split(',').map((hop) => plainAddress(withoutPort(hop.trim())))
  while (isProxy(address, proxies)) {
    const hop = hops.pop()
    if (hop === undefined || familyOf(hop) === null) break
    address = hop
  }
  return address
}

/**
 * The key by which failures are counted. Of IPv6 the first 64 bits: one customer has a whole /64, and could use another address for each guess.
 */
export function countedAddress(address: string): string {
  if (familyOf(address) !== 'ipv6') return address
  const [head = '', tail = ''] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const groups = address.includes('::') ? [...before, ...Array(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after] : before
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** Whether the address is one of the proxies. */
export function isProxy(address: string, proxies: BlockList): boolean {
  const family = familyOf(address)
  return family !== null && proxies.check(address, family)
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  if (isIPv4(address)) return 'ipv4'
  return isIPv6(address) ? 'ipv6' : null
}

/**
 * The plain form of an address: a socket that listens on IPv6 writes IPv4 clients as `::ffff:192.0.2.1`, and a proxy may write the same as
 * `::ffff:c000:201` or in full.
 */
export function plainAddress(address: string): string {
  if (!isIPv6(address) || !MAPPED.check(address, 'ipv6')) return address
  const decimal = /:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (decimal !== undefined) return decimal
  const [high = 0, low = 0] = address
    .split(':')
    .slice(-2)
    .map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}

/** IPv4 within IPv6: RFC 4291, 2.5.5.2. */
const MAPPED = new BlockList()
MAPPED.addSubnet('::ffff:0:0', 96, 'ipv6')

/** Some proxies also write the port of their client: `192.0.2.1:443`, `[2001:db8::1]:443`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]*)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(hop)?.[1] ?? hop
}
