import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const LIMIT_BYTES = 150_000
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'orrery-explorer-build-'))

let html = ''
let files: string[] = []
beforeAll(() => {
  const built = spawnSync('npx', ['vite', 'build', '--outDir', folder, '--logLevel', 'warn'], { cwd: root, encoding: 'utf8' })
  if (built.status !== 0) throw new Error(built.stderr)
  html = readFileSync(join(folder, 'index.html'), 'utf8')
  files = readdirSync(join(folder, 'static'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const compressedBytes = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, 'static', name))).length, 0)

describe('the built explorer', () => {
  it(`its page loads at most ${LIMIT_BYTES / 1000} KB of scripts and styles, compressed, and all of its files have no more`, () => {
    const named = [...html.matchAll(/\/explore\/static\/([\w.-]+)/g)].map((match) => match[1] as string)
    expect(named.filter((name) => !files.includes(name))).toEqual([])
    expect(named.some((name) => name.endsWith('.js')) && named.some((name) => name.endsWith('.css'))).toBe(true)
    expect(compressedBytes(named)).toBeLessThanOrEqual(LIMIT_BYTES)
    expect(compressedBytes(files)).toBeLessThanOrEqual(LIMIT_BYTES)
  })

  it('every file has a hash in its name, and the page has no inline script, no style and no address of another origin', () => {
    expect(files.filter((name) => !/-[\w-]{8}\.(js|css)$/.test(name))).toEqual([])
    expect(html).not.toMatch(/<script(?![^>]*\ssrc="\/explore\/static\/)|<style|\sstyle=|\son\w+=|https?:/)
  })
})
