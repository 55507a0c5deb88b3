// The two pages that explain the API and need no key: /openapi.json and /docs. They change with the build only.

import { createHash } from 'node:crypto'
import type { ApiMiddleware } from './request-state.ts'
import { requireReading } from './require-reading.ts'

export interface Page {
  readonly path: string
  /** Content type. */
  readonly type: string
  readonly body: string
}

const FIVE_MINUTES = 'public, max-age=300'
/** The page brings its own style and nothing else, so nothing else may be loaded. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'"

export function servePages(pages: readonly Page[]): ApiMiddleware {
  const byPath = new Map(
    pages.map((page) => [page.path, { ...page, etag: `"${createHash('sha256').update(page.body).digest('base64url')}"` }]),
  )
  return (ctx, next) => {
    const page = byPath.get(ctx.path)
    if (page === undefined) return next()
    requireReading(ctx)
    ctx.status = 200
    ctx.set({ etag: page.etag, 'cache-control': FIVE_MINUTES, 'content-security-policy': POLICY })
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
    ctx.type = page.type
    ctx.body = page.body
  }
}
