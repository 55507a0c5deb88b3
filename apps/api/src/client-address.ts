// From where a request came. `X-Forwarded-For` is anybody's to write: it is read from its end, and only as far as proxies of ours wrote it.

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
 * The nearest address that is not a proxy of ours: the socket's own, unless that is a proxy; then the last one in `X-Forwarded-For`, and so on.
 * What is no address ends the walk: before it nothing can be believed.
 */
export function clientAddress(socketAddress: string, forwardedFor: string, proxies: BlockList): string {
  let address = plainAddress(socketAddress)
  const hops = forwardedFor.split(',').map((hop) => plainAddress(hop.trim()))
  while (isProxy(address, proxies)) {
    const hop = hops.pop()
    if (hop === undefined || familyOf(hop) === null) break
    address = hop
  }
  return address
}

/**
 * What failures are counted by. Of IPv6 the first 64 bits: one customer has them all, and could use another address for each guess.
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

function isProxy(address: string, proxies: BlockList): boolean {
  const family = familyOf(address)
  return family !== null && proxies.check(address, family)
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  if (isIPv4(address)) return 'ipv4'
  return isIPv6(address) ? 'ipv6' : null
}

/** A socket that listens on IPv6 tells IPv4 callers as `::ffff:192.0.2.1`. */
function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return mapped ?? address
}
