// The code of an earlier commit, to run its processes beside those of this one.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
/** What a process needs: code, and the registries, migrations and pages beside it. */
const PATHS = ['apps', 'docs', 'packages', 'package.json']

/**
 * Unpacks `commit` into `folder`, with this checkout's installed dependencies and the commit's own packages. Returns its start file.
 * @throws Error where the checkout has no such commit.
 */
export function earlierBuild(commit: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const archive = git('archive', '--format=tar', commit, ...PATHS)
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  linkDependencies(folder)
  return join(folder, 'apps', 'cli', 'bin', 'orrery.mjs')
}

function git(...args: readonly string[]): Buffer {
  try {
    return execFileSync('git', args, { cwd: REPOSITORY, maxBuffer: 1024 ** 3, stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (cause) {
    const message = `This test runs an earlier commit and needs the history of the repository. \`git ${args.slice(0, 3).join(' ')}\` failed. Use a clone with its whole history: \`git fetch --unshallow\`, or \`fetch-depth: 0\` of actions/checkout.`
    throw new Error(message, { cause })
  }
}

/** Packages of others come from this checkout; those of Orrery must be the commit's, so each gets a link of its own. */
function linkDependencies(folder: string): void {
  const [installed, modules] = [join(REPOSITORY, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(modules, '@orrery'), { recursive: true })
  for (const name of readdirSync(installed)) if (name !== '@orrery') symlinkSync(join(installed, name), join(modules, name))
  const manifests = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^(apps|packages)\/[^/]+\/package\.json$/.test(path),
  )
  for (const manifest of manifests) {
    const { name } = JSON.parse(readFileSync(join(folder, manifest), 'utf8')) as { readonly name: string }
    symlinkSync(join(folder, dirname(manifest)), join(modules, name))
  }
}
