// Documentation of the API, without a key: /openapi.json or /docs. It changes only with the build.

import { createHash } from 'node:crypto'
import { isUnchanged } from './is-unchanged.ts'
import type { ApiMiddleware } from './request-state.ts'

export interface Page {
  /** Content type. */
  readonly type: string
  readonly body: string
}

const FIVE_MINUTES = 'public, max-age=300'
/** The page has inline styles only, so nothing may be loaded; it sends no form, and no other page may show it in a frame. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function servePage({ type, body }: Page): ApiMiddleware {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  return (ctx) => {
    ctx.status = 200
    ctx.set({ etag, 'cache-control': FIVE_MINUTES, 'content-security-policy': POLICY })
    if (isUnchanged(ctx)) {
      ctx.status = 304
      return
    }
    ctx.type = type
    ctx.body = body
  }
}
