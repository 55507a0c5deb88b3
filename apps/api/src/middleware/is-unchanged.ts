// Whether the client has this answer already, by RFC 9110, 13.1.2: the tags of `If-None-Match` compared weakly.
// Koa's own `fresh` also wants the request to lack `Cache-Control: no-cache`. That is a word to caches on the way, which must ask us; and
// `fetch` adds it to every request that carries a tag, so no such client would ever get a 304.

import type { ApiContext } from './request-state.ts'

/** Call it when the answer's tag is set. False for an answer without one. */
export function isUnchanged(ctx: ApiContext): boolean {
  const own = ctx.res.getHeader('etag')
  if (typeof own !== 'string') return false
  const tag = opaque(own)
  const held = ctx.get('if-none-match')
  return held.split(',').some((one) => one.trim() === '*' || opaque(one) === tag)
}

/** A weak tag and a strong one of the same name are equal here. */
function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '')
}
