// Packages as other programs get them: built, packed by npm, and installed from the tarball in a folder outside of the repository.

import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const BUILD = fileURLToPath(new URL('../../../../scripts/build-package.mjs', import.meta.url))
const run = promisify(execFile)

/** Builds a package of `scripts/built-packages.mjs` and packs it into `folder`. Returns the tarball. */
async function packPackage(name: string, folder: string): Promise<string> {
  const dist = join(folder, `${name}-dist`)
  await run(process.execPath, [BUILD, name, dist])
  const { stdout } = await run('npm', ['pack', dist, '--pack-destination', folder, '--json'], { cwd: folder })
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }]
  return join(folder, filename)
}

/** A folder that a program of another author could have: nothing in it but what `npm install` puts there. */
export class PackedPackages implements Disposable {
  /** Outside of the repository, so that no import finds its packages. */
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'orrery-packed-')))
  /** Where tarballs are made. */
  readonly #tarballs = mkdtempSync(join(tmpdir(), 'orrery-tarballs-'))

  /** Packs a package and installs it. Returns the tarball. */
  async install(name: string): Promise<string> {
    const tarball = await packPackage(name, this.#tarballs)
    await this.installTarball(tarball)
    return tarball
  }

  /** Without the registry: a package that had a dependency would fail. */
  async installTarball(tarball: string): Promise<void> {
    await run('npm', ['install', tarball, '--offline', '--no-audit', '--no-fund'], { cwd: this.folder })
  }

  /** Writes a file of the program. Returns its path. */
  write(name: string, text: string | Uint8Array): string {
    const file = join(this.folder, name)
    writeFileSync(file, text)
    return file
  }

  /** Runs a file of the program. Returns what it prints. */
  async run(node: string, file: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { stdout } = await run(node, [file], { cwd: this.folder, env: { ...env, NO_COLOR: '1' }, maxBuffer: 64 * 1024 * 1024 })
    return stdout
  }

  [Symbol.dispose](): void {
    for (const folder of [this.folder, this.#tarballs]) rmSync(folder, { recursive: true, force: true })
  }
}
