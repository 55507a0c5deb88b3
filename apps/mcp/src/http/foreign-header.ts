// Requests that a page of another site makes the user's browser send. A page can reach a loopback port under a name of its own that resolves to
// 127.0.0.1 (DNS rebinding): such a request has that name in `Host`, and the origin of the page in `Origin`.

import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback } from '../loopback.ts'

/** The header that names another machine than this one; null if none does. A program that is no browser sends no `Origin`. */
export function foreignHeaderOf({ host, origin }: IncomingHttpHeaders): 'Host' | 'Origin' | null {
  if (host === undefined || !isOfThisMachine(`http://${host}`)) return 'Host'
  return origin === undefined || isOfThisMachine(origin) ? null : 'Origin'
}

function isOfThisMachine(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && isLoopback(url)
}
