// Which addresses are of this machine alone.

import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether the host of a URL is `localhost` or a loopback address. Another name may lead to any machine. */
export function isLoopback({ hostname }: URL): boolean {
  if (hostname === 'localhost') return true
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  const version = isIP(address)
  return version !== 0 && loopback.check(address, version === 4 ? 'ipv4' : 'ipv6')
}
