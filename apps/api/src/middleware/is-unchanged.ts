// Whether the client already has this answer, by RFC 9110, 13.1.2: the tags of `If-None-Match` are compared weakly.
// Koa's `fresh` also requires that the request lacks `Cache-Control: no-cache`. That header is for caches between client and server; and
// `fetch` adds it to every request with a tag, so such a client would never get a 304.

import type { ApiContext } from './request-state.ts'

/** To be called after the tag of the answer is set. False for an answer without one. */
export function isUnchanged(ctx: ApiContext): boolean {
  const own = ctx.res.getHeader('etag')
  if (typeof own !== 'string') return false
  const tag = opaque(own)
  const held = ctx.get('if-none-match')
  return held.split(',').some((one) => one.trim() === '*' || opaque(one) === tag)
}

/** The tag without its weakness prefix: a weak and a strong tag of the same value are equal here. */
function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '')
}
