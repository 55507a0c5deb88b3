// Pages and files for browsers, without a key. They change only with the build.

import { createHash } from 'node:crypto'
import type { EncodedAsset } from '../pages/encoded-asset.ts'
import { type Page, STATIC_POLICY } from '../pages/page.ts'
import { isUnchanged } from './is-unchanged.ts'
import type { ApiContext, ApiMiddleware } from './request-state.ts'

const FIVE_MINUTES = 'public, max-age=300'

/** Headers of a page or a file, beside its type. */
export interface PageHeaders {
  readonly etag: string
  readonly policy: string
  /** `cache-control`. Default: five minutes. */
  readonly caching?: string
}

export function servePage({ type, body, policy }: Page): ApiMiddleware {
  let made: { readonly text: string; readonly etag: string } | undefined
  const page = () => {
    const text = body()
    return { text, etag: tagOf(text) }
  }
  return (ctx) => {
    made ??= page()
    if (!begin(ctx, { etag: made.etag, policy })) return
    ctx.type = type
    ctx.body = made.text
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
    sendEncoded(ctx, asset, 'js', { etag, policy: STATIC_POLICY })
  }
}

/** Sends the encoding that the client prefers. */
export function sendEncoded(ctx: ApiContext, asset: EncodedAsset, type: string, headers: PageHeaders): void {
  ctx.vary('accept-encoding')
  if (!begin(ctx, headers)) return
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity')
  const body = encoding === 'br' || encoding === 'gzip' ? asset[encoding] : asset.identity
  // The middleware that compresses leaves a response with this header as it is.
  ctx.set('content-encoding', encoding === 'br' || encoding === 'gzip' ? encoding : 'identity')
  ctx.type = type
  ctx.body = body
}

/** Sets the headers. False: the client has the page already, and the response is 304. */
export function begin(ctx: ApiContext, { etag, policy, caching = FIVE_MINUTES }: PageHeaders): boolean {
  ctx.status = 200
  ctx.set({ etag, 'cache-control': caching, 'content-security-policy': policy })
  if (!isUnchanged(ctx)) return true
  ctx.status = 304
  return false
}

export function tagOf(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`
}
