// The API key of a caller over HTTP. The key of this process is never used for it.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** `Authorization: Bearer KEY`, which every MCP client can send, or the header of `/v1`. Null without a key. */
export function callerKeyOf(headers: IncomingHttpHeaders): string | null {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const own = headers['x-service-api-key']
  return bearer ?? (typeof own === 'string' && own !== '' ? own : null)
}

/** Takes the same time whether they are equal or not. */
export function isSameKey(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other))
}

function digestOf(key: string): Uint8Array {
  return createHash('sha256').update(key).digest()
}
