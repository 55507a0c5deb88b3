import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpAsk } from '../testing/http-ask.ts'
import { startTestApi, type TestApi } from '../testing/start-test-api.ts'
import { echo } from '../testing/toy-routes.ts'

// The pages link to the explorer, which need not be built.
const explorerFolder = mkdtempSync(join(tmpdir(), 'orrery-explorer-'))
let api: TestApi
beforeAll(async () => {
  writeFileSync(join(explorerFolder, 'index.html'), '<!doctype html>')
  api = await startTestApi({ routes: [echo], explorerFolder })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  rmSync(explorerFolder, { recursive: true })
})

const PAGES = ['/docs', '/docs/plain', '/docs/errors', '/docs/errors/not_found', '/docs/guides', '/docs/wallet-screens', '/docs/csv']

describe('the documentation', () => {
  it('a browser is led from / to the reference, and any other client is answered as at every unknown path', async () => {
    const browser = await httpAsk(api.url, '/', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    expect([browser.status, browser.headers.location]).toEqual([302, '/docs'])
    const client = await httpAsk(api.url, '/')
    expect([client.status, JSON.parse(client.bytes.toString()).error.code]).toEqual([404, 'not_found'])
  })

  it.each(PAGES)('no script or style of %s is inline, none is evaluated, and no other page may frame it', async (path) => {
    const { status, headers, bytes } = await httpAsk(api.url, path)
    expect(status).toBe(200)
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/)
    expect(bytes.toString()).not.toMatch(
      /<script(?! src="\/docs\/assets\/)|<style|\sstyle=|\son\w+=|(src|href)="https?:\/\/(?!localhost)[^"]*\.(js|css)/,
    )
  })

  it('every link from one page of the documentation to another has a target, with its anchor', async () => {
    const seen = new Map<string, string>()
    const read = async (path: string): Promise<string> => {
      const known = seen.get(path)
      if (known !== undefined) return known
      const { status, bytes } = await httpAsk(api.url, path)
      const text = status === 200 ? bytes.toString() : ''
      seen.set(path, text)
      return text
    }
    const broken: string[] = []
    const waiting = [...PAGES]
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      for (const [, to = ''] of (await read(path)).matchAll(/ href="([#/][^"]*)"/g)) {
        const [target = '', anchor] = to.startsWith('#') ? [path, to.slice(1)] : to.split('#')
        if (!seen.has(target) && !waiting.includes(target)) waiting.push(target)
        const text = await read(target)
        if (text === '' || (anchor !== undefined && !text.includes(`id="${anchor}"`))) broken.push(`${path}: ${to}`)
      }
    }
    expect(broken).toEqual([])
  })

  it('/llms.txt names every operation, and each of its links has a target', async () => {
    const { status, headers, bytes } = await httpAsk(api.url, '/llms.txt')
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const text = bytes.toString()
    for (const [path, methods] of Object.entries(api.document.paths)) {
      for (const method of Object.keys(methods)) expect(text).toContain(`- [${method.toUpperCase()} ${path}](/docs/plain#`)
    }
    for (const [, path = ''] of text.matchAll(/\]\((\/[^)#]*)/g)) expect([path, (await httpAsk(api.url, path)).status]).toEqual([path, 200])
  })

  it('the script of the reference is served compressed as the client asks', async () => {
    const plain = await httpAsk(api.url, '/docs/assets/scalar.js', { headers: { 'accept-encoding': 'identity' } })
    const brotli = await httpAsk(api.url, '/docs/assets/scalar.js', { headers: { 'accept-encoding': 'br' } })
    expect([plain.status, plain.headers['content-type'], brotli.headers['content-encoding']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'br',
    ])
    expect(plain.bytes.toString()).toContain('createApiReference')
    expect(brotli.headers.etag).toBe(plain.headers.etag)
  })
})
