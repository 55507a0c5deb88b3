// The explorer, without a key: its requests for data have the key that the user enters. One page answers every address, so that links into it work.

import { type EncodedAsset, encodedAsset } from '../pages/encoded-asset.ts'
import { MISSING_EXPLORER, readExplorerAsset, readExplorerPage } from '../pages/explorer-files.ts'
import { EXPLORER_POLICY, STATIC_POLICY } from '../pages/page.ts'
import { refuseUnknownPath } from '../router.ts'
import type { ApiMiddleware } from './request-state.ts'
import { begin, sendEncoded, tagOf } from './serve-page.ts'

/** A browser asks again before it shows the page: the page names the assets of the newest build. */
const EVERY_TIME = 'no-cache'
/** The name of an asset changes with its content. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Read at each request: a build needs no restart, and the page has a few hundred bytes. */
export function serveExplorerPage(folder: string): ApiMiddleware {
  return async (ctx) => {
    const body = await readExplorerPage(folder)
    if (body === null) {
      ctx.set({ 'cache-control': 'no-store', 'content-security-policy': MISSING_EXPLORER.policy })
      ctx.status = 404
      ctx.type = MISSING_EXPLORER.type
      ctx.body = MISSING_EXPLORER.body()
      return
    }
    if (!begin(ctx, { etag: tagOf(body), policy: EXPLORER_POLICY, caching: EVERY_TIME })) return
    ctx.type = 'html'
    ctx.body = body
  }
}

interface Loaded {
  readonly asset: EncodedAsset
  readonly type: string
  readonly etag: string
}

/** Read and compressed at the first request for it. */
export function serveExplorerAsset(folder: string): ApiMiddleware {
  const loaded = new Map<string, Loaded>()
  return async (ctx) => {
    const { name = '' } = ctx.params
    const found = loaded.get(name) ?? (await loadAsset(folder, name))
    if (found === null) throw refuseUnknownPath()
    loaded.set(name, found)
    sendEncoded(ctx, found.asset, found.type, { etag: found.etag, policy: STATIC_POLICY, caching: FOR_EVER })
  }
}

async function loadAsset(folder: string, name: string): Promise<Loaded | null> {
  const file = await readExplorerAsset(folder, name)
  return file === null ? null : { asset: await encodedAsset(file.bytes), type: file.type, etag: tagOf(file.bytes) }
}
