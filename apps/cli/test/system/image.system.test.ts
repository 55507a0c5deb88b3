// The image, made and started without a container engine: the Dockerfile's own commands in empty folders, then its entry point as its user.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ready } from '../orrery.ts'
import { buildImage, copyContext, type Image } from './build-image.ts'
import { readDockerfile } from './dockerfile.ts'

const repository = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (path: string): string => readFileSync(join(repository, path), 'utf8')

/** A process can take on the user of the image only from root, and the registry of npm must be reachable. */
const isRoot = process.getuid?.() === 0

describe.skipIf(!isRoot)('the image (needs root: its process runs as another user)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-image-'))
  let image: Image
  let env: Record<string, string>

  beforeAll(async () => {
    chmodSync(folder, 0o755)
    copyContext(repository, read('.dockerignore'), join(folder, 'context'))
    image = buildImage(readDockerfile(read('infra/docker/Dockerfile')), join(folder, 'context'), join(folder, 'stages'))
    mkdirSync(join(image.root, 'tmp'))
    chmodSync(join(image.root, 'tmp'), 0o1777)
    const inImage = Object.entries(image.env).map(([name, value]) => [name, value.startsWith('/') ? join(image.root, value) : value])
    env = {
      ...Object.fromEntries(inImage),
      PATH: join(image.root, 'usr/local/bin'),
      HOME: '/nonexistent',
      TMPDIR: join(image.root, 'tmp'),
      ORRERY_JSON: 'true',
      ORRERY_PORT: '0',
      ORRERY_INTERNAL_PORT: String(await freePort()),
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const options = () => ({ cwd: join(image.root, image.workdir), env, ...image.user })
  const isHealthy = (): boolean => {
    const [command = '', ...args] = image.healthcheck
    return spawnSync(command, args, options()).status === 0
  }
  const start = (): ChildProcess => {
    const [command = '', ...args] = [...image.entrypoint, ...image.command]
    return spawn(command, args, { ...options(), stdio: ['ignore', 'pipe', 'pipe'] })
  }
  const files = (...conditions: string[]): string[] =>
    execFileSync('find', [image.root, ...conditions, '-print', '-quit'], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)

  it('is made of one Node, the version that package.json names', () => {
    const version = JSON.parse(read('package.json')).dependencies.node
    expect(new Set(image.bases)).toEqual(new Set([`node:${version}-bookworm-slim`]))
    expect(existsSync(join(image.root, image.workdir, 'node_modules/node'))).toBe(false)
  })

  it('holds no test, no test helper and no development dependency', () => {
    const app = join(image.root, image.workdir)
    expect(
      files('-path', '*/node_modules', '-prune', '-o', '(', '-name', '*.test.ts', '-o', '-name', 'testing', '-o', '-name', 'test', ')'),
    ).toEqual([])
    expect(readdirSync(join(app, 'packages/testkit'))).toEqual(['package.json'])
    const { devDependencies } = JSON.parse(read('package.json'))
    const { packages } = JSON.parse(read('package-lock.json'))
    // Not those that a dependency of a process depends on as well: protobufjs, of the traces, has the types of Node among its dependencies.
    const onlyForDevelopment = Object.keys(devDependencies).filter((name) => packages[`node_modules/${name}`].dev === true)
    expect(onlyForDevelopment).toContain('vitest')
    expect(onlyForDevelopment.filter((name) => existsSync(join(app, 'node_modules', name)))).toEqual([])
  })

  it('has the built explorer, and none of the packages that built it', () => {
    const app = join(image.root, image.workdir)
    const page = readFileSync(join(app, 'apps/explorer/dist/index.html'), 'utf8')
    const files = [...page.matchAll(/\/explore\/(static\/[\w.-]+)/g)].map((match) => match[1] as string)
    expect(files.length).toBeGreaterThan(1)
    expect(files.filter((file) => !existsSync(join(app, 'apps/explorer/dist', file)))).toEqual([])
    expect(['vite', 'preact', 'uplot'].filter((name) => existsSync(join(app, 'node_modules', name)))).toEqual([])
  })

  it('runs as a user that is not root and owns nothing but the data folder', () => {
    expect(image.user).toEqual({ uid: 1000, gid: 1000 })
    expect(files('-uid', '1000', '-not', '-path', join(image.root, 'var/lib/orrery'))).toEqual([])
  })

  it('serves the demo network as that user, is healthy while it runs, writes only data and temporary files, and stops with 0', async () => {
    expect(isHealthy()).toBe(false)
    const up = start()
    let stderr = ''
    up.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const exited = once(up, 'close')
    try {
      const lines = createInterface({ input: up.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
      const first = await lines.next()
      if (first.done) throw new Error(`It ended with ${(await exited)[0]}: ${stderr}`)
      const ready: Ready = JSON.parse(first.value)
      expect(isHealthy()).toBe(true)
      const answer = await fetch(`${ready.url}/v1/protocols`, { headers: { 'x-service-api-key': ready.apiKey } })
      expect(answer.status).toBe(200)
      up.kill('SIGTERM')
      expect((await exited)[0]).toBe(0)
    } finally {
      up.kill('SIGKILL')
    }
    const writable = [join(image.root, 'var/lib/orrery*'), join(image.root, 'tmp/*')].flatMap((path) => ['-not', '-path', path])
    expect(files('-uid', '1000', ...writable)).toEqual([])
    expect(files('-uid', '1000', '-path', join(image.root, 'var/lib/orrery/*'))).not.toEqual([])
  })
})
