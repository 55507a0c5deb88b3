// The code of an earlier commit, to run its processes beside those of this one.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
/** What a process needs: code, and the registries, migrations and pages beside it. */
const PATHS = ['apps', 'docs', 'packages', 'package.json']

/** Whether this checkout has the commit: a shallow clone and an unpacked archive have not. */
export function hasCommit(commit: string): boolean {
  return spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: REPOSITORY }).status === 0
}

/** Unpacks `commit` into `folder`, with this checkout's installed dependencies and the commit's own packages. Returns its start file. */
export function earlierBuild(commit: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', '--format=tar', commit, ...PATHS], { cwd: REPOSITORY, maxBuffer: 1024 ** 3 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  linkDependencies(folder)
  return join(folder, 'apps', 'cli', 'bin', 'orrery.mjs')
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
