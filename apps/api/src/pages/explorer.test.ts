import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpAsk } from '../testing/http-ask.ts'
import { startTestApi, type TestApi } from '../testing/start-test-api.ts'
import { echo } from '../testing/toy-routes.ts'
import { BUILT_EXPLORER } from './explorer-files.ts'

const PAGE = '<!doctype html><script type="module" src="/explore/static/index-abc.js"></script>'
const SCRIPT = 'export const explorer = "explorer"'.repeat(100)

const folder = mkdtempSync(join(tmpdir(), 'orrery-explorer-'))
let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ routes: [echo], explorerFolder: folder })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

function build(): void {
  mkdirSync(join(folder, 'static'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), PAGE)
  writeFileSync(join(folder, 'static/index-abc.js'), SCRIPT)
  writeFileSync(join(folder, 'static/index-abc.css'), 'body{}')
}

describe('the explorer', () => {
  it('is served from the folder that its build writes', () => {
    expect(BUILT_EXPLORER).toMatch(/apps\/explorer\/dist$/)
  })

  it('that was not built names the command that builds it, and is served after the build without a restart', async () => {
    rmSync(join(folder, 'index.html'), { force: true })
    const missing = await httpAsk(api.url, '/explore/accounts/G')
    expect([missing.status, missing.headers['content-type'], missing.headers['cache-control']]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ])
    expect(missing.bytes.toString()).toContain('npm run build -w @orrery/explorer')
    build()
    expect((await httpAsk(api.url, '/explore/accounts/G')).bytes.toString()).toBe(PAGE)
  })

  it.each(['/explore', '/explore/index', '/explore/accounts/G', '/explore/pools/fxdao%3AUSD', '/explore/assets/C'])(
    '%s is the page, which a browser asks for again each time, with scripts and requests of this origin only',
    async (path) => {
      build()
      const { status, headers, bytes } = await httpAsk(api.url, path)
      expect([status, headers['content-type'], headers['cache-control'], bytes.toString()]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
        PAGE,
      ])
      const policy = String(headers['content-security-policy'])
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /)
      expect(policy).not.toMatch(/unsafe|https?:/)
      const unchanged = await httpAsk(api.url, path, { headers: { 'if-none-match': String(headers.etag) } })
      expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0])
    },
  )

  it('a file with a hash in its name is kept for ever, and sent compressed as the client asks', async () => {
    build()
    const { status, headers, bytes } = await httpAsk(api.url, '/explore/static/index-abc.js', { headers: { 'accept-encoding': 'br' } })
    expect([status, headers['content-type'], headers['content-encoding'], headers['cache-control']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'br',
      'public, max-age=31536000, immutable',
    ])
    expect(brotliDecompressSync(bytes).toString()).toBe(SCRIPT)
    expect((await httpAsk(api.url, '/explore/static/index-abc.css')).headers['content-type']).toBe('text/css; charset=utf-8')
  })

  it.each([
    '/explore/static/none.js',
    '/explore/static/..%2Findex.html',
    '/explore/static/%2e%2e%2findex.js',
    '/explore/static/index.html',
    '/explorer',
    '/Explore',
  ])('%s is no file of the explorer', async (path) => {
    build()
    const { status, bytes } = await httpAsk(api.url, path)
    expect([status, JSON.parse(bytes.toString()).error.code]).toEqual([404, 'not_found'])
  })
})
