// Documentation of the API, without a key. It changes only with the build.

import { createHash } from 'node:crypto'
import { type Page, STATIC_POLICY } from '../pages/page.ts'
import type { EncodedAsset } from '../pages/scalar-script.ts'
import { isUnchanged } from './is-unchanged.ts'
import type { ApiContext, ApiMiddleware } from './request-state.ts'

const FIVE_MINUTES = 'public, max-age=300'

export function servePage({ type, body, policy }: Page): ApiMiddleware {
  const etag = tagOf(body)
  return (ctx) => {
    if (!begin(ctx, etag, policy)) return
    ctx.type = type
    ctx.body = body
  }
}

/** A large script that is loaded at its first request and compressed once. A load that failed is tried again. */
export function serveScript(load: () => Promise<EncodedAsset>): ApiMiddleware {
  let loading: Promise<{ readonly asset: EncodedAsset; readonly etag: string }> | null = null
  return async (ctx) => {
    loading ??= load().then((asset) => ({ asset, etag: tagOf(asset.identity) }))
    const { asset, etag } = await loading.catch((error: unknown) => {
      loading = null
      throw error
    })
    ctx.vary('accept-encoding')
    if (!begin(ctx, etag, STATIC_POLICY)) return
    const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity')
    const body = encoding === 'br' || encoding === 'gzip' ? asset[encoding] : asset.identity
    // The middleware that compresses leaves a response with this header as it is.
    ctx.set('content-encoding', encoding === 'br' || encoding === 'gzip' ? encoding : 'identity')
    ctx.type = 'js'
    ctx.body = body
  }
}

/** Sets the headers. False: the client has the page already, and the response is 304. */
function begin(ctx: ApiContext, etag: string, policy: string): boolean {
  ctx.status = 200
  ctx.set({ etag, 'cache-control': FIVE_MINUTES, 'content-security-policy': policy })
  if (!isUnchanged(ctx)) return true
  ctx.status = 304
  return false
}

function tagOf(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`
}
