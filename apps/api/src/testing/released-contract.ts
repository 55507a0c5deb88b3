// The OpenAPI document as it was released, and its comparison with that of the build by oasdiff, which Go compiles (infra/openapi-check/go.mod).

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { OpenApiDocument } from '../openapi.ts'

/** Made by `npm run release-contract -w apps/api` when a version is released. */
export const RELEASED_CONTRACT = fileURLToPath(new URL('../../../../docs/openapi/released.json', import.meta.url))

const OASDIFF = fileURLToPath(new URL('../../../../infra/openapi-check', import.meta.url))
const run = promisify(execFile)

/** A document without examples, which promise nothing, and with stability in the words of oasdiff: it lets operations at level `alpha` change. */
export function contractOf(document: OpenApiDocument): unknown {
  return JSON.parse(JSON.stringify(document), (name, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    // A schema may have a member named `example`; there it is a schema, not a value.
    const { example, ...rest } = value as Readonly<Record<string, unknown>>
    const kept = name === 'properties' || example === undefined ? value : rest
    return 'x-stability' in kept ? { ...kept, 'x-stability-level': kept['x-stability'] === 'stable' ? 'stable' : 'alpha' } : kept
  })
}

/** A change that may break a client. */
export interface BreakingChange {
  /** The rule of oasdiff. */
  readonly id: string
  readonly operationId?: string
  /** The change in words. */
  readonly text: string
}

/** What breaks between two documents that `contractOf` returned. */
export async function breakingChanges(before: unknown, after: unknown): Promise<readonly BreakingChange[]> {
  const folder = await mkdtemp(join(tmpdir(), 'orrery-contract-'))
  try {
    const files = [join(folder, 'before.json'), join(folder, 'after.json')] as const
    await Promise.all([writeFile(files[0], JSON.stringify(before)), writeFile(files[1], JSON.stringify(after))])
    const options = ['--format', 'json', '--severity-levels', 'severity-levels.txt', '--allow-external-refs=false']
    const args = ['tool', 'oasdiff', 'breaking', ...files, ...options]
    const { stdout } = await run('go', args, { cwd: OASDIFF, maxBuffer: 1 << 26 }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT'
        ? new Error('The contract was not compared: install Go, which compiles oasdiff.', { cause: error })
        : error
    })
    return JSON.parse(stdout) ?? []
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
