// Checks that every part of the vectors beside the repository is used by a test, or has a reason why not.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sharedDir } from './recording.ts'

const folder = join(sharedDir() ?? '', 'reference/vectors')
const packages = fileURLToPath(new URL('../..', import.meta.url))

/** Members that describe a file, or the origin of a part. */
const DESCRIPTIONS = ['meta', 'about', 'title', 'status', 'validation', 'caveats', 'fields', 'version', 'source']

/** Parts that no test uses, by file: why. */
const UNUSED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'aquarius.json': {
    'math.concentrated.swap_step_computed':
      'no figure depends on the formula: what a swap moved is read from its transfers, and its price from the pool. Its own file has not checked it',
    'math.concentrated.plane_steps': 'no figure depends on it: the plane, which others use to find swap routes, is not read',
  },
}

/** Texts of all tests and their helpers that mention vectors. */
function sources(): string[] {
  const files = readdirSync(packages, { recursive: true, encoding: 'utf8' })
  const tests = files.filter(
    (path) => /\/(src|test)\/[^/]+\.ts$/.test(path) && !path.includes('node_modules') && !path.endsWith('testkit/src/vectors.test.ts'),
  )
  return tests
    .map((path) => readFileSync(join(packages, path), 'utf8'))
    .filter((text) => text.includes('vectors') || text.includes('executed.ts'))
}

/** Those of them that read the file. */
function readersOf(file: string, texts: readonly string[]): string {
  const isExecuted = (text: string) => file.startsWith('blend-executed') && text.includes('./executed.ts')
  const readers = texts.filter(
    (text) => text.includes(file) || text.includes(`vectorsOf('${file.replace('.json', '')}')`) || isExecuted(text),
  )
  return readers.join('\n')
}

/** Names of the parts of a file, nested parts included. */
function partsOf(value: Readonly<Record<string, unknown>>, path = ''): string[] {
  return Object.entries(value).flatMap(([name, part]) => {
    if (DESCRIPTIONS.includes(name) || typeof part !== 'object' || part === null) return []
    const isGroup = ['math', 'math.concentrated', 'math.rewards', 'salts', 'sdk_tests', 'contract_tests'].includes(path + name)
    return isGroup && !Array.isArray(part) ? partsOf(part as Readonly<Record<string, unknown>>, `${path}${name}.`) : [path + name]
  })
}

describe.runIf(existsSync(folder))('the vectors (from ../shared)', () => {
  // Of 2026: its own tests are with the registry of mainnet.
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name !== 'mainnet-blend-2026.json') : []
  const texts = sources()

  it.each(files)('all parts of the vectors %s are used by a test, or have a reason why not', (name) => {
    const parts = partsOf(JSON.parse(readFileSync(join(folder, name), 'utf8')))
    const reasons = UNUSED[name] ?? {}
    const text = readersOf(name, texts)
    // As a member that is read, taken apart or named.
    const isUsed = (part: string) => new RegExp(`[.{,']\\s*${part.split('.').at(-1)}\\b`).test(text)
    expect(parts.filter((part) => !isUsed(part) && reasons[part] === undefined)).toEqual([])
    expect(Object.keys(reasons).filter((part) => !parts.includes(part))).toEqual([])
  })
})
