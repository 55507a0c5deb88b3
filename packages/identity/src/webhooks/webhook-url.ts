// Where a webhook may point: https on port 443 of a public address, without credentials. An address is checked again when it is connected to,
// because a name may resolve to another one by then.

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const MAX_LENGTH = 2_048
const HTTPS_PORT = '443'
/** All that IANA has assigned of IPv6: the library calls `::/96` and `fec0::/10` unicast as well. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Null for a URL that webhooks may have, else what is wrong with it, as a sentence without its subject.
 * @param allowPrivate Also http, other ports and addresses that are not public.
 */
export function webhookUrlProblem(text: string, allowPrivate: boolean): string | null {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters.`
  if (!URL.canParse(text)) return 'must be an absolute URL such as `https://example.org/orrery`.'
  const { protocol, port, username, password, hash, hostname } = new URL(text)
  if (username !== '' || password !== '') return 'must not contain credentials. The signature of each request proves where it comes from.'
  if (hash !== '') return 'must not have a fragment (`#…`).'
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) return 'must begin with `https://`.'
  if (allowPrivate) return null
  if (port !== '' && port !== HTTPS_PORT) return 'must use port 443.'
  const address = hostname.replace(/^\[|\]$/g, '')
  const isName = isIP(address) === 0
  if (isName && !/[^.]\.[^.]/.test(hostname)) return 'must name a public host.'
  return isName || isPublicAddress(address) ? null : 'must not name a private, local or reserved address.'
}

/** Whether an IP address is of the public internet: unicast, and no address that contains another one. */
export function isPublicAddress(text: string): boolean {
  // The library also reads short and octal forms, which other programs read differently.
  if (isIP(text) === 0) return false
  const address = ipaddr.parse(text)
  // Mapped, translated (NAT64, 6to4, Teredo) and reserved ranges have names of their own in the library.
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || (address.zoneId === undefined && address.match(GLOBAL_UNICAST))
}
